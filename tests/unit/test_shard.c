/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards: their words, and that together they are the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "bench/run/plan.h"
#include "data/shard.h"

struct row {
	const char *text;
	unsigned int index; /* 0: refused */
	unsigned int of;
	const char *dir;    /* NULL: the one of text */
	const char *blocks; /* of ten */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	struct shard s = { 77, 78 };
	struct shard back;
	auto_free char *dir = NULL;
	auto_free char *blocks = NULL;

	if (!row->index) {
		assert_int_not_equal(shard_parse(row->text, &s), 0);
		/* Nothing is written then. */
		assert_int_equal(s.index, 77);
		assert_int_equal(s.of, 78);
		return;
	}
	assert_int_equal(shard_parse(row->text, &s), 0);
	assert_int_equal(s.index, row->index);
	assert_int_equal(s.of, row->of);
	dir = shard_dir(&s);
	assert_string_equal(dir, row->dir);
	assert_int_equal(shard_dir_parse(dir, &back), 0);
	assert_int_equal(back.index, s.index);
	assert_int_equal(back.of, s.of);
	blocks = shard_blocks(&s, 10);
	assert_string_equal(blocks, row->blocks);
}

static void check_dir(void **state)
{
	static const char *const wrong[] = {
		"",
		"shard-",
		"shard-1",
		"shard-1-of-",
		"hard-1-of-2",
		"shard-3-of-2",
		"shard-1-of-2.old",
		"shard-01-of-2",
		"shard-0-of-2",
		"shard--1-of-2",
		"shard-1-of-2-of-3",
	};
	struct shard s;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_not_equal(shard_dir_parse(wrong[i], &s), 0);
}

/* Of any plan: each run in one shard, in order, blocks whole. */
static void check_union(void **state)
{
	enum { ARMS = 3, MOST = 12 };

	(void)state;
	for (unsigned int blocks = 1; blocks <= MOST; blocks++) {
		struct plan whole;

		plan_make(blocks, ARMS, 7, &whole);
		for (unsigned int of = 1; of <= blocks; of++) {
			auto_free unsigned int *seen =
				xcalloc(whole.n + 1, sizeof(*seen));
			size_t least = whole.n;
			size_t most = 0;

			for (unsigned int i = 1; i <= of; i++) {
				const struct shard s = { i, of };
				struct plan part;

				plan_make(blocks, ARMS, 7, &part);
				plan_keep_shard(&part, &s);
				assert_int_equal(part.n % ARMS, 0);
				for (size_t k = 0; k < part.n; k++) {
					const struct planned *p = &part.runs[k];

					assert_memory_equal(
						p, &whole.runs[p->number - 1],
						sizeof(*p));
					assert_true(!k ||
						    p->number > p[-1].number);
					seen[p->number]++;
				}
				least = part.n < least ? part.n : least;
				most = part.n > most ? part.n : most;
				plan_free(&part);
			}
			for (size_t k = 1; k <= whole.n; k++)
				assert_int_equal(seen[k], 1);
			/* None is empty, and none has two blocks more. */
			assert_true(least >= ARMS && most - least <= ARMS);
		}
		plan_free(&whole);
	}
}

static void check_whole(void **state)
{
	const struct shard whole = { 0, 0 };

	(void)state;
	for (unsigned int block = 1; block < 9; block++)
		assert_true(shard_has(&whole, block));
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("first of three", "1/3", 1, 3, "shard-1-of-3",
		    "1, 4, 7, 10"),
		ROW("last of three", "3/3", 3, 3, "shard-3-of-3", "3, 6, 9"),
		ROW("one of one", "1/1", 1, 1, "shard-1-of-1",
		    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"),
		ROW("the most", "1000/1000", 1000, 1000, "shard-1000-of-1000",
		    ""),
		ROW("too many", "1/1001", 0, 0, NULL, NULL),
		ROW("beyond the last", "4/3", 0, 0, NULL, NULL),
		ROW("from zero", "0/3", 0, 0, NULL, NULL),
		ROW("of none", "0/0", 0, 0, NULL, NULL),
		ROW("no number", "a/3", 0, 0, NULL, NULL),
		ROW("a sign", "+1/3", 0, 0, NULL, NULL),
		ROW("hexadecimal", "0x1/3", 0, 0, NULL, NULL),
		ROW("a zero in front", "01/3", 0, 0, NULL, NULL),
		ROW("a blank", "1 /3", 0, 0, NULL, NULL),
		ROW("two strokes", "1/2/3", 0, 0, NULL, NULL),
		ROW("no stroke", "3", 0, 0, NULL, NULL),
		ROW("nothing", "", 0, 0, NULL, NULL),
		cmocka_unit_test(check_dir),
		cmocka_unit_test(check_union),
		cmocka_unit_test(check_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
