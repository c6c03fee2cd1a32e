/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one place from which DAMON's files are written, and taking back. */
#ifndef BENCH_DAMOS_PUT_H
#define BENCH_DAMOS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/root.h"
#include "kern/damon.h"

/*
 * Write a word to a file of DAMON's. Whoever else looks at the tree makes it
 * answer EBUSY: tried again for up to 2 s, ever more slowly. 0 or -errno;
 * silent. A path outside of DAMON_ROOT is refused with -EPERM.
 */
int damos_put(const struct root *root, const char *path, const char *value);

/* state = word of kdamond k. */
int damos_command(const struct root *root, size_t k, const char *word);

/* Kdamonds of a run: how many, on which process, by which operations. */
struct damos_owned {
	size_t n;
	pid_t pid; /* 0: only set up, to see what the kernel takes */
	const char *ops;
};

/*
 * Are the kdamonds of this tree those? As many, and each watches that process
 * or nothing yet. Where one that watches no process runs, only if ours would
 * watch physical memory too.
 */
bool damos_owns(const struct root *root, const struct damos_owned *owned);

/*
 * Stop them and take them away, if they are ours. 1: done; 0: there is
 * nothing to do, or what is there is somebody else's (warned of); -errno,
 * printed.
 */
int damos_take_away(const struct root *root, const struct damos_owned *owned);

#endif
