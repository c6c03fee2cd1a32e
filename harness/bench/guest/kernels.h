/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels for guests, kept in the cache folder (prepared.h):
 *   kernels/NAME/vmlinuz     the image
 *                modules/    what /lib/modules/RELEASE would hold; may be
 * absent config      may be absent info.tsv    name and value a line; its
 * presence: complete
 */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include "base/facts.h"

struct kernel {
	char *name; /* of its folder: the release where it is known */
	char *dir;
	char *image;
	char *modules; /* NULL: none */
	char *config;  /* NULL: none */
	/* release, arch ("amd64"), package, version, suite, sha256, fetched */
	struct facts info;
};

struct kernel_list {
	struct kernel *list;
	size_t n;
};

/* This machine's architecture in Debian's words; "" for others than those. */
const char *kernels_own_arch(void);

/* The folder of all of them. free() it. */
char *kernels_dir(void);

/*
 * All complete ones, the highest release last. None is no error. 0 or -errno,
 * printed. kernel_list_free() it.
 */
int kernels_read(struct kernel_list *out);
void kernel_list_free(struct kernel_list *list);

/*
 * The one of this name; NULL: the highest release that is not for another
 * architecture than this ("amd64"). -ENOENT, printed with how to fetch one.
 * kernel_free() it.
 */
int kernel_find(const char *name, const char *arch, struct kernel *out);
void kernel_free(struct kernel *k);

#endif
