/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DAMON's sysfs tree as it stands: who uses it, what a scheme did. Only read,
 * never written. All is silent.
 */
#ifndef KERN_DAMON_FS_H
#define KERN_DAMON_FS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "kern/damon.h"

/*
 * How many kdamonds somebody has set up, running or not. 0; -ENOENT: this
 * kernel has no DAMON sysfs; -EACCES; -EPROTO.
 */
int damon_count(const struct root *root, uint64_t *n);

/*
 * All kdamonds for a person: "kdamond 0: on, pid 84, pageout on physical
 * memory; kdamond 1: off, collapse on pid 4711". free() it.
 */
char *damon_describe(const struct root *root);

/*
 * The operations that this kernel's DAMON has, one a line as it lists them:
 * "vaddr\nfvaddr\npaddr". Only a context lists them, so this looks into
 * those that somebody has set up: -ENOENT where nobody has. *words: free() it.
 */
int damon_operations(const struct root *root, char **words);

/* Is kdamond k running? An error of reading is returned. */
int damon_is_on(const struct root *root, size_t k);
/* The thread of kdamond k; 0: none. */
pid_t damon_pid(const struct root *root, size_t k);
/* The process that kdamond k watches; 0: none, or not set yet. */
pid_t damon_target(const struct root *root, size_t k);

/* What schemes/0/stats and quotas say of one scheme. */
struct damon_stats {
	uint64_t nr_tried;
	uint64_t sz_tried_bytes;
	uint64_t nr_applied;
	uint64_t sz_applied_bytes; /* also what was huge before: no measure */
	uint64_t qt_exceeds;
	uint64_t nr_snapshots; /* newer kernels; 0 where has_snapshots is
				  false */
	uint64_t effective_bytes;
	bool has_snapshots;
	bool has_effective;
};

/*
 * Of the scheme of kdamond k, as the kernel last brought them up to date
 * (state = update_schemes_stats). 0 or -errno.
 */
int damon_stats_read(const struct root *root, size_t k,
		     struct damon_stats *out);
/* quotas/effective_bytes alone; -ENOENT where the kernel does not say. */
int damon_effective_read(const struct root *root, size_t k, uint64_t *bytes);

#endif
