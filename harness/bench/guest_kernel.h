/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels to boot: by path, or out of the cache, where each has a folder:
 *   <cache>/kernels/NAME/vmlinuz
 *   <cache>/kernels/NAME/modules     what it is not built with
 * <cache>: prepared_cache_dir().
 */
#ifndef BENCH_GUEST_KERNEL_H
#define BENCH_GUEST_KERNEL_H

#include <stddef.h>

/* <cache>/kernels. free() it. */
char *guest_kernel_dir(void);

/* The names in it that have an image, newest version last. free() each. */
int guest_kernel_list(char ***names, size_t *n);

/*
 * The image of a word: "guest", the newest of the cache; a name of the
 * cache's; or a path, one with a '/' in it. free() it; NULL, printed, with
 * what would help.
 */
char *guest_kernel_find(const char *word);

#endif
