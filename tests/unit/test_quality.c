/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics: what was put in is found, and nothing where there is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "data/column.h"
#include "data/stats/quality.h"
#include "data/series.h"

#include "figures.h"
#include "near.h"

enum { SAMPLES = 3000, BLOCKS = 6, ARMS = 3 };

/* An autoregressive series of this lag-1 correlation. */
static void correlated(double r, double *x)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	x[0] = 0;
	for (size_t i = 1; i < SAMPLES; i++)
		x[i] = r * x[i - 1] + gsl_ran_gaussian_ziggurat(rng, 1);
	gsl_rng_free(rng);
}

/* n_eff = n (1 - r) / (1 + r). */
static void test_effective(void **state)
{
	double x[SAMPLES];

	(void)state;
	correlated(0.7, x);
	assert_near(quality_effective_n(x, SAMPLES) / SAMPLES, 0.3 / 1.7, 0.03);
	correlated(0, x);
	assert_near(quality_effective_n(x, SAMPLES) / SAMPLES, 1, 0.08);
	for (size_t i = 0; i < 10; i++)
		x[i] = 5;
	assert_near(quality_effective_n(x, 10), 10, 0);
	assert_true(isnan(quality_effective_n(x, 3)));
}

static void test_mser(void **state)
{
	double x[SAMPLES];
	size_t cut;

	(void)state;
	correlated(0, x);
	cut = quality_mser5(x, 300);
	assert_true(cut <= 60);
	/* A ramp over the first 50. */
	for (size_t i = 0; i < 50; i++)
		x[i] -= (double)(50 - i);
	cut = quality_mser5(x, 300);
	assert_in_range(cut, 40, 70);
	/* Still rising at the end: no steady state. */
	for (size_t i = 0; i < 300; i++)
		x[i] = (double)(i * i);
	assert_int_equal(quality_mser5(x, 300), 300);
	assert_int_equal(quality_mser5(x, 19), 0);
}

/* Arms 10 % apart, blocks that wander, noise of 0.3 %. */
static void make(struct experiment *e, double drift, double first,
		 double outlier)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	figures_make(e, ARMS, BLOCKS);
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];
		struct value *v = &run->values[metric_find("tps") - metrics];
		/* Another order in each block. */
		size_t place = i % ARMS;

		run->arm = (place + i / ARMS) % ARMS;
		v->is_there = true;
		v->number = 1000 * (1 + 0.1 * (double)run->arm) *
			    (1 + 0.01 * (run->block % 2)) *
			    (1 + gsl_ran_gaussian(rng, 0.003)) *
			    (1 + drift * (double)i / (ARMS * BLOCKS - 1));
		if (place == 0)
			v->number *= 1 + first;
		if (i == 7)
			v->number *= 1 + outlier;
	}
	gsl_rng_free(rng);
}

static void test_sound(void **state)
{
	struct experiment e;
	struct quality q;

	(void)state;
	make(&e, 0, 0, 0);
	quality_find(&e, "tps", &q);
	assert_int_equal(q.n, ARMS * BLOCKS);
	assert_true(q.drift_p > 0.05 && q.order_p > 0.05);
	assert_int_equal(q.order_df[0], 2);
	/* 18 values less the mean, 2 arms, 5 blocks, 2 places. */
	assert_int_equal(q.order_df[1], 8);
	assert_int_equal(q.n_outliers, 0);
	assert_int_equal(q.n_series, 0);
	quality_free(&q);
	experiment_free(&e);
}

static void test_drift(void **state)
{
	struct experiment e;
	struct quality q;

	(void)state;
	make(&e, 0.05, 0, 0);
	quality_find(&e, "tps", &q);
	assert_true(q.drift_p < 0.01);
	assert_near(q.drift_pct, 5, 1.2);
	quality_free(&q);
	experiment_free(&e);
}

/* How many of a thousand sound experiments a doubt is cast on. */
struct doubted {
	size_t drift;
	size_t order;
};

/*
 * Sound experiments: arms apart, blocks that differ twice as much as runs do,
 * arms in an order drawn for each block.
 */
static struct doubted count_doubted(size_t n_arms, unsigned int n_blocks)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct doubted out = { 0 };

	for (size_t k = 0; k < 1000; k++) {
		struct experiment e;
		struct quality q;
		double block = 0;
		unsigned int arms[4] = { 0, 1, 2, 3 };

		figures_make(&e, n_arms, n_blocks);
		for (size_t i = 0; i < e.n_runs; i++) {
			struct run *run = &e.runs[i];
			struct value *v =
				&run->values[metric_find("tps") - metrics];

			if (i % n_arms == 0) {
				block = gsl_ran_gaussian(rng, 0.02);
				gsl_ran_shuffle(rng, arms, n_arms,
						sizeof(*arms));
			}
			run->arm = arms[i % n_arms];
			v->is_there = true;
			v->number = exp(7 + 0.1 * (double)run->arm + block +
					gsl_ran_gaussian(rng, 0.01));
		}
		quality_find(&e, "tps", &q);
		out.drift += q.drift_p < 0.05;
		out.order += q.order_p < 0.05;
		quality_free(&q);
		experiment_free(&e);
	}
	gsl_rng_free(rng);
	return out;
}

/* "One in twenty sound experiments shows each." */
static void test_level(void **state)
{
	static const unsigned int sizes[][2] = { { 4, 5 },
						 { 3, 4 },
						 { 2, 10 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct doubted d = count_doubted(sizes[i][0], sizes[i][1]);

		assert_in_range(d.drift, 30, 70);
		assert_in_range(d.order, 30, 70);
	}
}

static void test_no_drift(void **state)
{
	struct experiment e;
	struct quality q;

	(void)state;
	/* Two blocks show no drift: whatever differs is a line. */
	figures_make(&e, 2, 2);
	for (size_t i = 0; i < e.n_runs; i++) {
		struct value *v =
			&e.runs[i].values[metric_find("tps") - metrics];

		v->is_there = true;
		v->number = 100 + (double)i;
	}
	quality_find(&e, "tps", &q);
	assert_true(isnan(q.drift_p));
	assert_int_equal(q.n, 4);
	quality_free(&q);
	/* Nor do figures that are equal but for rounding. */
	experiment_free(&e);
	figures_make(&e, 3, 5);
	for (size_t i = 0; i < e.n_runs; i++) {
		struct value *v =
			&e.runs[i].values[metric_find("tps") - metrics];

		v->is_there = true;
		v->number = i % 4 ? 0.3 : 0.1 + 0.2;
	}
	quality_find(&e, "tps", &q);
	assert_near(q.drift_p, 1, 0);
	quality_free(&q);
	/* Nor do runs that somebody else made, in whatever order. */
	experiment_free(&e);
	make(&e, 0.05, 0.03, 0);
	facts_set(&e.workload, "imported", "csv, 1 file");
	quality_find(&e, "tps", &q);
	assert_true(isnan(q.drift_p) && isnan(q.order_p));
	quality_free(&q);
	experiment_free(&e);
}

/* The first run of a block is 3 % faster, whichever arm it is. */
static void test_order(void **state)
{
	struct experiment e;
	struct quality q;

	(void)state;
	make(&e, 0, 0.03, 0);
	quality_find(&e, "tps", &q);
	assert_true(q.order_p < 0.001);
	quality_free(&q);
	experiment_free(&e);
}

static void test_outlier(void **state)
{
	struct experiment e;
	struct quality q;

	(void)state;
	make(&e, 0, 0, -0.08);
	quality_find(&e, "tps", &q);
	assert_true(q.n_outliers >= 1);
	assert_int_equal(q.outliers[0].number, 8);
	assert_int_equal(q.outliers[0].arm, e.runs[7].arm);
	assert_true(q.outliers[0].off_pct < -3);
	/* It counts as before. */
	assert_int_equal(q.n, ARMS * BLOCKS);
	quality_free(&q);
	experiment_free(&e);
}

/* One run, nothing to compare, a window of 30 seconds that begins too early. */
static void test_series(void **state)
{
	auto_str struct str text = { 0 };
	struct experiment e;
	struct quality q;

	(void)state;
	figures_make(&e, 1, 1);
	e.runs[0].measure_start_s = 10;
	e.runs[0].measure_end_s = 50;
	str_add(&text, "t_s\tinterval_s\ttransactions\n");
	for (int i = 1; i <= 60; i++)
		str_addf(&text, "%d\t1\t%d\n", i,
			 (i < 20 ? 500 : 1000) + (i * 7) % 5);
	assert_int_equal(series_parse(text.text, text.len, &e.runs[0].load), 0);
	quality_find(&e, "tps", &q);
	assert_int_equal(q.n_series, 1);
	assert_int_equal(q.n_long, 1);
	assert_near(q.samples, 40, 0);
	assert_true(q.effective < 20);
	assert_int_equal(q.n_cold, 1);
	assert_near(q.coldest_s, 10, 5);
	assert_true(isnan(q.drift_p) && isnan(q.order_p));
	quality_free(&q);
	experiment_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_effective),
		cmocka_unit_test(test_mser),
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_level),
		cmocka_unit_test(test_no_drift),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_series),
	};

	return cmocka_run_group_tests_name("quality", tests, NULL, NULL);
}
