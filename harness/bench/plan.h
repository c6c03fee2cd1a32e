/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of an experiment in their order. */
#ifndef BENCH_PLAN_H
#define BENCH_PLAN_H

#include "bench/config.h"

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
void plan_free(struct plan *plan);

/* Seconds a run takes at the least and at the most, phases only. */
uint64_t plan_run_least_ns(const struct workload_config *w);
uint64_t plan_run_most_ns(const struct workload_config *w);

#endif
