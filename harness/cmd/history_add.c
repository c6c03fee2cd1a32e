/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench history add, pin: what changes the store. */
#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/history.h"
#include "cmd/load.h"
#include "data/history/history_pin.h"

static void tell(const char *dir, const struct history_added *a)
{
	printf("%s\t%s\t%zu of %zu runs added, %zu values\n", a->uid, dir,
	       a->n_new, a->n_runs, a->n_values);
	if (a->n_differ)
		warn("history: %s: %zu values are there otherwise; they stay "
		     "as they were added first",
		     dir, a->n_differ);
}

/* Each shard by itself: a point of its host's series. */
static int add_folder(struct history *h, const struct history_choice *c,
		      const char *dir)
{
	const struct history_request request = {
		.host = c->filter.host,
		.kernel = c->kernel,
	};
	struct history_added added;
	struct experiments parts;
	int ret = cmd_load_parts("history", dir, &parts);

	for (size_t i = 0; !ret && i < parts.n; i++) {
		ret = history_add(h, &parts.list[i], &request, &added);
		if (!ret)
			tell(parts.list[i].dir, &added);
	}
	experiments_free(&parts);
	return ret;
}

int history_add_main(const struct history_choice *c, int argc, char **argv)
{
	struct history h;
	int ret;

	if (!argc)
		return refuse(STATUS_USAGE, "history add: no result folder");
	ret = history_open(c->store, true, &h);
	for (int i = 0; !ret && i < argc; i++)
		ret = add_folder(&h, c, argv[i]);
	history_close(&h);
	return ret ? err_status(ret) : STATUS_OK;
}

/* The newest of those that are left by the filter; NULL if there is none. */
static int pin_all(struct history *h, const struct history_choice *c,
		   const char *name, const struct history_experiments *x)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct history_experiment *e = &x->list[i];
		const struct history_experiment *next = e + 1;
		int ret;

		/* By time: the last of its host and configuration. */
		if (i + 1 < x->n && str_eq(e->host, next->host) &&
		    str_eq(e->config, next->config))
			continue;
		ret = history_pin(h, name, e, c->may_move);
		if (ret)
			return ret;
		printf("%s\t%s\t%s\n", name, e->uid, e->name);
	}
	return 0;
}

int history_pin_main(const struct history_choice *c, int argc, char **argv)
{
	struct history_filter filter = c->filter;
	struct history_experiments x = { 0 };
	struct history h;
	int ret;

	if (argc < 1 || argc > 2 || !*argv[0] || strlen(argv[0]) > 64)
		return refuse(STATUS_USAGE,
			      "history pin: NAME (up to 64 bytes) and perhaps "
			      "an ID of history list");
	filter.uid = argc > 1 ? argv[1] : NULL;
	ret = history_open(c->store, false, &h);
	if (!ret)
		ret = history_experiments(&h, &filter, &x);
	if (!ret && !x.n)
		ret = refuse(-ENOENT, "history pin: no such experiment; see "
				      "thpbench history list");
	if (!ret)
		ret = pin_all(&h, c, argv[0], &x);
	history_experiments_free(&x);
	history_close(&h);
	return ret == -EEXIST ? STATUS_USAGE : ret ? err_status(ret) : 0;
}
