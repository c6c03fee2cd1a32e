/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can this machine do what the arms ask of its kernel files? */
#ifndef BENCH_KNOBCHECK_H
#define BENCH_KNOBCHECK_H

#include "base/root.h"
#include "bench/config/config.h"

/*
 * Look at every kernel file that the arms name, without writing. The first
 * fault is printed, "file:line: arm ...", with what would be right:
 * -EBADMSG: there is no such file, but one of nearly that name, or the file
 * does not take the value (not one of its words, not a number); -ENOTSUP:
 * this kernel has no such file; -EPERM: it is DAMON's; -EACCES,
 * -EROFS: it may not be written. Faults of the configuration come before
 * those of permission.
 */
int knobcheck_arms(const struct root *root, const struct config *config);

/* The path as a person would type it: "/sys/...", "DIR/sys/...". free() it. */
char *knobcheck_name(const struct root *root, const char *path);

#endif
