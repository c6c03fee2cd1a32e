/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects, their power, and what checks them: values worked out elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/stats/effect.h"
#include "data/stats/fieller.h"
#include "data/stats/multiple.h"
#include "data/stats/power.h"
#include "data/stats/resample.h"

#include "near.h"

/* The published pairs, one figure an arm: the ratio alone. */
static void test_published(void **state)
{
	static const struct {
		double base;
		double arm;
		const char *text;
	} rows[] = {
		{ 18162.45, 18211.82, "+0.27" }, /* autotuning, RFC v3 */
		{ 18324.57, 18452.69, "+0.70" }, /* collapse v1: T m, D h */
		{ 18324.57, 18432.17, "+0.59" }, /* collapse v1: T n, D c */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		double d = log(rows[i].arm) - log(rows[i].base);
		struct effect e = effect_paired(&d, 1);
		char text[16];

		snprintf(text, sizeof(text), "%+.2f", 100 * expm1(e.d));
		assert_string_equal(text, rows[i].text);
		/* One figure an arm has no interval, and no p. */
		assert_true(isnan(e.se) && isnan(effect_p(&e)));
	}
}

/*
 * Student's data on sleep (1908): 10 patients, two drugs. R 4: t.test(paired)
 * t = -4.0621, df = 9, p = 0.002833, -2.4598858 to -0.7001142; Welch
 * t = -1.8608, df = 17.776, p = 0.07939.
 */
static const double sleep_1[] = { 0.7, -1.6, -0.2, -1.2, -0.1,
				  3.4, 3.7,  0.8,  0.0,  2.0 };
static const double sleep_2[] = { 1.9, 0.8, 1.1, 0.1, -0.1,
				  4.4, 5.5, 1.6, 4.6, 3.4 };

static void test_sleep(void **state)
{
	struct effect e;
	struct stats_interval i;
	double d[10];

	(void)state;
	for (size_t k = 0; k < 10; k++)
		d[k] = sleep_1[k] - sleep_2[k];
	e = effect_paired(d, 10);
	i = effect_interval(&e, 0.95);
	assert_near(e.d, -1.58, 1e-12);
	assert_near(e.d / e.se, -4.0621, 1e-4);
	assert_near(effect_p(&e), 0.002833, 1e-6);
	assert_near(i.low, -2.4598858, 1e-6);
	assert_near(i.high, -0.7001142, 1e-6);
	e = effect_welch(sleep_2, 10, sleep_1, 10);
	assert_near(e.d / e.se, -1.8608, 1e-4);
	assert_near(e.df, 17.776, 1e-3);
	assert_near(effect_p(&e), 0.07939, 1e-5);
	/* Exchanged: the opposite, to the last bit. */
	e = effect_welch(sleep_1, 10, sleep_2, 10);
	assert_near(e.d, 1.58, 1e-12);
	assert_near(effect_p(&e), 0.07939, 1e-5);
}

static void test_no_spread(void **state)
{
	static const double same[] = { 0.25, 0.25, 0.25 };
	static const double none[] = { 0, 0, 0 };
	struct effect e = effect_paired(same, 3);

	(void)state;
	assert_near(effect_p(&e), 0, 0);
	assert_false(effect_is_equivalent(&e, 0.01));
	e = effect_paired(none, 3);
	assert_near(effect_p(&e), 1, 0);
	assert_true(effect_is_equivalent(&e, 0.01));
	/* ln(3.7) - ln(3.7) after other sums: 1e-17 is no difference. */
	e = effect_paired((double[]){ 1e-17, 1e-17, 1.1e-17 }, 3);
	assert_near(effect_p(&e), 1, 0);
	e = effect_paired(none, 1);
	assert_true(isnan(effect_p(&e)));
	assert_false(effect_is_equivalent(&e, 0.01));
	e = effect_paired(none, 0);
	assert_true(isnan(e.d));
	e = effect_welch(none, 0, same, 3);
	assert_true(isnan(e.d));
}

/* 90 % interval of 5 blocks: half width 2.13185 * se. */
static void test_equivalent(void **state)
{
	const double edge = log1p(0.01);
	struct effect e = { 0, edge / 2.13185 * 0.9999, 4 };

	(void)state;
	assert_true(effect_is_equivalent(&e, 0.01));
	e.se = edge / 2.13184 * 1.0001;
	assert_false(effect_is_equivalent(&e, 0.01));
	e = (struct effect){ edge, 1e-9, 4 };
	assert_false(effect_is_equivalent(&e, 0.01));
}

/*
 * R: power.t.test(n = 5, delta = 2, sd = 1, type = "paired",
 * strict = TRUE) 0.9015 with its noncentral t; G*Power's manual: n = 50 pairs,
 * dz = 0.421637, alpha = 0.05 two-sided: 0.832114.
 */
static void test_power(void **state)
{
	(void)state;
	assert_near(power_t(0.421637 * sqrt(50), 49, 0.05), 0.832114, 2e-6);
	assert_near(power_t(0, 4, 0.05), 0.05, 1e-8);
	assert_near(power_t(0, 1e6, 0.05), 0.05, 1e-6);
	/* Many blocks: the normal distribution. */
	assert_near(power_t(1.959964 + 0.841621, 1e7, 0.05), 0.8, 1e-5);
	for (double df = 9e3; df < 3e5; df *= 1.3)
		assert_near(power_t(1.959964 + 0.841621, df, 0.05), 0.8, 1e-4);
	for (double df = 1; df < 1000; df *= 3)
		assert_near(power_t(power_delta(0.8, df, 0.0125), df, 0.0125),
			    0.8, 1e-5);
	assert_true(isnan(power_t(1, 0, 0.05)));
}

/* 2 (1.96 + 0.84)^2 (c / d)^2, and a run or two for Student's t. */
static void test_needs(void **state)
{
	size_t n = power_unpaired_needs(0.01, 0.0027, 0.05);

	(void)state;
	assert_in_range(n, 216, 218);
	n = power_unpaired_needs(0.01, 0.007, 0.05);
	assert_in_range(n, 33, 34);
	/* What n show is what needs n. */
	assert_near(power_unpaired_shows(0.01, n, 0.05), 0.007, 0.00015);
	n = power_paired_needs(0.02, 0.01, 0.05);
	assert_in_range(n, 33, 35);
	assert_true(power_paired_shows(0.02, n, 0.05) <= 0.01);
	assert_true(power_paired_shows(0.02, n - 1, 0.05) > 0.01);
	assert_true(isnan(power_paired_shows(0.02, 1, 0.05)));
	assert_int_equal(power_paired_needs(1, 1e-5, 0.05), 0);
	assert_int_equal(power_paired_needs(0, 0.01, 0.05), 2);
	assert_int_equal(power_paired_needs(NAN, 0.01, 0.05), 0);
}

/* R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
static void test_holm(void **state)
{
	double p[] = { 0.01, NAN, 0.04, 0.03, 0.005 };
	double alone[] = { 0.2 };
	double none[] = { NAN };

	(void)state;
	multiple_holm(p, ARRAY_SIZE(p));
	assert_near(p[0], 0.03, 1e-12);
	assert_true(isnan(p[1]));
	assert_near(p[2], 0.06, 1e-12);
	assert_near(p[3], 0.06, 1e-12);
	assert_near(p[4], 0.02, 1e-12);
	assert_int_equal(multiple_count(p, ARRAY_SIZE(p)), 4);
	multiple_holm(alone, 1);
	assert_near(alone[0], 0.2, 0);
	multiple_holm(none, 1);
	assert_int_equal(multiple_count(none, 1), 0);
}

/* All signs: of 2^5 the sum is as far from 0 only with all signs alike. */
static void test_sign_flip(void **state)
{
	static const double five[] = { 1, 2, 3, 4, 5 };
	static const double mixed[] = { 1, 2, -3 };
	double many[30];

	(void)state;
	assert_near(resample_sign_flip(five, 5, 1), 2.0 / 32, 1e-15);
	/* 0 is the sum of d: each of the 8 ways is as far. */
	assert_near(resample_sign_flip(mixed, 3, 1), 1, 1e-15);
	assert_near(resample_sign_flip(five, 1, 1), 1, 1e-15);
	assert_true(isnan(resample_sign_flip(five, 0, 1)));
	for (size_t i = 0; i < 30; i++)
		many[i] = 1;
	assert_near(resample_sign_flip(many, 30, 1), 1.0 / 20001, 1e-15);
	/* Drawn: near the normal approximation, and the same each time. */
	for (size_t i = 0; i < 30; i++)
		many[i] = (i % 2 ? 1 : -1) + 0.36;
	assert_near(resample_sign_flip(many, 30, 7), 0.067, 0.012);
	assert_near(resample_sign_flip(many, 30, 7),
		    resample_sign_flip(many, 30, 7), 0);
}

/* Darwin's maize (Fisher 1935): 15 pairs, p of all signs 0.05267. */
static void test_darwin(void **state)
{
	static const double d[] = { 49, -67, 8,  16, 6,  23, 28, 41,
				    14, 29,  56, 24, 75, 60, -48 };

	(void)state;
	assert_near(resample_sign_flip(d, 15, 1), 1726.0 / 32768, 1e-12);
}

static void test_bca(void **state)
{
	static const double symmetric[] = { -5, -4, -3, -2, -1, 1, 2, 3, 4, 5 };
	static const double skewed[] = {
		0, 0, 0.1, 0.1, 0.2, 0.3, 0.5, 1, 3, 8
	};
	static const double flat[] = { 2, 2, 2 };
	struct stats_interval i = resample_bca(symmetric, 10, 0.95, 1);

	(void)state;
	assert_near(i.centre, 0, 1e-12);
	assert_near(i.low, -i.high, 0.1);
	assert_true(i.high > 1.8 && i.high < 2.3);
	/* Skewed to the right: it reaches farther on that side. */
	i = resample_bca(skewed, 10, 0.95, 1);
	assert_true(i.high - i.centre > 1.5 * (i.centre - i.low));
	i = resample_bca(flat, 3, 0.95, 1);
	assert_near(i.low, 2, 0);
	assert_near(i.high, 2, 0);
	/* Equal but for rounding: every draw lies on one side of the mean. */
	i = resample_bca((double[]){ 0.1, 0.1, 0.1 + 3e-17, 0.1 }, 4, 0.95, 1);
	assert_near(i.low, 0.1, 1e-12);
	i = resample_bca((double[]){ 0, 0, 0, 1e9 }, 4, 0.95, 1);
	assert_true(isfinite(i.low) && isfinite(i.high));
	i = resample_bca(flat, 1, 0.95, 1);
	assert_true(isnan(i.low));
}

static void test_fieller(void **state)
{
	static const double base[] = { 99, 100, 101, 100 };
	static const double arm[] = { 110, 109, 111, 110 };
	static const double wild[] = { -5, 9, -3, 4 };
	struct fieller f = fieller_ratio(base, 4, arm, 4, 0.95);
	double se;

	(void)state;
	assert_near(f.ratio, 1.1, 1e-12);
	/* Where the spread is small it is the delta method's. */
	se = sqrt(2.0 / 3 / 4 * (1 + 1.21)) / 100;
	assert_near((f.high - f.low) / 2 / se, 2.4536, 0.01);
	assert_false(f.is_unbounded);
	f = fieller_ratio(wild, 4, arm, 4, 0.95);
	assert_true(f.is_unbounded && isnan(f.low) && isnan(f.high));
	f = fieller_ratio(base, 1, arm, 4, 0.95);
	assert_true(isnan(f.low) && !f.is_unbounded);
}

/* Johnson's modified t of a mean. */
static double modified(const double *d, size_t n, double g, double mean)
{
	double root = sqrt((double)n);
	double t = (stats_mean(d, n) - mean) / stats_stddev(d, n) * root;

	return t + g / (6 * root) + g * t * t / (3 * root);
}

/* At both ends the modified t is Student's quantile. */
static void test_johnson(void **state)
{
	static const double d[] = { -1, 0, 1, 2, 3 };
	static const double skewed[] = { 0.1, 0.1, 0.2, 0.1, 3 };
	static const double mild[] = { 0, 1, 2, 3, 4.1 };
	double minus[5];
	/* Their skewness. */
	const double g = 2.2298106;
	const double g_mild = 0.0631848;
	double q = stats_t_quantile(0.975, 4);
	struct effect e = effect_paired(d, 5);
	struct stats_interval i = effect_johnson(d, 5, 0.95);
	struct stats_interval t = effect_interval(&e, 0.95);

	(void)state;
	assert_near(i.low, t.low, 1e-12);
	assert_near(i.high, t.high, 1e-12);
	i = effect_johnson(skewed, 5, 0.95);
	assert_near(modified(skewed, 5, g, i.low), q, 1e-4);
	/* Its parabola never reaches -q. */
	assert_near(modified(skewed, 5, g, i.high), q, 1e-4);
	i = effect_johnson(mild, 5, 0.95);
	assert_near(modified(mild, 5, g_mild, i.low), q, 1e-3);
	assert_near(modified(mild, 5, g_mild, i.high), -q, 1e-3);
	for (size_t k = 0; k < 5; k++)
		minus[k] = -skewed[k];
	t = effect_johnson(minus, 5, 0.95);
	i = effect_johnson(skewed, 5, 0.95);
	assert_near(t.low, -i.high, 1e-12);
	assert_near(t.high, -i.low, 1e-12);
	assert_true(isnan(effect_johnson(d, 2, 0.95).low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_no_spread),
		cmocka_unit_test(test_equivalent),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_sign_flip),
		cmocka_unit_test(test_darwin),
		cmocka_unit_test(test_bca),
		cmocka_unit_test(test_fieller),
		cmocka_unit_test(test_johnson),
	};

	return cmocka_run_group_tests_name("effect", tests, NULL, NULL);
}
