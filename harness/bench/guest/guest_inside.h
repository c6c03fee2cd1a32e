/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side of a guest: do what it was booted for, and send records of it. */
#ifndef BENCH_GUEST_INSIDE_H
#define BENCH_GUEST_INSIDE_H

#include "base/root.h"

/*
 * mode: "exec", the command in /thpbench/argv; "run", the run that the
 * kernel's command line names. Records go to fd, to the last. Returns an exit
 * status, for the console only.
 */
int guest_inside(const struct root *root, const char *mode, int fd);

/*
 * The run: its records but for hello, and the last with its state and reason
 * too. 0 or -errno, printed.
 */
int guest_inside_run(const struct root *root, int fd);

#endif
