/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel takes, and why it refuses a write. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"

#define CONTEXT DAMON_ROOT "/0/contexts/0"
#define SCHEME CONTEXT "/schemes/0"

int damos_stage(const struct root *root)
{
	/* Without a context, and so on, there are no files to try. */
	static const struct {
		const char *path;
		bool is_newer;
	} steps[] = {
		{ DAMON_ROOT "/nr_kdamonds", false },
		{ DAMON_ROOT "/0/contexts/nr_contexts", false },
		{ CONTEXT "/schemes/nr_schemes", false },
		{ SCHEME "/quotas/goals/nr_goals", true },
		{ SCHEME "/filters/nr_filters", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		int ret = damos_put(root, steps[i].path, "1");

		if (ret && !(ret == -ENOENT && steps[i].is_newer))
			return ret;
	}
	return 0;
}

int damos_try(const struct root *root, const char *file, const char *word)
{
	auto_free char *path = xasprintf(SCHEME "/%s", file);

	return damos_put(root, path, word);
}

/*
 * What stands behind a refusal, by the end of the file's name. Releases as of
 * the kernel's history of mm/damon/sysfs*.c.
 */
static const struct {
	const char *file;
	int err;
	const char *why;
} refusals[] = {
	{ "/operations", EINVAL, "this kernel's DAMON does not know them" },
	{ "/action", EINVAL,
	  "this kernel's DAMON has no such action (collapse: Linux 7.2)" },
	{ "/target_metric", EINVAL, "this kernel knows no such goal metric" },
	{ "/target_metric", ENOENT, "goal metrics need Linux 6.9" },
	{ "/nr_goals", ENOENT, "goals of a quota need Linux 6.8" },
	{ "/nid", ENOENT, "goals of a node need Linux 6.16" },
	{ "/goals/0/path", ENOENT, "goals of a memory cgroup need Linux 6.19" },
	{ "/goal_tuner", ENOENT, "a choice of tuners needs Linux 7.1" },
	{ "/goal_tuner", EINVAL, "this kernel knows no such tuner" },
	{ "/fail_charge_num", ENOENT, "fail_charge needs Linux 7.2" },
	{ "/access_bp", ENOENT, "tuned intervals need Linux 6.15" },
	{ "/apply_interval_us", ENOENT,
	  "an apply interval of its own needs Linux 6.7" },
	{ "/nr_filters", ENOENT, "filters need Linux 6.3" },
	{ "/type", EINVAL, "filters by address need Linux 6.6" },
	{ "/allow", ENOENT, "filters that allow need Linux 6.14" },
	{ "/target_nid", ENOENT, "migration needs Linux 6.11" },
	{ "/state", EBUSY,
	  "DAMON_STAT, DAMON_RECLAIM or DAMON_LRU_SORT runs, or another "
	  "kdamond does: see /sys/module/damon_*/parameters/enabled" },
	{ "/state", EINVAL,
	  "the process has ended, values do not fit together, or the kernel "
	  "lacks these operations (avail_operations; CONFIG_DAMON_VADDR)" },
	{ "/state", ENOMEM, "the kernel is out of memory" },
};

char *damos_refusal(const struct damon_write *w, int err)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++)
		if (str_ends(w->path, refusals[i].file) &&
		    err == -refusals[i].err)
			return xasprintf("DAMON refused %s in %s: %s: %s",
					 w->value,
					 w->path + strlen(DAMON_ROOT "/"),
					 strerror(-err), refusals[i].why);
	return xasprintf("DAMON refused %s in %s: %s", w->value,
			 w->path + strlen(DAMON_ROOT "/"), strerror(-err));
}
