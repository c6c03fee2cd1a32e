/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment as a whole: drift, order, outlying runs. */
#include "data/quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/quality_series.h"
#include "data/stats.h"

/* Runs that count and have a value above 0, in the order of the plan. */
struct rows {
	const struct run **run;
	double *y;     /* log of the value */
	double *place; /* 0 to 1 over the experiment */
	size_t *order; /* place within its block, from 0 */
	size_t n;
	size_t n_orders;
};

static bool run_counts(const struct run *run)
{
	return run->state == RUN_OK || run->state == RUN_MARKED;
}

/* How many runs of the same block come before it. */
static size_t order_of(const struct experiment *e, size_t i)
{
	size_t first = i;

	while (first && e->runs[first - 1].block == e->runs[i].block)
		first--;
	return i - first;
}

/*
 * The runs before it: of its shard, since shards run at the same time, or in
 * any order.
 */
static size_t place_of(const struct experiment *e, size_t i)
{
	size_t place = 0;

	for (size_t k = 0; k < i; k++)
		place += e->runs[k].part == e->runs[i].part;
	return place;
}

/* The largest place_of(), at least 1. */
static double last_place(const struct experiment *e)
{
	size_t last = 1;

	for (size_t i = 0; i < e->n_runs; i++) {
		size_t place = place_of(e, i);

		last = place > last ? place : last;
	}
	return (double)last;
}

static void rows_take(const struct experiment *e, const char *metric,
		      struct rows *r)
{
	double last = last_place(e);

	*r = (struct rows){
		.run = xcalloc(e->n_runs + 1, sizeof(const void *)),
		.y = xcalloc(e->n_runs + 1, sizeof(double)),
		.place = xcalloc(e->n_runs + 1, sizeof(double)),
		.order = xcalloc(e->n_runs + 1, sizeof(size_t)),
	};
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct value *v = run_value(&e->runs[i], metric);

		if (!run_counts(&e->runs[i]) || !v->is_there ||
		    !(v->number > 0))
			continue;
		r->run[r->n] = &e->runs[i];
		r->y[r->n] = log(v->number);
		r->place[r->n] = (double)place_of(e, i) / last;
		r->order[r->n] = order_of(e, i);
		if (r->order[r->n] >= r->n_orders)
			r->n_orders = r->order[r->n] + 1;
		r->n++;
	}
}

static void rows_free(struct rows *r)
{
	free(r->run);
	free(r->y);
	free(r->place);
	free(r->order);
}

static size_t arm_of(const struct run *run)
{
	return run->arm;
}

static size_t block_of(const struct run *run)
{
	return run->block;
}

static size_t part_of(const struct run *run)
{
	return run->part;
}

/* Take the mean of each group (arm, block, shard) off y. */
static void take_means(const struct rows *r, size_t n_groups,
		       size_t (*group)(const struct run *run), double *y)
{
	auto_free double *sums = xcalloc(n_groups + 1, sizeof(*sums));
	auto_free double *counts = xcalloc(n_groups + 1, sizeof(*counts));

	for (size_t i = 0; i < r->n; i++) {
		sums[group(r->run[i])] += y[i];
		counts[group(r->run[i])]++;
	}
	for (size_t i = 0; i < r->n; i++)
		y[i] -= sums[group(r->run[i])] / counts[group(r->run[i])];
}

static void find_drift(const struct experiment *e, const struct rows *r,
		       struct quality *out)
{
	auto_free double *y = xcalloc(r->n + 1, sizeof(*y));
	struct stats_slope slope;

	memcpy(y, r->y, r->n * sizeof(*y));
	take_means(r, e->n_arms, arm_of, y);
	if (e->n_parts)
		take_means(r, e->n_parts, part_of, y);
	slope = stats_slope(r->place, y, r->n);
	out->drift_pct = 100 * expm1(slope.slope);
	out->drift_p = slope.p;
}

/*
 * What is left after arm and block, by the place in the block. Arms and blocks
 * have used up their degrees of freedom.
 */
static void find_order(const struct experiment *e, const struct rows *r,
		       const double *left, struct quality *out)
{
	struct stats_anova a = stats_anova(left, r->order, r->n, r->n_orders);
	size_t used = e->n_arms + e->blocks + r->n_orders - 2;

	out->order_f = NAN;
	out->order_p = NAN;
	if (isnan(a.f) || r->n <= used)
		return;
	out->order_df[0] = a.df_between;
	out->order_df[1] = r->n - used;
	out->order_f = a.ss_between / (double)out->order_df[0] /
		       (a.ss_within / (double)out->order_df[1]);
	out->order_p = stats_f_p(out->order_f, (double)out->order_df[0],
				 (double)out->order_df[1]);
}

static void find_outliers(const struct rows *r, const double *left,
			  struct quality *out)
{
	enum { LEAST = 6 };
	auto_free double *off = xcalloc(r->n + 1, sizeof(*off));
	double median;
	double mad;

	if (r->n < LEAST)
		return;
	memcpy(off, left, r->n * sizeof(*off));
	median = stats_median(off, r->n);
	for (size_t i = 0; i < r->n; i++)
		off[i] = fabs(left[i] - median);
	mad = stats_median(off, r->n);
	for (size_t i = 0; i < r->n; i++) {
		double from = left[i] - median;

		/* 0.6745: MAD over deviation of a normal distribution. */
		if (!(mad > 0) || 0.6745 * fabs(from) / mad <= 3.5)
			continue;
		XGROW(out->outliers, out->n_outliers);
		out->outliers[out->n_outliers++] = (struct quality_outlier){
			.number = r->run[i]->number,
			.arm = r->run[i]->arm,
			.off_pct = 100 * expm1(from),
		};
	}
}

void quality_find(const struct experiment *e, const char *metric,
		  struct quality *out)
{
	auto_free double *left = NULL;
	struct rows r;

	*out = (struct quality){ .drift_p = NAN, .order_p = NAN };
	rows_take(e, metric, &r);
	out->n = r.n;
	left = xcalloc(r.n + 1, sizeof(*left));
	memcpy(left, r.y, r.n * sizeof(*left));
	take_means(&r, e->n_arms, arm_of, left);
	take_means(&r, e->blocks + 1, block_of, left);
	find_drift(e, &r, out);
	find_order(e, &r, left, out);
	find_outliers(&r, left, out);
	for (size_t i = 0; i < e->n_runs; i++)
		if (run_counts(&e->runs[i]))
			quality_add_series(&e->runs[i], out);
	if (out->n_series) {
		out->samples /= (double)out->n_series;
		out->effective /= (double)out->n_series;
	}
	rows_free(&r);
}

void quality_free(struct quality *q)
{
	free(q->outliers);
	*q = (struct quality){ 0 };
}
