/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From runs to arms: which runs count, and pairs of blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/summary.h"

#include "near.h"

/* tps of a run in block 1 to 4, arm 0 to 2; 0: none. */
struct planned {
	unsigned int block;
	unsigned int arm;
	enum run_state state;
	double tps;
};

static const struct planned plan[] = {
	{ 1, 0, RUN_OK, 100 },      { 1, 1, RUN_OK, 110 },
	{ 2, 1, RUN_OK, 220 },      { 2, 0, RUN_OK, 210 },
	{ 3, 0, RUN_MARKED, 150 },  { 3, 1, RUN_OK, 180 },
	{ 4, 0, RUN_INVALID, 999 }, { 4, 1, RUN_OK, 400 },
	{ 1, 2, RUN_FAILED, 5 },    { 2, 2, RUN_OK, 0 },
};

static void make_experiment(struct experiment *e)
{
	*e = (struct experiment){ .blocks = 4, .n_arms = 3 };
	e->arms = xcalloc(3, sizeof(*e->arms));
	e->n_runs = ARRAY_SIZE(plan);
	e->runs = xcalloc(e->n_runs, sizeof(*e->runs));
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];
		struct value *v;

		run->block = plan[i].block;
		run->arm = plan[i].arm;
		run->state = plan[i].state;
		run->reason = xstrdup(run->state == RUN_FAILED ? "died" : "");
		run->values = xcalloc(n_metrics, sizeof(*run->values));
		v = &run->values[metric_find("tps") - metrics];
		v->is_there = plan[i].tps > 0;
		v->number = plan[i].tps;
		v->why = v->is_there ? NULL : xstrdup("no lines");
	}
}

static void test_arm(void **state)
{
	struct experiment e;
	struct arm_summary s;

	(void)state;
	make_experiment(&e);
	s = summary_arm(&e, 0, "tps"); /* 100 210 150 */
	assert_int_equal(s.n, 3);
	assert_near(s.mean, 460.0 / 3, 1e-12);
	assert_near(s.stddev, sqrt(9100.0 / 3), 1e-9);
	assert_near(s.least, 100, 0);
	assert_near(s.most, 210, 0);
	assert_null(s.why);
	s = summary_arm(&e, 2, "tps");
	assert_int_equal(s.n, 0);
	assert_string_equal(s.why, "died");
	assert_true(isnan(s.mean) && isnan(s.stddev));
	s = summary_arm(&e, 1, "rss_bytes");
	assert_int_equal(s.n, 0);
	assert_string_equal(s.why, "not recorded");
	e.n_runs = 1;
	s = summary_arm(&e, 1, "tps");
	assert_string_equal(s.why, "no run yet");
	e.n_runs = ARRAY_SIZE(plan);
	experiment_free(&e);
}

/*
 * Blocks 1 to 3: d = ln 1.1, ln(22/21), ln 1.2; their mean is 0.1080502 and
 * their standard deviation 0.0685284; t(.975, 2) = 4.302653.
 */
static void test_compare(void **state)
{
	const double d[] = { 0.09531017980432493, 0.04652001563489291,
			     0.1823215567939546 };
	double mean = (d[0] + d[1] + d[2]) / 3;
	double square = (d[0] - mean) * (d[0] - mean) +
			(d[1] - mean) * (d[1] - mean) +
			(d[2] - mean) * (d[2] - mean);
	double half = 4.302652729911275 * sqrt(square / 2) / sqrt(3);
	struct experiment e;
	struct comparison c;

	(void)state;
	make_experiment(&e);
	c = summary_compare(&e, 1, "tps");
	assert_int_equal(c.n, 3);
	assert_near(c.ratio, exp(mean), 1e-12);
	assert_near(c.low, exp(mean - half), 1e-9);
	assert_near(c.high, exp(mean + half), 1e-9);
	c = summary_compare(&e, 2, "tps");
	assert_int_equal(c.n, 0);
	assert_true(isnan(c.ratio) && isnan(c.low) && isnan(c.high));
	experiment_free(&e);
}

static void test_baseline_against_itself(void **state)
{
	struct experiment e;
	struct comparison c;

	(void)state;
	make_experiment(&e);
	c = summary_compare(&e, 0, "tps");
	assert_int_equal(c.n, 3);
	assert_near(c.ratio, 1, 0);
	assert_near(c.low, 1, 0);
	assert_near(c.high, 1, 0);
	experiment_free(&e);
}

static void test_arms_exchanged(void **state)
{
	struct experiment e;
	struct comparison there;
	struct comparison back;

	(void)state;
	make_experiment(&e);
	there = summary_compare(&e, 1, "tps");
	e.baseline = 1;
	back = summary_compare(&e, 0, "tps");
	assert_int_equal(back.n, there.n);
	/* The logarithms change their sign exactly: exp() adds the rest. */
	assert_near(back.ratio * there.ratio, 1, 1e-15);
	assert_near(back.low * there.high, 1, 1e-15);
	assert_near(back.high * there.low, 1, 1e-15);
	experiment_free(&e);
}

/* A block without a ratio is not left out: the means have it. */
static void test_zero_has_no_ratio(void **state)
{
	struct experiment e;
	struct comparison c;

	(void)state;
	make_experiment(&e);
	e.runs[1].values[metric_find("tps") - metrics].number = 0;
	c = summary_compare(&e, 1, "tps");
	assert_int_equal(c.n, 0);
	assert_true(isnan(c.ratio) && isnan(c.low));
	experiment_free(&e);
}

static void test_one_block_has_no_interval(void **state)
{
	struct experiment e;
	struct comparison c;

	(void)state;
	make_experiment(&e);
	e.blocks = 1;
	for (size_t i = 0; i < e.n_runs; i++)
		if (e.runs[i].block > 1)
			e.runs[i].state = RUN_INVALID;
	c = summary_compare(&e, 1, "tps");
	assert_int_equal(c.n, 1);
	assert_near(c.ratio, 1.1, 1e-12);
	assert_true(isnan(c.low) && isnan(c.high));
	experiment_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_baseline_against_itself),
		cmocka_unit_test(test_arms_exchanged),
		cmocka_unit_test(test_zero_has_no_ratio),
		cmocka_unit_test(test_one_block_has_no_interval),
	};

	return cmocka_run_group_tests_name("arms", tests, NULL, NULL);
}
