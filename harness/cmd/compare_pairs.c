/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/compare_pairs.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "data/alike.h"
#include "data/extra.h"

static void add(struct pairs *p, size_t base, size_t arm)
{
	XGROW(p->list, p->n);
	p->list[p->n++] = (struct versus){ { p->base, base }, { p->arm, arm } };
}

/* The arm of this label, or e->n_arms and an exit status (printed). */
static int find_arm(const struct experiment *e, const char *label, size_t *arm)
{
	auto_free const char **labels = xcalloc(e->n_arms + 1, sizeof(*labels));

	for (*arm = 0; *arm < e->n_arms; ++*arm) {
		labels[*arm] = e->arms[*arm].label;
		if (str_eq(labels[*arm], label))
			return 0;
	}
	return cmd_refuse_word("compare", "arm", label, labels, e->n_arms);
}

static int pair_named(const struct pairs_request *r, struct pairs *p)
{
	bool is_one = p->base == p->arm;
	size_t base;
	size_t arm;
	int status;

	/* One name: against the baseline, or itself in the other folder. */
	if (r->n_arms == 1 && is_one) {
		status = find_arm(p->base, r->arms[0], &arm);
		base = p->base->baseline;
	} else {
		status = find_arm(p->base, r->arms[0], &base);
		if (!status)
			status = find_arm(p->arm, r->arms[r->n_arms - 1], &arm);
	}
	if (status)
		return status;
	if (is_one && base == arm)
		return refuse(STATUS_USAGE,
			      "compare: the arm '%s' against itself; name "
			      "another",
			      p->base->arms[arm].label);
	add(p, base, arm);
	return 0;
}

static int pair_folders(struct pairs *p)
{
	for (size_t base = 0; base < p->base->n_arms; base++)
		for (size_t arm = 0; arm < p->arm->n_arms; arm++)
			if (!judge_is_aa(p->base, base) &&
			    str_eq(p->base->arms[base].label,
				   p->arm->arms[arm].label))
				add(p, base, arm);
	if (!p->n && p->base->n_arms == 1 && p->arm->n_arms == 1)
		add(p, 0, 0);
	if (p->n)
		return 0;
	return refuse(STATUS_USAGE,
		      "compare: %s and %s have no arm in common; --arm A --arm "
		      "B names one of each",
		      p->base->dir, p->arm->dir);
}

static int choose(const struct pairs_request *r, struct pairs *p)
{
	if (r->n_arms)
		return pair_named(r, p);
	if (p->base != p->arm)
		return pair_folders(p);
	for (size_t arm = 0; arm < p->base->n_arms; arm++)
		if (arm != p->base->baseline && !judge_is_aa(p->base, arm))
			add(p, p->base->baseline, arm);
	if (p->n)
		return 0;
	return refuse(STATUS_USAGE,
		      "compare: %s has one arm; a second folder to compare it "
		      "with",
		      p->base->dir);
}

int pairs_open(const struct pairs_request *r, struct pairs *out)
{
	auto_free char *why = NULL;
	int status;

	*out = (struct pairs){ .base = &out->folders[0],
			       .arm = &out->folders[r->n_dirs - 1] };
	for (int i = 0; i < r->n_dirs; i++) {
		status = err_status(
			cmd_load("compare", r->dirs[i], &out->folders[i]));
		if (status)
			return status;
	}
	for (int i = 0; i < r->n_dirs && out->base != out->arm; i++)
		if (out->folders[i].n_hosts > 1)
			return refuse(
				STATUS_USAGE,
				"compare: %s has runs of %zu hosts, which "
				"are not pooled against those of another "
				"folder; name shards of one host",
				r->dirs[i], out->folders[i].n_hosts);
	if (out->base != out->arm)
		why = alike_refusal(out->base, out->arm);
	if (why)
		return refuse(STATUS_USAGE,
			      "compare: %s and %s did not measure the same: %s",
			      r->dirs[0], r->dirs[1], why);
	return choose(r, out);
}

void pairs_close(struct pairs *p)
{
	free(p->list);
	experiment_free(&p->folders[0]);
	experiment_free(&p->folders[1]);
	*p = (struct pairs){ 0 };
}

const struct metric *pairs_metric(const struct pairs *p, const char *name)
{
	return extra_find(p->base, name);
}
