/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What git says is halfway between two commits. */
#ifndef BENCH_GIT_BISECT_H
#define BENCH_GIT_BISECT_H

/*
 * The commit of a clone at dir to test next, by git rev-list --bisect, as git
 * describe names it; "" if nothing lies between them: bad is the first bad one.
 * free(*next). -ENOENT (printed) without git, or if it knows no such commits or
 * no such clone.
 */
int git_bisect(const char *dir, const char *good, const char *bad, char **next);

#endif
