/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables with a row an arm and a column a metric. */
#ifndef OUT_ARMS_H
#define OUT_ARMS_H

#include "out/figure.h"

struct arms_column {
	const char *metric;
	const char *title; /* NULL: the metric's */
	const char *unit;  /* NULL: that of figure or metric */
	enum figure figure;
};

/*
 * The label and n columns; rows with the mean over the counted runs; notes on
 * n, window, estimator, direction, values that are missing in some runs.
 */
void arms_table(const struct experiment *e, struct table *t,
		const struct arms_column *columns, size_t n);
/* The same, but no row for an arm that has nothing in the first column. */
void arms_table_some(const struct experiment *e, struct table *t,
		     const struct arms_column *columns, size_t n);

#endif
