/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hugepage sample module of DAMON, which some kernels carry: a scheme that
 * collapses for a goal of huge pages, driven by parameters. Their names differ
 * between its versions, so they are taken from the folder. (samples/damon/
 * hugepage.c and mm/damon/hugepage.c of the patches that proposed it.)
 */
#ifndef KERN_DAMON_MODULE_H
#define KERN_DAMON_MODULE_H

#include "base/root.h"
#include "kern/damon.h"

struct damon_module {
	char *dir; /* "sys/module/damon_sample_hugepage/parameters" */
	const char *pid_file; /* "target_pid", "monitored_pid" */
};

/* 0, or -ENOENT: this kernel has none, or it is not loaded. */
int damon_module_find(const struct root *root, struct damon_module *out);
/* One that is not looked for, to show what would be written. */
void damon_module_unknown(struct damon_module *out);
void damon_module_free(struct damon_module *m);

/*
 * The writes that start it, in order: quotas of the set-up where they are
 * given, the goal in basis points, the process, enabled = Y. Where the module
 * takes them, the last three are all that a version has.
 */
void damon_module_plan(const struct damon_module *m,
		       const struct damon_setup *setup, uint64_t goal_bp,
		       struct damon_writes *out);
void damon_module_plan_stop(const struct damon_module *m,
			    struct damon_writes *out);

/* Is it at work (enabled says Y)? An error of reading is returned. */
int damon_module_is_on(const struct root *root, const struct damon_module *m);
/* Its kernel thread, where it says so; 0. */
pid_t damon_module_kdamond(const struct root *root,
			   const struct damon_module *m);

#endif
