/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of an experiment in their order. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench/config/config.h"
#include "data/shard.h"
#include "kern/damon.h"

struct planned {
	unsigned int number; /* from 1 */
	unsigned int block;  /* from 1 */
	size_t arm;
};

struct plan {
	struct planned *runs;
	size_t n;
};

/*
 * Randomised complete blocks: each block holds every arm once, in an order
 * drawn from the seed (GSL's mt19937, gsl_ran_shuffle). The same seed, blocks
 * and number of arms give the same plan on every machine.
 */
void plan_make(unsigned int blocks, size_t n_arms, uint64_t seed,
	       struct plan *out);
/* Keep the blocks of a shard; runs keep their numbers. */
void plan_keep_shard(struct plan *plan, const struct shard *shard);
void plan_free(struct plan *plan);

/* How long a run takes at the least and at the most, phases only. */
uint64_t plan_run_least_ns(const struct config *c);
uint64_t plan_run_most_ns(const struct config *c);

/* A kernel file that a run writes before its server starts. */
struct plan_write {
	char *path;
	char *value; /* NULL: what it held first, if it has changed since */
	bool if_on;  /* only where it is there, and on */
};

struct plan_writes {
	struct plan_write *list;
	size_t n;
};

/*
 * What a run of an arm writes, in order, as settings_apply() and
 * settings_freshen() do: files that other arms set and this one does not, and
 * vm.min_free_kbytes, go back to their first values; the kernel's own users of
 * DAMON are off. Nothing is looked at.
 */
void plan_writes(const struct config *config, size_t arm,
		 struct plan_writes *out);
void plan_writes_free(struct plan_writes *writes);

/*
 * What DAMON is told when the arm's settling starts, as damos_start() does,
 * and when its run ends; nothing for an arm without a scheme. PID, N, START
 * and END stand for what only a run knows. Nothing is looked at.
 */
void plan_scheme(const struct config *config, size_t arm,
		 struct damon_writes *start, struct damon_writes *stop);

#endif
