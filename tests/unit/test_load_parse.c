/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a load's report: what is one, and what only looks like it. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/load/load.h"

#define GOOD                                                                   \
	"line\t12.5\t1.000100000\t4\t754\t10556\t0\t1508\t7.84\t5.3\t-\t0\t0"

struct row {
	const char *text;
	int ret;
	bool is_final;
};

static void check_row(void **state)
{
	const struct row *r = *state;
	struct load_line line;

	assert_int_equal(load_parse(r->text, strlen(r->text), &line), r->ret);
	if (r->ret == 0)
		assert_int_equal(line.is_final, r->is_final);
}

static void cells_land_in_their_columns(void **state)
{
	static const double want[LOAD_N_COLUMNS] = {
		1.0001, 4, 754, 10556, 0, 1508, 7.84, 5.3, 0, 0, 0,
	};
	struct load_line line;

	(void)state;
	assert_int_equal(load_parse(GOOD, strlen(GOOD), &line), 0);
	assert_int_equal(line.at_ns, 12500000000);
	for (size_t i = 0; i < LOAD_N_COLUMNS; i++) {
		if (i == LOAD_LATENCY_MAX_MS)
			assert_true(isnan(line.cells[i]));
		else
			assert_true(fabs(line.cells[i] - want[i]) < 1e-9);
	}
}

static void final_line_has_time_and_count(void **state)
{
	static const char text[] = "final\t13.25\t2.490500000\t2206604";
	struct load_line line;

	(void)state;
	assert_int_equal(load_parse(text, strlen(text), &line), 0);
	assert_int_equal(line.at_ns, 13250000000);
	assert_true(fabs(line.final_seconds - 2.4905) < 1e-12);
	assert_true(fabs(line.final_transactions - 2206604) < 0.5);
}

/* No part of a good line is a good line, and a NUL is not its end. */
static void every_cut_is_refused(void **state)
{
	struct load_line line;
	char text[sizeof(GOOD)];

	(void)state;
	for (size_t n = 0; n < strlen(GOOD); n++) {
		memcpy(text, GOOD, sizeof(text));
		text[n] = '\0';
		assert_int_equal(load_parse(text, strlen(GOOD), &line),
				 -EPROTO);
		assert_int_equal(load_parse(GOOD, n, &line), -EPROTO);
	}
}

static void every_column_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; i < LOAD_N_COLUMNS; i++) {
		assert_non_null(load_columns[i]);
		for (size_t k = 0; k < i; k++)
			assert_false(str_eq(load_columns[i], load_columns[k]));
	}
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define L(rest) "line\t1\t1\t4\t" rest

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_land_in_their_columns),
		cmocka_unit_test(final_line_has_time_and_count),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(every_column_has_a_name_of_its_own),
		ROW("good", GOOD, 0, false),
		ROW("idle", L("0\t0\t0\t0\t-\t-\t-\t0\t0"), 0, false),
		ROW("final", "final\t1\t1.5\t3", 0, true),
		ROW("empty", "", -EPROTO, false),
		ROW("word alone", "line", -EPROTO, false),
		ROW("other word", "lines\t1", -EPROTO, false),
		ROW("sysbench's own line",
		    "[ 1s ] thds: 4 tps: 754.80 qps: 12120.73", -EPROTO, false),
		ROW("csv", "1,4,568.56,9129.86,7988.75,0.00,1141.11,10.09",
		    -EPROTO, false),
		ROW("blanks for tabs", "line 1 1 4 1 1 1 1 1 1 1 0 0", -EPROTO,
		    false),
		ROW("a cell too few", L("1\t1\t1\t1\t1\t1\t1\t0"), -EPROTO,
		    false),
		ROW("a cell too many", L("1\t1\t1\t1\t1\t1\t1\t0\t0\t0"),
		    -EPROTO, false),
		ROW("a tab at the end", L("1\t1\t1\t1\t1\t1\t1\t0\t0\t"),
		    -EPROTO, false),
		ROW("empty cell", L("\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("negative count", L("-1\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("count with a fraction", L("1.5\t1\t1\t1\t1\t1\t1\t0\t0"),
		    -EPROTO, false),
		ROW("missing count", L("-\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("missing errors", L("1\t1\t1\t1\t1\t1\t1\t-\t0"), -EPROTO,
		    false),
		ROW("nan", L("1\t1\t1\t1\tnan\t1\t1\t0\t0"), -EPROTO, false),
		ROW("inf", L("1\t1\t1\t1\tinf\t1\t1\t0\t0"), -EPROTO, false),
		ROW("hex", L("0x10\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO, false),
		ROW("exponent", L("1e9\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("plus", L("+1\t1\t1\t1\t1\t1\t1\t0\t0"), -EPROTO, false),
		ROW("comma for point", L("1\t1\t1\t1\t1,5\t1\t1\t0\t0"),
		    -EPROTO, false),
		ROW("two points", L("1\t1\t1\t1\t1.5.5\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("a point alone", L("1\t1\t1\t1\t.\t1\t1\t0\t0"), -EPROTO,
		    false),
		ROW("a cell without end",
		    L("1\t1\t1\t1\t1.00000000000000000000000000000000000001"
		      "\t1\t1\t0\t0"),
		    -EPROTO, false),
		ROW("a time that no clock has", "final\t99999999999999\t1.5\t3",
		    -EPROTO, false),
		ROW("final without a count", "final\t1\t1.5", -EPROTO, false),
		ROW("final, count with a fraction", "final\t1\t1.5\t3.5",
		    -EPROTO, false),
		ROW("final, missing count", "final\t1\t1.5\t-", -EPROTO, false),
		ROW("final, negative time", "final\t1\t-1.5\t3", -EPROTO,
		    false),
		ROW("final, a cell too many", "final\t1\t1.5\t3\t4", -EPROTO,
		    false),
		ROW("carriage return", GOOD "\r", -EPROTO, false),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
