/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a metric comes from the streams of a run. For data/summary.c. */
#ifndef DATA_RULE_H
#define DATA_RULE_H

#include "data/record.h"
#include "data/window.h"

struct rule;

/* Sets out->number and out->is_there, or out->why. */
typedef void rule_fn(const struct window *w, const struct rule *rule,
		     struct value *out);

/* One metric, how it is computed, and from which columns. */
struct rule {
	const char *metric;
	rule_fn *compute;
	const char *column;
	const char *other;
	double factor; /* from the columns' unit to the metric's, or a share */
};

/* --- samples.tsv --- */

rule_fn rule_mean;  /* of column over the ticks inside the window */
rule_fn rule_share; /* mean of column over mean of other */
rule_fn rule_last;  /* column at the last tick inside the window */
rule_fn rule_delta; /* of a counter, over the window */
rule_fn rule_run;   /* from the first tick that has it to the window's end */
rule_fn rule_run_without; /* the same of column less the same of other */
/*
 * Seconds from the start of the load until column first has this share
 * (factor) of its mean over the window.
 */
rule_fn rule_reach;

/* None: only totals.tsv has it; this says why if it has not. */
rule_fn rule_recorded;

/* A counter between two ticks. */
struct ticks_span {
	size_t from; /* rows of samples */
	size_t to;
	double delta;
};

/*
 * From the window's start, or from the run's first tick, to the window's end.
 * False with out->why set if it cannot be had.
 */
bool ticks_delta(const struct window *w, const char *column, bool is_whole_run,
		 struct value *out, struct ticks_span *span);

/* --- sysbench.tsv: lines that lie wholly inside the window --- */

rule_fn rule_rate;        /* sum of column over sum of other */
rule_fn rule_line_median; /* of column */
rule_fn rule_line_mean;   /* of column, weighted by other */
rule_fn rule_line_max;    /* of column */
rule_fn rule_line_sum;    /* of column, over all lines of the run */
/* Transactions per unit of a counter of samples.tsv. */
rule_fn rule_per_cpu;

/* --- counters: column and other are roles (data/counted.h) --- */

rule_fn rule_counted;        /* of column, over the window */
rule_fn rule_counted_share;  /* column over other, of one group */
rule_fn rule_counted_per_tx; /* of column, a transaction of the load */

#endif
