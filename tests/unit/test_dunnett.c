/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several arms against one baseline: published limits, and a hand's sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "data/stats/dunnett.h"
#include "data/stats/judge.h"
#include "data/stats/stats.h"

#include "figures.h"
#include "near.h"

/* Two-sided limits, 1 to 5 arms (Dunnett 1964, tables II c and d). */
static const struct {
	double p;
	double df;
	double t[5];
} limits[] = {
	{ 0.05, 5, { 2.57, 3.03, 3.29, 3.48, 3.62 } },
	{ 0.05, 10, { 2.23, 2.57, 2.76, 2.89, 2.99 } },
	{ 0.05, 20, { 2.09, 2.38, 2.54, 2.65, 2.73 } },
	{ 0.05, 1e6, { 1.96, 2.21, 2.35, 2.44, 2.51 } },
	{ 0.01, 10, { 3.17, 3.53, 3.74, 3.88, 3.99 } },
	{ 0.01, 1e6, { 2.58, 2.79, 2.92, 3.00, 3.06 } },
};

static void test_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		for (size_t k = 1; k <= 5; k++) {
			double t =
				dunnett_quantile(limits[i].p, k, limits[i].df);

			assert_near(t, limits[i].t[k - 1], 0.0051);
			assert_near(dunnett_p(t, k, limits[i].df), limits[i].p,
				    1e-6);
		}
	}
}

static void test_edges(void **state)
{
	(void)state;
	/* One arm: Student's. */
	assert_near(dunnett_p(2.1, 1, 7), stats_t_p(2.1, 1, 7), 1e-8);
	assert_near(dunnett_p(-2.1, 3, 7), dunnett_p(2.1, 3, 7), 0);
	assert_near(dunnett_p(0, 3, 7), 1, 1e-9);
	assert_near(dunnett_p(HUGE_VAL, 3, 7), 0, 0);
	assert_true(isnan(dunnett_p(NAN, 3, 7)));
	assert_true(isnan(dunnett_p(1, 0, 7)));
	assert_true(isnan(dunnett_p(1, 3, NAN)));
	assert_true(isnan(dunnett_quantile(0, 3, 7)));
	assert_true(isnan(dunnett_quantile(0.05, 3, 0)));
	/* Never more than Bonferroni's, never less than one alone. */
	assert_true(dunnett_p(2.5, 4, 16) < 4 * stats_t_p(2.5, 1, 16));
	assert_true(dunnett_p(2.5, 4, 16) > stats_t_p(2.5, 1, 16));
}

static void test_se(void **state)
{
	/* Means of arms 2, 4, 6, of blocks 3 and 5: what is left is +-1, 0. */
	static const double y[] = { 2, 2, 2, 6, 5, 7 };
	double df;

	(void)state;
	assert_near(dunnett_se(y, 3, 2, &df), sqrt(4.0 / 2 * 2 / 2), 1e-12);
	assert_near(df, 2, 0);
	assert_true(isnan(dunnett_se(y, 1, 6, &df)) && isnan(df));
	assert_true(isnan(dunnett_se(y, 6, 1, &df)) && isnan(df));
}

static const double tps[][3] = {
	{ 1000, 1011, 1019 },
	{ 1021, 1029, 1040 },
	{ 1003, 1010, 1021 },
};

static void judge_tps(struct experiment *e, bool has_gap, struct judgements *j)
{
	const struct judge_options options = { .margin = 0.01,
					       .primary = "tps",
					       .dunnett = true };
	const struct versus list[] = { { { e, 0 }, { e, 1 } },
				       { { e, 0 }, { e, 2 } } };

	figures_make(e, 3, 3);
	for (size_t arm = 0; arm < 3; arm++)
		figures_set(e, arm, "tps", tps[arm]);
	if (has_gap)
		e->runs[5].state = RUN_FAILED;
	judge(list, 2, &options, j);
}

static void test_judge(void **state)
{
	struct experiment e;
	struct judgements j;
	const struct judgement *one;
	struct side side = { &e, 1 };
	double half;

	(void)state;
	judge_tps(&e, false, &j);
	one = judgement_of(&j, &side, "tps");
	assert_true(one->is_dunnett && j.dunnett);
	assert_near(one->effect.df, 4, 0);
	assert_near(one->p_corrected,
		    dunnett_p(one->effect.d / one->effect.se, 2, 4), 1e-12);
	half = dunnett_quantile(0.05, 2, 4) * one->effect.se;
	assert_near(log(one->ratio.high), one->effect.d + half, 1e-9);
	assert_near(log(one->ratio.low), one->effect.d - half, 1e-9);
	assert_int_equal(one->verdict, VERDICT_IMPROVED);
	/* Others stay with Holm. */
	one = judgement_of(&j, &side, "latency_p95_ms");
	assert_false(one->is_dunnett);
	judgements_free(&j);
	experiment_free(&e);
	/* A block is not whole: nobody is judged by it. */
	judge_tps(&e, true, &j);
	one = judgement_of(&j, &side, "tps");
	assert_true(j.dunnett && !one->is_dunnett);
	judgements_free(&j);
	experiment_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_se),
		cmocka_unit_test(test_judge),
	};

	return cmocka_run_group_tests_name("dunnett", tests, NULL, NULL);
}
