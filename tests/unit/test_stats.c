/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small statistics against values from tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "data/stats/stats.h"

#include "near.h"

static void test_mean_and_stddev(void **state)
{
	const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_near(stats_mean(x, 8), 5, 1e-15);
	assert_near(stats_stddev(x, 8), sqrt(32.0 / 7), 1e-15);
	assert_near(stats_mean(x, 1), 2, 0);
	assert_true(isnan(stats_stddev(x, 1)));
	assert_true(isnan(stats_mean(x, 0)));
}

static void test_median(void **state)
{
	double odd[] = { 9, 1, 5 };
	double even[] = { 4, 1, 3, 2 };

	(void)state;
	assert_near(stats_median(odd, 3), 5, 0);
	assert_near(stats_median(even, 4), 2.5, 0);
	assert_true(isnan(stats_median(even, 0)));
}

/* Two-sided 95 % points of Student's t, as printed in tables. */
static void test_t_quantile(void **state)
{
	static const struct {
		double df;
		double t;
	} rows[] = {
		{ 1, 12.7062 }, { 2, 4.30265 },  { 4, 2.77645 },
		{ 9, 2.26216 }, { 30, 2.04227 }, { 1e6, 1.95997 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_near(stats_t_quantile(0.975, rows[i].df), rows[i].t,
			    1e-4);
	assert_near(stats_t_quantile(0.95, 4), 2.13185, 1e-4);
}

/* 1 to 5: mean 3, deviation sqrt(2.5), half width 2.77645 * 0.707107. */
static void test_interval(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5 };
	struct stats_interval i = stats_t_interval(x, 5, 0.95);

	(void)state;
	assert_near(i.centre, 3, 1e-15);
	assert_near(i.low, 3 - 1.963243, 1e-5);
	assert_near(i.high, 3 + 1.963243, 1e-5);
	i = stats_t_interval(x, 1, 0.95);
	assert_near(i.centre, 1, 0);
	assert_true(isnan(i.low) && isnan(i.high));
}

/* Negated values give the negated interval, to the last bit. */
static void test_interval_changes_sign(void **state)
{
	double x[] = { 0.31, -0.127, 0.0413, 1e-9, 0.7, -0.333333 };
	struct stats_interval there = stats_t_interval(x, 6, 0.95);
	struct stats_interval back;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		x[i] = -x[i];
	back = stats_t_interval(x, 6, 0.95);
	assert_near(back.centre, -there.centre, 0);
	assert_near(back.low, -there.high, 0);
	assert_near(back.high, -there.low, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_and_stddev),
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_t_quantile),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_interval_changes_sign),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
