/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an experiment, made from its configuration and plan. */
#ifndef BENCH_EXPERIMENT_H
#define BENCH_EXPERIMENT_H

#include "base/root.h"
#include "bench/config/config.h"
#include "bench/run/plan.h"
#include "bench/server/server.h"
#include "data/record.h"

/*
 * Fill a record: title, configuration, arms, plan, facts of the host and of
 * the programs. program is NULL where no server is used. dir is copied; the
 * folder is not touched. experiment_free() it.
 */
void experiment_make(const struct root *root, const struct config *config,
		     const struct plan *plan,
		     const struct server_program *program, const char *dir,
		     struct experiment *out);

/*
 * It is this shard of its experiment, in a folder of that: it is named so,
 * "NAME/shard-2-of-3".
 */
void experiment_note_shard(const struct shard *shard, struct experiment *e);

/*
 * Make its result folder; or find what is there already to go on with: made by
 * the same configuration, plan, guests' kernels and host, whose kernel may not
 * be another one either. 0, or -errno (printed).
 */
int experiment_open(struct experiment *e, bool resumes);

/*
 * "results/quick-20261130-120501" for configs/quick.conf, from the wall
 * clock. free() it.
 */
char *experiment_default_dir(const char *config_path);

#endif
