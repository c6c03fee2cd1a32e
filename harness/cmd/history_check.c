/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history check, bisect, gate: what changed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/git_bisect.h"
#include "cmd/history.h"
#include "data/history/kver.h"
#include "out/history.h"
#include "out/history_json.h"

static void print_changes(const struct history_choice *c,
			  const struct changes *all, size_t n)
{
	auto_str struct str out = { 0 };
	struct table t;

	if (c->format == TABLE_JSON) {
		history_json_changes(all, n, &c->changes, &out);
	} else {
		history_table_changes(all, n, &c->changes, &t);
		history_print(&t, c->format, &out);
		table_free(&t);
	}
	fputs(out.text, stdout);
}

/* Did it regress behind --since, and is it still so? */
static bool counts(const struct history_choice *c, const struct changes *of,
		   const struct change *x)
{
	const struct history_point *p = &of->series->points[x->at];
	struct kver version;

	if (x->verdict != VERDICT_REGRESSED || x->is_made_good)
		return false;
	if (!c->since)
		return true;
	/* Of a kernel without a version nobody knows that it is older. */
	if (kver_parse(c->since, &version))
		return !kver_parse(p->kernel, &version) ||
		       kver_compare(p->kernel, c->since) > 0;
	return strcmp(p->created, c->since) > 0;
}

/* The last that counts; NULL if none does. */
static const struct change *last_of(const struct history_choice *c,
				    const struct changes *of)
{
	const struct change *last = NULL;

	for (size_t i = 0; i < of->n; i++)
		if (counts(c, of, &of->list[i]))
			last = &of->list[i];
	return counts(c, of, &of->newest) ? &of->newest : last;
}

static int status_of(const struct history_choice *c, const struct changes *all,
		     size_t n)
{
	bool is_any_known = false;

	for (size_t i = 0; i < n; i++) {
		if (last_of(c, &all[i]))
			return STATUS_REGRESSION;
		is_any_known |=
			!all[i].why || all[i].newest.verdict != VERDICT_NONE;
	}
	return is_any_known ? STATUS_OK : STATUS_INCONCLUSIVE;
}

int history_check_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_list list = { 0 };
	struct changes *all;
	int status = history_no_argument("check", argc, argv);

	if (!status)
		status = history_get_series(c, &list);
	if (!status) {
		changes_find(&list, &c->changes, &all);
		print_changes(c, all, list.n);
		status = status_of(c, all, list.n);
		changes_free(all, list.n);
	}
	history_list_free(&list);
	return status;
}

/* --- bisect --- */

static int ask_git(const struct history_choice *c, const char *good,
		   const char *bad)
{
	auto_free char *from = kver_git_name(good);
	auto_free char *to = kver_git_name(bad);
	auto_free char *next = NULL;
	int ret = git_bisect(c->tree, from, to, &next);

	if (ret)
		return err_status(ret);
	if (*next)
		printf("next\t%s\n", next);
	else
		printf("found\t%s\n", to);
	return STATUS_OK;
}

static int print_next(const struct history_choice *c, const struct changes *of,
		      const struct change *x)
{
	const struct history_point *good = &of->series->points[x->at - 1];
	const struct history_point *bad = &of->series->points[x->at];
	auto_free char *series = history_series_text(of->series);
	auto_free char *from = kver_git_name(good->kernel);
	auto_free char *to = kver_git_name(bad->kernel);
	auto_free char *next = kver_between(good->kernel, bad->kernel);

	printf("series\t%s\ngood\t%s\nbad\t%s\n", series, good->kernel,
	       bad->kernel);
	if (of->is_drift)
		printf("drift\ta straight line fits its points better than "
		       "steps: no one version may have done it\n");
	if (kver_compare(good->kernel, bad->kernel) == 0) {
		printf("same\tthe kernel did not change there: the machine or "
		       "the set-up did\n");
		return STATUS_OK;
	}
	if (str_eq(from, to)) {
		printf("next\tnothing by name: both are %s to git, and differ "
		       "in their builds or patches\n",
		       to);
		return STATUS_OK;
	}
	if (c->tree)
		return ask_git(c, good->kernel, bad->kernel);
	if (next)
		printf("next\t%s\n", next);
	else
		printf("next\tcommits: git bisect start %s %s, or --git DIR\n",
		       to, from);
	return STATUS_OK;
}

int history_bisect_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_list list = { 0 };
	struct changes *all = NULL;
	size_t n_found = 0;
	int status = history_no_argument("bisect", argc, argv);

	if (!status)
		status = history_get_series(c, &list);
	if (!status)
		changes_find(&list, &c->changes, &all);
	for (size_t i = 0; !status && i < list.n; i++) {
		const struct change *x = last_of(c, &all[i]);

		if (!x)
			continue;
		n_found++;
		status = print_next(c, &all[i], x);
	}
	if (!status && !n_found)
		puts("nothing\tno series has a regression that is not made "
		     "good");
	if (all)
		changes_free(all, list.n);
	history_list_free(&list);
	return status;
}
