/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hold a process still for the moment in which its threads are looked at. */
#ifndef BENCH_HALT_H
#define BENCH_HALT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/*
 * SIGSTOP, then wait until no thread of it runs, at most limit_ns. 0, or
 * silently: -ESRCH if it is gone, -EPERM, -ETIMEDOUT (it goes on again).
 */
int halt(const struct root *root, pid_t pid, uint64_t limit_ns);
void halt_end(pid_t pid); /* SIGCONT */

#endif
