/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an arm without DAMON does to the server when settling starts. */
#ifndef BENCH_ACTION_H
#define BENCH_ACTION_H

#include <sys/types.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "data/store.h"

struct action_job {
	const struct root *root;
	const struct arm *arm;
	pid_t pid; /* 0: there is none, and nothing is done */
	struct store_run *store;
	uint64_t zero_ns; /* clock_ns() of the run's 0 */
	/*
	 * Asked between two steps, for what is due meanwhile: it may take many
	 * seconds. Not 0 ends it: -errno, printed.
	 */
	int (*look)(void *arg);
	void *arg;
};

/*
 * Do the arm's action on the process. For madvise-collapse each mapping with
 * room for a huge page is collapsed step by step and an event "collapse" is
 * stored for it: how many ranges were collapsed, empty, busy, refused and
 * why, how long it took. Returns 0, also where the kernel refused ranges
 * (*mark, free() it, says so if nothing at all was collapsed), or -errno
 * (printed).
 */
int action_start(const struct action_job *job, char **mark);

#endif
