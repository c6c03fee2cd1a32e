/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the intervals, corrected p values and the power are worth: simulated
 * experiments, 50,000 a row, all drawn from seeds. A run's log is its arm's and
 * its block's level and noise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "data/stats/dunnett.h"
#include "data/stats/effect.h"
#include "data/stats/multiple.h"
#include "data/stats/power.h"
#include "data/stats/resample.h"

#include "near.h"

enum { EXPERIMENTS = 50000, MOST_BLOCKS = 20, MOST_ARMS = 4 };

/* Noise with mean 0 and deviation 1. */
enum noise {
	NORMAL,
	SKEWED,      /* gamma of shape 4: skewness 1, the long tail above */
	SKEWED_7,    /* gamma of shape 8: skewness 0.7 */
	EXPONENTIAL, /* skewness 2 */
};

static double draw(gsl_rng *rng, enum noise noise)
{
	static const double shapes[] = { 0, 4, 8, 1 };
	double shape = shapes[noise];

	if (noise == NORMAL)
		return gsl_ran_gaussian_ziggurat(rng, 1);
	return (gsl_ran_gamma(rng, shape, 1) - shape) / sqrt(shape);
}

struct row {
	enum noise noise;
	size_t blocks;
	double base; /* deviation of the baseline's runs; 0: all in the arm */
	double arm;
	double least; /* share that is to be covered */
	double most;
};

static void fill(gsl_rng *rng, const struct row *row, double truth, double *d)
{
	for (size_t b = 0; b < row->blocks; b++)
		d[b] = truth + row->arm * draw(rng, row->noise) -
		       (row->base > 0 ? row->base * draw(rng, row->noise) : 0);
}

static struct stats_interval student(const double *d, size_t n)
{
	struct effect e = effect_paired(d, n);

	return effect_interval(&e, 0.95);
}

static struct stats_interval johnson(const double *d, size_t n)
{
	return effect_johnson(d, n, 0.95);
}

static void coverage(const struct row *row,
		     struct stats_interval (*find)(const double *d, size_t n))
{
	const double truth = 0.0027;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t covered = 0;
	double share;

	gsl_rng_set(rng, 20261130);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		struct stats_interval i;
		double d[MOST_BLOCKS];

		fill(rng, row, truth, d);
		i = find(d, row->blocks);
		covered += i.low <= truth && truth <= i.high;
	}
	gsl_rng_free(rng);
	share = (double)covered / EXPERIMENTS;
	print_message("covered: %.2f %%\n", 100 * share);
	assert_true(share >= row->least && share <= row->most);
}

static void check_coverage(void **state)
{
	coverage(*state, student);
}

/* The cross-check for skew. */
static void check_johnson(void **state)
{
	coverage(*state, johnson);
}

/* Runs that share no block: the arm three times as noisy as its baseline. */
static void check_welch(void **state)
{
	const struct row *row = *state;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t covered = 0;
	double share;

	gsl_rng_set(rng, 7);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		double x[MOST_BLOCKS];
		double y[MOST_BLOCKS];
		struct stats_interval i;
		struct effect e;

		for (size_t b = 0; b < row->blocks; b++) {
			x[b] = row->base * draw(rng, row->noise);
			y[b] = row->arm * draw(rng, row->noise);
		}
		e = effect_welch(x, row->blocks, y, row->blocks);
		i = effect_interval(&e, 0.95);
		covered += i.low <= 0 && 0 <= i.high;
	}
	gsl_rng_free(rng);
	share = (double)covered / EXPERIMENTS;
	print_message("covered: %.2f %%\n", 100 * share);
	assert_true(share >= row->least && share <= row->most);
}

/*
 * Experiments in which nothing differs: how many find anything, with n_arms
 * arms against one baseline, after Holm's correction.
 */
static double false_positives(size_t n_arms, size_t blocks, enum noise noise)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t found = 0;

	gsl_rng_set(rng, 42);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		double base[MOST_BLOCKS];
		double d[MOST_BLOCKS];
		double p[MOST_ARMS];
		double least = 1;

		for (size_t b = 0; b < blocks; b++)
			base[b] = draw(rng, noise);
		for (size_t a = 0; a < n_arms; a++) {
			struct effect e;

			for (size_t b = 0; b < blocks; b++)
				d[b] = draw(rng, noise) - base[b];
			e = effect_paired(d, blocks);
			p[a] = effect_p(&e);
		}
		multiple_holm(p, n_arms);
		for (size_t a = 0; a < n_arms; a++)
			least = fmin(least, p[a]);
		found += least < 0.05;
	}
	gsl_rng_free(rng);
	print_message("false: %.2f %%\n", 100.0 * (double)found / EXPERIMENTS);
	return (double)found / EXPERIMENTS;
}

/*
 * The same by Dunnett's method. *covered: experiments in which the intervals
 * of all arms hold at once.
 */
static double false_by_dunnett(size_t n_arms, size_t blocks, enum noise noise,
			       double *covered)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double df = (double)n_arms * (double)(blocks - 1);
	double limit = dunnett_quantile(0.05, n_arms, df);
	size_t found = 0;
	size_t held = 0;

	gsl_rng_set(rng, 42);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		double y[(MOST_ARMS + 1) * MOST_BLOCKS];
		double most = 0;
		double se;

		/* A block's level is added to all of its arms. */
		for (size_t b = 0; b < blocks; b++) {
			double level = 3 * draw(rng, NORMAL);

			for (size_t a = 0; a <= n_arms; a++)
				y[a * blocks + b] = level + draw(rng, noise);
		}
		se = dunnett_se(y, n_arms + 1, blocks, &df);
		for (size_t a = 1; a <= n_arms; a++) {
			double d = 0;

			for (size_t b = 0; b < blocks; b++)
				d += y[a * blocks + b] - y[b];
			most = fmax(most, fabs(d) / (double)blocks / se);
		}
		held += most <= limit;
		/* Near the limit alone it makes a difference. */
		found += most > limit * 1.01 ||
			 (most > limit * 0.99 &&
			  dunnett_p(most, n_arms, df) < 0.05);
	}
	gsl_rng_free(rng);
	*covered = (double)held / EXPERIMENTS;
	print_message("by Dunnett: false %.2f %%, all covered %.2f %%\n",
		      100.0 * (double)found / EXPERIMENTS, 100 * *covered);
	return (double)found / EXPERIMENTS;
}

static void test_dunnett(void **state)
{
	double covered;

	(void)state;
	assert_near(false_by_dunnett(4, 5, NORMAL, &covered), 0.05, 0.005);
	assert_near(covered, 0.95, 0.005);
	assert_near(false_by_dunnett(4, 10, SKEWED, &covered), 0.05, 0.005);
}

static void test_false_positives(void **state)
{
	(void)state;
	assert_true(false_positives(4, 5, NORMAL) <= 0.05);
	assert_true(false_positives(4, 10, NORMAL) <= 0.05);
	assert_true(false_positives(4, 10, SKEWED) <= 0.05);
	/* One A/A arm alone is judged at 5 %. */
	assert_near(false_positives(1, 5, NORMAL), 0.05, 0.006);
}

/* An effect as large as theory says is found in 80 % of experiments. */
static void check_power(void **state)
{
	const struct row *row = *state;
	const double sd = hypot(row->base, row->arm);
	const double truth = power_paired_shows(sd, row->blocks, 0.05);
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t found = 0;

	gsl_rng_set(rng, 99);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		double d[MOST_BLOCKS];
		struct effect e;

		fill(rng, row, truth, d);
		e = effect_paired(d, row->blocks);
		found += effect_p(&e) < 0.05;
	}
	gsl_rng_free(rng);
	print_message("found: %.2f %%\n", 100.0 * (double)found / EXPERIMENTS);
	assert_near((double)found / EXPERIMENTS, 0.8, 0.02);
}

/* The sign flip keeps its level exactly where the noise is symmetric. */
static void test_sign_flip(void **state)
{
	static const struct row row = { EXPONENTIAL, 8, 1, 1, 0, 0 };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t found = 0;

	(void)state;
	gsl_rng_set(rng, 5);
	for (size_t k = 0; k < EXPERIMENTS; k++) {
		double d[MOST_BLOCKS];

		fill(rng, &row, 0, d);
		found += resample_sign_flip(d, row.blocks, 1) <= 0.05;
	}
	gsl_rng_free(rng);
	/* 12 of 256 ways is the largest level below 0.05. */
	assert_near((double)found / EXPERIMENTS, 12.0 / 256, 0.007);
}

#define SIMULATE(name, check, ...)                                             \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define COVERS(name, ...) SIMULATE(name, check_coverage, __VA_ARGS__)
#define JOHNSON(name, ...)                                                     \
	SIMULATE("Johnson, " name, check_johnson, __VA_ARGS__)

/*
 * The log ratio is the difference of two runs, whose skewness mostly cancels:
 * equal noise leaves none, an arm half as noisy again leaves a third. Student's
 * t then holds what it promises, and so it does where the log ratio itself has
 * a skewness of 0.7. Beyond that it does not, with few blocks: 93 % at a
 * skewness of 1, 88 to 90 % at 2. Johnson's interval, which the diagnostics
 * show where it disagrees, holds at 1 with 5 blocks and at 2 with 10, and is
 * half as wide again with 5. Of what else was tried (Hall's transformation,
 * bootstrap-t, BCa) nothing does better, and at a skewness of 2 nothing reaches
 * 94 % with 5.
 */
int main(void)
{
	const struct CMUnitTest tests[] = {
		COVERS("normal, 5 blocks", NORMAL, 5, 1, 1, 0.94, 0.96),
		COVERS("normal, 10 blocks", NORMAL, 10, 1, 1, 0.94, 0.96),
		COVERS("skewed runs, 5 blocks", SKEWED, 5, 1, 1, 0.94, 0.96),
		COVERS("skewed runs, 10 blocks", SKEWED, 10, 1, 1, 0.94, 0.96),
		COVERS("a noisier arm, 5 blocks", SKEWED, 5, 1, 1.5, 0.94,
		       0.96),
		COVERS("a noisier arm, 10 blocks", SKEWED, 10, 1, 1.5, 0.94,
		       0.96),
		COVERS("exponential and noisier, 5 blocks", EXPONENTIAL, 5, 1,
		       1.5, 0.94, 0.96),
		COVERS("exponential and noisier, 10 blocks", EXPONENTIAL, 10, 1,
		       1.5, 0.94, 0.96),
		COVERS("skewed log ratios, 5 blocks", SKEWED_7, 5, 0, 1, 0.94,
		       0.96),
		COVERS("skewed log ratios, 10 blocks", SKEWED_7, 10, 0, 1, 0.94,
		       0.96),
		COVERS("the limit, 5 blocks", EXPONENTIAL, 5, 0, 1, 0.87, 0.90),
		COVERS("the limit, 10 blocks", EXPONENTIAL, 10, 0, 1, 0.89,
		       0.92),
		COVERS("skewness 1, 5 blocks", SKEWED, 5, 0, 1, 0.92, 0.94),
		COVERS("skewness 1, 10 blocks", SKEWED, 10, 0, 1, 0.93, 0.95),
		JOHNSON("normal, 5 blocks", NORMAL, 5, 0, 1, 0.94, 0.96),
		JOHNSON("normal, 10 blocks", NORMAL, 10, 0, 1, 0.94, 0.96),
		JOHNSON("skewness 1, 5 blocks", SKEWED, 5, 0, 1, 0.935, 0.96),
		JOHNSON("skewness 1, 10 blocks", SKEWED, 10, 0, 1, 0.94, 0.96),
		JOHNSON("skewness 2, 5 blocks", EXPONENTIAL, 5, 0, 1, 0.92,
			0.94),
		JOHNSON("skewness 2, 10 blocks", EXPONENTIAL, 10, 0, 1, 0.94,
			0.96),
		SIMULATE("unblocked, 5 runs", check_welch, NORMAL, 5, 1, 3,
			 0.94, 0.96),
		SIMULATE("unblocked, 10 runs", check_welch, NORMAL, 10, 1, 3,
			 0.94, 0.96),
		cmocka_unit_test(test_false_positives),
		cmocka_unit_test(test_dunnett),
		SIMULATE("power, 5 blocks", check_power, NORMAL, 5, 1, 1, 0, 0),
		SIMULATE("power, 10 blocks", check_power, NORMAL, 10, 1, 1, 0,
			 0),
		SIMULATE("power, 20 blocks", check_power, NORMAL, 20, 1, 1, 0,
			 0),
		cmocka_unit_test(test_sign_flip),
	};

	return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
