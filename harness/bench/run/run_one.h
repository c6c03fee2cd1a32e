/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: start, load, settle, measure, stop. */
#ifndef BENCH_RUN_ONE_H
#define BENCH_RUN_ONE_H

#include "bench/collect/collect.h"
#include "bench/config/config.h"
#include "bench/guard/journal.h"
#include "bench/load/load.h"
#include "bench/server/prepared.h"
#include "bench/run/progress.h"
#include "bench/guard/settings.h"

/* What all runs of an experiment share. */
struct run_shared {
	const struct root *root;
	const struct config *config;
	const struct experiment *experiment; /* its record */
	struct journal *journal;
	struct settings settings;
	struct progress *progress;
	struct server_program program; /* of a sysbench workload */
	struct prepared prepared;
	char *data_dir; /* a copy that may be used again; NULL: none */
	/* proc_start_time() of the process that is attached to; 0: not yet */
	uint64_t attached_start;
	bool is_guest; /* this is one: its host tells of full memory */
};

/*
 * Do one planned run and write its folder. run has number, block, arm and
 * attempt; its state and reason are set. Returns 0 if it came to an end,
 * whatever its state; -EINTR if the user asked to stop (the run is then
 * RUN_FAILED, "interrupted"); another -errno if the result folder cannot be
 * written.
 */
int run_one(struct run_shared *shared, struct run *run);

#endif
