/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels to boot: by path, or out of the cache (kernels.h). */
#ifndef BENCH_GUEST_KERNEL_H
#define BENCH_GUEST_KERNEL_H

/*
 * The image of a word: "guest", the newest of the cache for this machine's
 * programs; a name of the cache's; or a path, one with a '/' in it. free()
 * it; NULL, printed, with what would help.
 */
char *guest_kernel_find(const char *word);

#endif
