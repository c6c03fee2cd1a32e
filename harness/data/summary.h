/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the records of a run to its metrics, and from runs to arms. */
#ifndef DATA_SUMMARY_H
#define DATA_SUMMARY_H

#include "data/metric.h"
#include "data/record.h"

/*
 * Fill run->values: what totals.tsv had stays; the rest is computed from
 * events, samples and the load's lines inside the window. A metric that
 * cannot be had gets its reason.
 */
void summary_fill(struct run *run);

/* The runs of one arm that count (RUN_OK, RUN_MARKED), reduced. */
struct arm_summary {
	size_t n; /* runs with a value */
	double mean;
	double stddev; /* n - 1; NAN for n < 2 */
	double least;
	double most;
	const char *why; /* n == 0: the first run's reason, not owned */
};

struct arm_summary summary_arm(const struct experiment *e, size_t arm,
			       const char *metric);

/*
 * An arm against the baseline, paired by block (statistics.md): ratio =
 * exp(mean d), d = ln(arm / baseline), interval exp(mean d +- t(.975, B-1)
 * s_d / sqrt(B)). Imported runs share no blocks: Welch's interval of the
 * difference of their mean logs. low and high are NAN where n < 2.
 */
struct comparison {
	size_t n; /* blocks in which both have a value; imported: the runs of
		   * the smaller arm. 0 if a value is not above 0 */
	double ratio;
	double low;
	double high;
};

struct comparison summary_compare(const struct experiment *e, size_t arm,
				  const char *metric);

/* The roles of counters that a metric comes from, or NULLs (data/counted.h). */
void summary_roles(const char *metric, const char *roles[2]);

#endif
