/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment as a whole: drift, order, outlying runs. */
#include "data/stats/quality.h"

#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/stats/quality_series.h"
#include "data/stats/stats.h"

/* Runs that count and have a value above 0, in the order of the plan. */
struct rows {
	const struct run **run;
	double *y;     /* log of the value */
	double *place; /* 0 to 1 over the experiment */
	size_t *order; /* place within its block, from 0 */
	size_t n;
	size_t n_orders;
	size_t n_blocks; /* from 0, so one more than there are */
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
		.n_blocks = e->blocks + 1,
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

/* How many groups have a row. */
static size_t count_groups(const struct rows *r, size_t n_groups,
			   size_t (*group)(const struct run *run))
{
	auto_free bool *is_there = xcalloc(n_groups + 1, sizeof(*is_there));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		n += !is_there[group(r->run[i])];
		is_there[group(r->run[i])] = true;
	}
	return n;
}

/* Means by block of what take_means() left; returns how many. */
static size_t block_means(const struct rows *r, const double *y, double *out)
{
	auto_free double *sums = xcalloc(r->n_blocks, sizeof(*sums));
	auto_free double *counts = xcalloc(r->n_blocks, sizeof(*counts));
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		sums[r->run[i]->block] += y[i];
		counts[r->run[i]->block]++;
	}
	for (size_t b = 0; b < r->n_blocks; b++)
		if (counts[b] > 0)
			out[n++] = sums[b] / counts[b];
	return n;
}

/*
 * The unit is the block: its runs share what the machine was like, and taken
 * one by one they would call every other sound experiment a drift.
 */
static void find_drift(const struct experiment *e, const struct rows *r,
		       struct quality *out)
{
	auto_free double *y = xcalloc(r->n + 1, sizeof(*y));
	auto_free double *x = xcalloc(r->n + 1, sizeof(*x));
	auto_free double *block_y = xcalloc(r->n_blocks, sizeof(*y));
	auto_free double *block_x = xcalloc(r->n_blocks, sizeof(*x));
	size_t n_parts = e->n_parts ? count_groups(r, e->n_parts, part_of) : 1;
	struct stats_slope slope;
	size_t n;

	memcpy(y, r->y, r->n * sizeof(*y));
	memcpy(x, r->place, r->n * sizeof(*x));
	take_means(r, e->n_arms, arm_of, y);
	take_means(r, e->n_arms, arm_of, x);
	if (e->n_parts) {
		take_means(r, e->n_parts, part_of, y);
		take_means(r, e->n_parts, part_of, x);
	}
	n = block_means(r, y, block_y);
	block_means(r, x, block_x);
	slope = stats_slope(block_x, block_y, n);
	if (n < n_parts + 2 || isnan(slope.se))
		return;
	/* Of equal figures rounding is left, which is no drift. */
	if (fabs(slope.slope) < 1e-12)
		slope.slope = 0;
	/* Each shard has used up a degree of freedom of its own. */
	slope.se *= sqrt((double)(n - 2) / (double)(n - 1 - n_parts));
	out->drift_pct = 100 * expm1(slope.slope);
	out->drift_p =
		stats_t_p(slope.slope, slope.se, (double)(n - 1 - n_parts));
}

/* --- the place in the block --- */

/* Columns of ones where a run is in a group, the first group left out. */
static void add_factor(gsl_matrix *x, size_t first, const struct rows *r,
		       const size_t *group, size_t n_groups)
{
	auto_free double *ones = xcalloc(r->n + 1, sizeof(*ones));

	for (size_t g = 1; g < n_groups; g++) {
		for (size_t i = 0; i < r->n; i++)
			ones[i] = group[i] == g;
		/* Blocks are a factor too: this takes them off each other. */
		take_means(r, r->n_blocks, block_of, ones);
		for (size_t i = 0; i < r->n; i++)
			gsl_matrix_set(x, i, first + g - 1, ones[i]);
	}
}

/* What the first n columns leave of y as squares; *rank is theirs. */
static double fit(gsl_matrix *all, size_t n, const double *y, size_t *rank)
{
	gsl_matrix_view x = gsl_matrix_submatrix(all, 0, 0, all->size1, n);
	gsl_vector_const_view v = gsl_vector_const_view_array(y, all->size1);
	gsl_multifit_linear_workspace *work =
		gsl_multifit_linear_alloc(all->size1, n);
	gsl_vector *c = gsl_vector_alloc(n);
	gsl_matrix *cov = gsl_matrix_alloc(n, n);
	double squares;

	gsl_multifit_linear_tsvd(&x.matrix, &v.vector, 1e-9, c, cov, &squares,
				 rank, work);
	gsl_multifit_linear_free(work);
	gsl_vector_free(c);
	gsl_matrix_free(cov);
	return squares;
}

/* Of least squares by arm and block: how much less is left by place as well. */
static void find_order(const struct experiment *e, const struct rows *r,
		       struct quality *out)
{
	size_t n_arms = e->n_arms - 1;
	size_t n_columns = n_arms + r->n_orders - 1;
	size_t blocks = count_groups(r, r->n_blocks, block_of);
	auto_free double *y = xcalloc(r->n + 1, sizeof(*y));
	auto_free size_t *arm = xcalloc(r->n + 1, sizeof(*arm));
	size_t rank[2];
	double left[2];
	gsl_matrix *x;

	if (r->n_orders < 2 || !n_arms || r->n <= n_columns + blocks)
		return;
	memcpy(y, r->y, r->n * sizeof(*y));
	take_means(r, r->n_blocks, block_of, y);
	for (size_t i = 0; i < r->n; i++)
		arm[i] = r->run[i]->arm;
	x = gsl_matrix_calloc(r->n, n_columns);
	add_factor(x, 0, r, arm, e->n_arms);
	add_factor(x, n_arms, r, r->order, r->n_orders);
	left[0] = fit(x, n_arms, y, &rank[0]);
	left[1] = fit(x, n_columns, y, &rank[1]);
	gsl_matrix_free(x);
	/* The place may be the arm's by chance; nothing may be left. */
	if (rank[1] <= rank[0] || !(left[1] > 1e-24 * (double)r->n))
		return;
	out->order_df[0] = rank[1] - rank[0];
	out->order_df[1] = r->n - blocks - rank[1];
	out->order_f = (left[0] - left[1]) / (double)out->order_df[0] /
		       (left[1] / (double)out->order_df[1]);
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

	*out = (struct quality){ .drift_p = NAN,
				 .order_p = NAN,
				 .order_f = NAN };
	rows_take(e, metric, &r);
	out->n = r.n;
	left = xcalloc(r.n + 1, sizeof(*left));
	memcpy(left, r.y, r.n * sizeof(*left));
	take_means(&r, e->n_arms, arm_of, left);
	/* Imported runs have neither an order in common nor blocks. */
	if (!extra_is_imported(e)) {
		take_means(&r, r.n_blocks, block_of, left);
		find_drift(e, &r, out);
		find_order(e, &r, out);
	}
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
