/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be wrong with runs, by their numbers alone. Diagnostics: they name,
 * and never drop a run nor move a window.
 */
#ifndef DATA_QUALITY_H
#define DATA_QUALITY_H

#include <stdbool.h>
#include <stddef.h>

#include "data/record.h"

/* --- a series of one run --- */

/*
 * Of how many independent samples a mean of n correlated ones is worth:
 * Geyer's initial positive sequence (1992, Stat. Sci. 7:473). At most n; NAN
 * for n < 4, n if all are equal.
 */
double quality_effective_n(const double *x, size_t n);

/*
 * MSER-5 (White 1997, Simulation 69:323): how many of the first samples, in
 * fives, to leave out for the mean's standard error to be least. n if the best
 * cut lies in the second half, where the method finds no steady state. 0 for
 * n < 20.
 */
size_t quality_mser5(const double *x, size_t n);

/* --- an experiment, by one metric --- */

struct quality_outlier {
	unsigned int number; /* of the run */
	size_t arm;
	double off_pct; /* from what its arm and block lead to expect */
};

struct quality {
	size_t n; /* runs with a value above 0 */
	/*
	 * Drift: least squares of the blocks' means of the logs, less their
	 * arm's mean, over the order of the runs, as a change from first to
	 * last run; in shards less their shard's mean too, over the order
	 * within each. NAN: fewer than three blocks, or imported runs, whose
	 * order nobody knows.
	 */
	double drift_pct;
	double drift_p;
	/*
	 * Order: does the place within a block matter, beside arm and block?
	 * F of two fits; NAN: cannot tell.
	 */
	double order_f;
	double order_p;
	size_t order_df[2];
	/*
	 * Samples of the load in the window: how many a run has, and how many
	 * independent ones they are worth, both as means over the runs.
	 */
	double samples;
	double effective;
	size_t n_series; /* runs with samples */
	/*
	 * Of those with at least 20: whose window MSER-5 would begin later,
	 * and by how much at most.
	 */
	size_t n_long;
	size_t n_cold;
	double coldest_s;
	/* Robust z beyond 3.5 (Iglewicz & Hoaglin 1993), from 6 runs on. */
	struct quality_outlier *outliers;
	size_t n_outliers;
};

void quality_find(const struct experiment *e, const char *metric,
		  struct quality *out);
void quality_free(struct quality *q);

#endif
