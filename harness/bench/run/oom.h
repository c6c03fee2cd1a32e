/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Was memory full while a run went on? Then that may be why it failed. */
#ifndef BENCH_OOM_H
#define BENCH_OOM_H

#include <stdint.h>

#include "base/root.h"

/*
 * Takes a reason, and returns it with what this machine's kernel has killed
 * since it had killed before (host_oom_kills()) behind it, if anything. help:
 * what to do then; NULL: nothing is said. free() it.
 */
char *oom_reason(const struct root *root, uint64_t before, char *reason,
		 const char *help);

#endif
