/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/damon_tune: the goal tuners, against sequences computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/num.h"
#include "kern/damon.h"

struct row {
	const char *tuner;
	uint64_t esz_bp;
	uint64_t score_bp;
	uint64_t quota_bytes;
	uint64_t next_bp;
};

static void check(void **state)
{
	const struct row *r = *state;

	assert_int_equal(damon_tune_bp(r->tuner, r->esz_bp, r->score_bp,
				       r->quota_bytes),
			 r->next_bp);
}

/* From nothing: 1 byte doubled, doubled again; 21 windows to a huge page. */
static void test_consist_doubles(void **state)
{
	uint64_t bp = 0;

	(void)state;
	for (unsigned int window = 1; window <= 21; window++) {
		bp = damon_tune_bp("consist", bp, 0, 128000000);
		assert_int_equal(damon_effective_bytes(bp, 128000000),
				 UINT64_C(1) << window);
	}
	assert_int_equal(bp / 10000, 2 * NUM_MIB);
}

/* Half way to the goal it grows by half: 1.5 ^ n, cut to basis points. */
static void test_consist_half_way(void **state)
{
	static const uint64_t expected[] = { 15000, 22500, 33750,
					     50625, 75937, 113905 };
	uint64_t bp = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		bp = damon_tune_bp("consist", bp, 5000, 0);
		assert_int_equal(bp, expected[i]);
	}
}

/* It brakes above the target only: 1,000,000 bp at 110 %, 150 %, 200 %. */
static void test_consist_brakes(void **state)
{
	uint64_t bp = 1000000;

	(void)state;
	bp = damon_tune_bp("consist", bp, 11000, 0);
	assert_int_equal(bp, 900000);
	bp = damon_tune_bp("consist", bp, 15000, 0);
	assert_int_equal(bp, 450000);
	bp = damon_tune_bp("consist", bp, 10000, 0);
	assert_int_equal(bp, 450000);
	bp = damon_tune_bp("consist", bp, 20000, 0);
	assert_int_equal(bp, 10000);
}

struct score_row {
	uint64_t current;
	uint64_t target;
	uint64_t score;
};

static void check_score(void **state)
{
	const struct score_row *r = *state;

	assert_int_equal(damon_score_bp(r->current, r->target), r->score);
}

static void test_effective(void **state)
{
	(void)state;
	assert_int_equal(damon_effective_bytes(9999, 0), 0);
	assert_int_equal(damon_effective_bytes(20000, 0), 2);
	assert_int_equal(damon_effective_bytes(20000, 1), 1);
	assert_int_equal(damon_effective_bytes(0, 4096), 0);
	assert_int_equal(damon_effective_bytes(UINT64_MAX, 4096), 4096);
	assert_int_equal(damon_effective_bytes(UINT64_MAX, 0),
			 UINT64_MAX / 10000);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SCORE(name, ...)                                                       \
	{                                                                      \
		name, check_score, NULL, NULL, &(struct score_row)             \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("consist is the default", NULL, 0, 0, 0, 20000),
		ROW("consist on target", "consist", 70001, 10000, 0, 70001),
		ROW("consist at least a byte", "consist", 10000, 15000, 0,
		    10000),
		ROW("consist far above", "consist", 70000, 20000, 0, 10000),
		ROW("consist farther above", "consist", 70000, UINT64_MAX, 0,
		    10000),
		ROW("consist just above", "consist", 30000, 10001, 0, 29997),
		ROW("consist just below", "consist", 30000, 9999, 0, 30003),
		/* above 2^64 / 10000: divided first, as the kernel does */
		ROW("consist large", "consist", UINT64_C(4000000000000000),
		    5000, 0, UINT64_C(6000000000000000)),
		ROW("consist full", "consist", UINT64_MAX - 1, 0, 0,
		    UINT64_MAX),
		ROW("temporal below", "temporal", 0, 9999, 128000000,
		    UINT64_C(1280000000000)),
		ROW("temporal on target", "temporal", 50000, 10000, 128000000,
		    0),
		ROW("temporal above", "temporal", 50000, 10001, 128000000, 0),
		ROW("temporal without bytes", "temporal", 0, 0, 0, UINT64_MAX),
		ROW("temporal too many bytes", "temporal", 0, 0, UINT64_MAX / 2,
		    UINT64_MAX),
		SCORE("nothing yet", 0, 1000, 0),
		SCORE("half", 500, 1000, 5000),
		SCORE("cut", 1, 3, 3333),
		SCORE("twice", 2000, 1000, 20000),
		SCORE("no target", 5, 0, 0),
		SCORE("too large", UINT64_MAX, 1, UINT64_MAX),
		cmocka_unit_test(test_consist_doubles),
		cmocka_unit_test(test_consist_half_way),
		cmocka_unit_test(test_consist_brakes),
		cmocka_unit_test(test_effective),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
