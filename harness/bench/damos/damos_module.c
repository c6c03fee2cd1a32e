/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A goal of huge pages by the kernel's sample module, where it has one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"
#include "bench/guard/journal.h"
#include "bench/guard/settings.h"
#include "kern/knobs.h"

int damos_module_probe(const struct root *root, char **why)
{
	struct damon_module m;
	uint64_t n;
	int ret = damon_module_find(root, &m);

	damon_module_free(&m);
	*why = NULL;
	if (ret) {
		*why = xstrdup("this kernel has no hugepage sample module of "
			       "DAMON's, or it is not loaded (no /sys/module/*/"
			       "parameters with quota_percentage_hugepage)");
		return -ENOTSUP;
	}
	/* It starts beside no other kdamond. */
	if (!damon_count(root, &n) && n) {
		auto_free char *whose = damon_describe(root);

		*why = xasprintf("somebody else uses DAMON, and the module "
				 "does not start beside it: %s",
				 whose);
		return -EBUSY;
	}
	return 0;
}

/* What its parameters were, so that they go back, enabled first. */
static void save(struct damos *d, const struct damon_writes *w)
{
	for (size_t i = 0; i < w->n; i++) {
		struct setting *one =
			settings_add(&d->module_before, w->list[i].path);

		one->is_ours = true;
		one->rank = KNOB_DAMON;
		if (root_read_word(d->root, one->path, &one->before))
			one->before = NULL;
	}
	settings_sort(&d->module_before);
}

static int write_all(const struct damos *d, const struct damon_writes *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct damon_write *one = &w->list[i];
		int ret = root_write(d->root, one->path, one->value);

		if (ret == -ENOENT)
			return refuse(ret,
				      "this version of the hugepage sample "
				      "module has no /%s",
				      one->path);
		if (ret)
			return fail(ret,
				    "the hugepage sample module refused %s in "
				    "/%s",
				    one->value, one->path);
	}
	return 0;
}

int damos_module_start(struct damos *d, struct journal *journal)
{
	struct damon_setup setup = d->config->setup;
	struct damon_writes w;
	int ret = damon_module_find(d->root, &d->module);

	if (ret)
		return refuse(ret, "the hugepage sample module is gone");
	setup.pid = d->target;
	damon_module_plan(&d->module, &setup, d->config->goal_bp, &w);
	save(d, &w);
	ret = journal_settings(journal, &d->module_before);
	if (!ret)
		ret = write_all(d, &w);
	damon_writes_free(&w);
	if (!ret)
		d->list[0].pid = damon_module_kdamond(d->root, &d->module);
	return ret;
}

int damos_module_stop(struct damos *d)
{
	return d->module.dir ? settings_restore(d->root, &d->module_before) : 0;
}

int damos_module_check_alive(const struct damos *d)
{
	int is_on = damon_module_is_on(d->root, &d->module);

	if (is_on == 1)
		return 0;
	return refuse(-ESRCH, "the hugepage sample module stopped by itself");
}
