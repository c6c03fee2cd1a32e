/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shards of an experiment (data/shard.h) as one. Blocks stay whole, so that
 * each difference of arms is one within a block and therefore within a host:
 * hosts are what blocks lie in, and are never pooled without a word.
 */
#ifndef DATA_MERGE_H
#define DATA_MERGE_H

#include <stddef.h>

#include "data/record.h"

/*
 * Put shards (n >= 1, each as store_load_experiment() reads it) together, in
 * any order: the runs in the plan's order, each with its part; parts by their
 * index; the hosts in the order of the parts; n_planned of the whole plan.
 * What the first host or server has and another has otherwise, and shards that
 * are missing, are added to marks. The rest is that of the first part. dir: of
 * the whole, for messages.
 *
 * The shards are emptied if it returns 0; experiment_free(out). -EINVAL: they
 * are not parts of one experiment, or one is there twice; *why is a sentence
 * with the folders' names (free() it).
 */
int merge_shards(struct experiment *shards, size_t n, const char *dir,
		 struct experiment *out, char **why);

/* The host that a run was on: its name; NULL where nothing was merged. */
const char *merge_host(const struct experiment *e, const struct run *run);

/* "n1 (shards 1, 3), n2 (shard 2)". free() it. */
char *merge_hosts_text(const struct experiment *e);

#endif
