/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts in tables: of `report` and of `compare`. */
#ifndef OUT_VERDICTS_H
#define OUT_VERDICTS_H

#include "data/stats/judge.h"
#include "out/table.h"

/* What is compared and what of it is to be shown. */
struct verdicts {
	const struct versus *list;
	size_t n;
	const struct judgements *judged;
	const struct metric **metrics; /* the primary one first */
	size_t n_metrics;
};

/* Is the baseline of all pairs the same arm? */
bool verdicts_one_base(const struct verdicts *v);
/* "T n", or "T n, new" where both sides are of other folders. free() it. */
char *verdicts_label(const struct verdicts *v, const struct versus *pair,
		     bool is_base);
/* The judgement of a pair on a metric: there is one for each that is shown. */
const struct judgement *verdicts_of(const struct verdicts *v, size_t pair,
				    size_t metric);

/*
 * The metrics that are shown unless others are asked for: the primary, then of
 * a list, then those that a folder brought along, as far as a pair has both
 * values. xcalloc()ed.
 */
const struct metric **verdicts_usual(const struct judgements *j,
				     const struct experiment *e, size_t *n);

/* The unit that a metric is printed in, and the mean of its values. */
const char *verdicts_unit(const struct metric *m);
void verdicts_mean_cell(struct table *t, const struct sample *s,
			const struct metric *m);

/* A column of metrics with unit, direction and rank, and its cells. */
void verdicts_metric_column(struct table *t);
void verdicts_metric_cell(struct table *t, const struct verdicts *v,
			  const struct metric *m);

/* Is the primary metric judged by Dunnett's method? */
bool verdicts_by_dunnett(const struct judgements *j);

/* How the changes and their intervals came about. */
void verdicts_note_estimate(const struct verdicts *v, struct table *t);

/* The tables; each is one that table_begin() was called for. */
void verdicts_table(const struct verdicts *v, struct table *t);
/* What inconclusive comparisons could have shown; without any, no rows. */
void verdicts_power(const struct verdicts *v, struct table *t);
/* The marks of other tools beside ours. */
void verdicts_rules(const struct verdicts *v, struct table *t);

/*
 * The table of diagnostics, part by part: its columns; drift, order, samples,
 * warm-up and outlying runs of an experiment, each named with a prefix
 * ("base: "); whether permutation, bootstrap
 * and others agree with the verdicts; what is to be known of it.
 */
void diagnostics_columns(struct table *t);
void diagnostics_rows(const struct experiment *e, const char *prefix,
		      struct table *t);
void verdicts_checks(const struct verdicts *v, struct table *t);
void diagnostics_note(const struct experiment *e, struct table *t);

/* The columns p and verdict, and their cells for an arm of e. */
void verdict_columns(struct table *t);
void verdict_cells(struct table *t, const struct judgements *j,
		   const struct experiment *e, size_t arm, const char *metric,
		   size_t n);
/* How p was corrected, the margin, and what to know of the verdicts. */
void note_verdicts(const struct judgements *j, struct table *t);

#endif
