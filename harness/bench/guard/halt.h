/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hold a process still for the moment in which its threads are looked at. */
#ifndef BENCH_HALT_H
#define BENCH_HALT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/*
 * SIGSTOP, then wait until no thread of it runs, at most limit_ns. 0; 1 if it
 * stood still already: somebody else lets it go on; or silently: -ESRCH if it
 * is gone, -EPERM, -ETIMEDOUT (it goes on again). journal_halted() goes before
 * it where the process is not ours.
 */
int halt(const struct root *root, pid_t pid, uint64_t limit_ns);
bool halt_is_still(const struct root *root, pid_t pid); /* does it so now? */
void halt_end(pid_t pid);                               /* SIGCONT */

#endif
