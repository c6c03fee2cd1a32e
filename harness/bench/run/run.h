/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An experiment from its configuration to its result folder. Read
 * run_experiment(), then run_one() in run_one.c: the program is told there in
 * order.
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <stdbool.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "data/shard.h"

struct run_options {
	const char *out_dir; /* NULL: results/<configuration>-<time> */
	bool resume;         /* go on with out_dir */
	const char *kernel;  /* instead of [experiment] kernel; NULL */
	struct shard shard;  /* in out_dir/shard-2-of-3; of 0: all, out_dir */
	bool waits;          /* while another run is going on here */
};

/*
 * Run the whole plan under guard (guard.h): each run with its settings, a
 * fresh server, load, settle, measure; on the host, or in a guest where its
 * arm names another kernel (guest_run.h). A run that fails is tried once more
 * in its place; the experiment goes on without it if it fails again. *dir gets
 * the result folder (free() it), NULL if there is none.
 *
 * Returns an exit status: STATUS_OK if every planned run counts,
 * STATUS_INVALID if one does not, 128 + N after signal N, or a sysexit if
 * nothing could be run (printed; nothing changed).
 */
int run_experiment(const struct root *root, struct config *config,
		   const struct run_options *options, char **dir);

#endif
