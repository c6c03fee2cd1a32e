/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/guest/kernel_fetch.h among themselves. */
#ifndef BENCH_KERNEL_PARTS_H
#define BENCH_KERNEL_PARTS_H

#include "bench/packages/cache_slot.h"
#include "bench/packages/deb_depends.h"
#include "bench/guest/kernel_fetch.h"

struct kernel_job {
	const struct kernel_fetch *fetch;
	struct cache_slot slot; /* filled in the layout of kernels.h */
	char *unpacked;         /* a folder in it: packages as they are */
	struct facts info;
	char *name; /* of the kernel in the cache */
	bool was_there;
};

/*
 * The packages of a kernel: its image's, and those that this depends on.
 * -ENOENT if the suite has none, and other -errno, printed.
 */
int kernel_choose(const struct apt *apt, const char *pattern,
		  struct deb822 *packages);

/* kernel_file.c */

/*
 * A kernel image of the user's, its configuration where that lies beside it,
 * and the modules that were named. Its name has a hash of the image: kernels
 * of one release, base and patched, are kept beside each other.
 */
int kernel_from_image(struct kernel_job *job);

/* kernel_tree.c */

/* Where the parts of a kernel lie below a folder; NULL: not there. */
struct kernel_tree {
	char *image;
	char *modules;
	char *config;
	char *release;
};

/* Look for them as Debian lays them out, old and new. */
void kernel_tree_find(const char *dir, struct kernel_tree *out);
void kernel_tree_free(struct kernel_tree *tree);

#endif
