/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: complete blocks, the same on every machine, and their length. */
#include "bench/run/plan.h"

#include "base/mem.h"
#include "base/num.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	unsigned int blocks;
	size_t n_arms;
	uint64_t seed;
	const char *order; /* one letter an arm; NULL: blocks only */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	struct plan plan;

	plan_make(row->blocks, row->n_arms, row->seed, &plan);
	assert_int_equal(plan.n, row->blocks * row->n_arms);
	for (size_t i = 0; i < plan.n; i++) {
		const struct planned *p = &plan.runs[i];

		assert_int_equal(p->number, i + 1);
		assert_int_equal(p->block, i / row->n_arms + 1);
		assert_true(p->arm < row->n_arms);
		/* Not yet in this block. */
		for (size_t k = 0; k < i % row->n_arms; k++)
			assert_int_not_equal(plan.runs[i - 1 - k].arm, p->arm);
		if (row->order)
			assert_int_equal('a' + (int)p->arm, row->order[i]);
	}
	plan_free(&plan);
	assert_null(plan.runs);
}

/* Each order of three arms comes equally often: 600 blocks, chi-square. */
static void check_fair(void **state)
{
	enum { BLOCKS = 600, ORDERS = 6 };
	unsigned int count[27] = { 0 };
	double chi2 = 0;
	struct plan plan;

	(void)state;
	plan_make(BLOCKS, 3, 42, &plan);
	for (size_t i = 0; i < plan.n; i += 3)
		count[plan.runs[i].arm * 9 + plan.runs[i + 1].arm * 3 +
		      plan.runs[i + 2].arm]++;
	for (size_t i = 0; i < ARRAY_SIZE(count); i++) {
		double off = (double)count[i] - BLOCKS / ORDERS;

		if (count[i])
			chi2 += off * off / (BLOCKS / ORDERS);
	}
	/* 5 degrees of freedom: 20.5 is passed once in a thousand seeds. */
	assert_true(chi2 < 20.5);
	plan_free(&plan);
}

struct time_row {
	bool until_stable;
	uint64_t settle_s;
	uint64_t least_s;
	uint64_t most_s;
};

static void check_time(void **state)
{
	const struct time_row *row = *state;
	const struct config c = {
		.workload = {
			.load_ns = NUM_NS_PER_S,
			.settle_until_stable = row->until_stable,
			.settle_ns = row->settle_s * NUM_NS_PER_S,
			.measure_ns = 10 * NUM_NS_PER_S,
		},
	};

	assert_int_equal(plan_run_least_ns(&c), row->least_s * NUM_NS_PER_S);
	assert_int_equal(plan_run_most_ns(&c), row->most_s * NUM_NS_PER_S);
}

#define ROW(what, ...)                                                         \
	{                                                                      \
		what, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TIME(what, ...)                                                        \
	{                                                                      \
		what, check_time, NULL, NULL, &(struct time_row)               \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("one arm", 3, 1, 1, "aaa"),
		ROW("seed 1", 3, 4, 1, "adcbdcabbdac"),
		ROW("seed 2", 3, 4, 2, "dcabdacbcdba"),
		ROW("a seed above 32 bits", 3, 4, UINT64_C(1) << 40,
		    "dbcabadcacdb"),
		ROW("the largest seed", 2, 2, UINT64_MAX, NULL),
		ROW("many", 100, 30, 5, NULL),
		ROW("nothing", 0, 4, 5, NULL),
		cmocka_unit_test(check_fair),
		TIME("exact", false, 20, 31, 31),
		TIME("until stable", true, 20, 23, 31),
		TIME("a limit below the window", true, 5, 16, 16),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
