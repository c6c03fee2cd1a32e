/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules of other tools, and their forms, against what they print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/import/foreign.h"
#include "out/compare.h"

#include "data_files.h"
#include "figures.h"
#include "near.h"

struct row {
	double base[4];
	double arm[4];
	enum metric_better better;
	const char *marks[4]; /* fastpath, mmtests, mmtests-2018, lkp */
};

static void check_marks(void **state)
{
	const struct row *row = *state;

	assert_int_equal(n_foreign_rules, 4);
	for (size_t i = 0; i < n_foreign_rules; i++)
		assert_string_equal(foreign_mark(&foreign_rules[i], row->better,
						 row->base, 4, row->arm, 4),
				    row->marks[i]);
}

/* More runs never help mmtests' rule; they do help Fastpath's. */
static void test_more_runs(void **state)
{
	double base[40];
	double arm[40];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		base[i] = i % 2 ? 99 : 101;
		arm[i] = base[i] + 2;
	}
	assert_false(foreign_rules[0].is_marked(base, 4, arm, 4));
	assert_true(foreign_rules[0].is_marked(base, 40, arm, 40));
	assert_false(foreign_rules[1].is_marked(base, 4, arm, 4));
	assert_false(foreign_rules[1].is_marked(base, 40, arm, 40));
	assert_false(foreign_rules[2].is_marked(base, 2, arm, 1));
	assert_false(foreign_rules[3].is_marked(base, 0, arm, 1));
}

/* A table that mmtests printed: positive is better, both ways. */
static void test_mmtests_published(void **state)
{
	static const double x[] = { 2, 4, 4 };

	(void)state;
	assert_near(foreign_mmtests_pct(METRIC_MORE, 23014.96, 24207.21), 5.18,
		    0.005);
	assert_near(foreign_mmtests_pct(METRIC_MORE, 31788.42, 26024.05),
		    -18.13, 0.005);
	assert_near(foreign_mmtests_pct(METRIC_LESS, 100, 90), 10, 1e-12);
	assert_near(foreign_mmtests_mean(METRIC_MORE, x, 3), 3, 1e-12);
	assert_near(foreign_mmtests_mean(METRIC_LESS, x, 3), 10.0 / 3, 1e-12);
	assert_near(foreign_perf_pct(x, 3), 20, 1e-12);
	/* No figure of the contrary's sign, and none of -0. */
	assert_true(isnan(foreign_mmtests_pct(METRIC_LESS, -3, -5)));
	assert_true(isnan(foreign_mmtests_pct(METRIC_MORE, 0, 5)));
	assert_false(signbit(foreign_mmtests_pct(METRIC_LESS, 5, 5)));
}

/*
 * The letter gives changes and marks, not the runs: with runs made to have
 * these changes and a spread of half or of twice each, every row gets its own
 * mark where the rule is sure, and its percentage as printed.
 */
static void check_letter_row(double pct, const char *mark)
{
	double base[5];
	double arm[5];
	double spread =
		str_eq(mark, "-") ? 2 * fabs(pct) + 0.01 : fabs(pct) / 8;
	static const double steps[] = { -1, -0.5, 0, 0.5, 1 };
	const char *expect = str_eq(mark, "I")   ? "(I)"
			     : str_eq(mark, "R") ? "(R)"
						 : "-";

	for (size_t i = 0; i < 5; i++) {
		base[i] = 100 + spread * steps[i];
		arm[i] = 100 + pct + spread * steps[4 - i];
	}
	assert_string_equal(foreign_mark(&foreign_rules[0], METRIC_LESS, base,
					 5, arm, 5),
			    expect);
}

static void test_letter(void **state)
{
	auto_free char *text =
		data_file("published/khugepaged-nonwritable-v2.tsv");
	size_t n_lines;
	auto_free char **lines = str_split(text, '\n', &n_lines);
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < n_lines; i++) {
		size_t n_cells;
		auto_free char **cells = str_split(lines[i], '\t', &n_cells);

		if (n_cells != 5 || lines[i][0] == '#' ||
		    str_eq(cells[0], "suite"))
			continue;
		check_letter_row(strtod(cells[3], NULL), cells[4]);
		n++;
	}
	assert_int_equal(n, 53);
}

/* --- forms --- */

static const double figures[][3] = {
	{ 10, 10.1, 9.9 },
	{ 8.78, 8.79, 8.77 },
	{ 10.05, 10.1, 9.98 },
};

static void print(enum compare_style style, struct str *out)
{
	struct judge_options options = { .margin = 0.01 };
	struct judgements judged;
	struct experiment e;
	const struct metric *metric = metric_find("latency_avg_ms");
	struct versus list[] = { { { &e, 0 }, { &e, 1 } },
				 { { &e, 0 }, { &e, 2 } } };
	struct compare_page page = {
		.verdicts = { list, 2, &judged, &metric, 1 },
		.base = &e,
		.arm = &e,
		.style = style,
	};

	figures_make(&e, 3, 3);
	for (size_t arm = 0; arm < 3; arm++)
		figures_set(&e, arm, "latency_avg_ms", figures[arm]);
	judge(list, 2, &options, &judged);
	compare_print(&page, TABLE_TEXT, out);
	judgements_free(&judged);
	experiment_free(&e);
}

/* What stands below each form. */
static void check_notes(const char *text)
{
	static const char *const notes[] = {
		"mean over the runs",
		"This form has no intervals.",
		"B -12.20 % [",
		"95 % Student interval",
		"n: 3 of 3 planned runs",
		"\nWindow:",
		"\nFolder:",
	};

	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (!strstr(text, notes[i]))
			fail_msg("no '%s' in:\n%s", notes[i], text);
}

static void test_fastpath(void **state)
{
	auto_str struct str out = { 0 };

	(void)state;
	print(COMPARE_FASTPATH, &out);
	assert_non_null(strstr(out.text, "+----------------------------+-------"
					 "-+-------------+-------+\n"
					 "| Benchmark                  |      "
					 "A |           B |     C |\n"
					 "|   Result Class             | "
					 "(base) |             |       |\n"
					 "+============================+======="
					 "=+=============+=======+\n"
					 "| benchmark                  |       "
					 " |             |       |\n"
					 "|   latency mean (ms, lower) |  "
					 "0.00% | (I) -12.20% | 0.43% |\n"
					 "+----------------------------+-------"
					 "-+-------------+-------+\n"
					 "\n"));
	check_notes(out.text);
}

static void test_mmtests(void **state)
{
	auto_str struct str out = { 0 };

	(void)state;
	print(COMPARE_MMTESTS, &out);
	assert_non_null(strstr(out.text, "Amean    latency mean (ms)  10.00 (  "
					 " 0.00%)  8.78 *  12.20%*"));
	assert_non_null(strstr(out.text, "10.04 (  -0.43%)"));
	assert_non_null(strstr(out.text, "\nLower is better: latency mean."));
	check_notes(out.text);
	assert_null(strstr(out.text, "Hmean    "));
}

static void test_damon(void **state)
{
	auto_str struct str out = { 0 };

	(void)state;
	print(COMPARE_DAMON, &out);
	assert_non_null(strstr(out.text, "latency mean (ms, lower)  10.00  8.78"
					 "      (-12.20)"));
	assert_non_null(strstr(out.text, "  10.04        (0.43)"));
	check_notes(out.text);
	assert_non_null(strstr(out.text, "orig: 'A'."));
}

static void test_status(void **state)
{
	static const char *const words[] = { "thpbench", "fastpath", "mmtests",
					     "damon" };

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(compare_style_parse(words[i]), i);
	assert_int_equal(compare_style_parse("lkp"), -1);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_marks, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("far off", { 100, 101, 99, 100 }, { 110, 111, 109, 110 },
		    METRIC_MORE, { "(I)", "*", "*", "yes" }),
		ROW("far off, worse", { 100, 101, 99, 100 },
		    { 110, 111, 109, 110 }, METRIC_LESS,
		    { "(R)", "*", "*", "yes" }),
		ROW("far off, neither", { 100, 101, 99, 100 },
		    { 110, 111, 109, 110 }, METRIC_NEITHER,
		    { "-", "-", "-", "-" }),
		ROW("two deviations", { 100, 101, 99, 100 },
		    { 102, 103, 101, 102 }, METRIC_MORE,
		    { "-", "-", "*", "yes" }),
		ROW("overlapping", { 100, 101, 99, 100 },
		    { 101, 102, 100, 101 }, METRIC_MORE,
		    { "-", "-", "-", "-" }),
		ROW("the same", { 100, 101, 99, 100 }, { 100, 101, 99, 100 },
		    METRIC_MORE, { "-", "-", "-", "-" }),
		ROW("the same but for rounding",
		    { 0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2 },
		    { 0.3, 0.3, 0.3, 0.3 }, METRIC_LESS,
		    { "-", "-", "-", "-" }),
		cmocka_unit_test(test_more_runs),
		cmocka_unit_test(test_mmtests_published),
		cmocka_unit_test(test_letter),
		cmocka_unit_test(test_fastpath),
		cmocka_unit_test(test_mmtests),
		cmocka_unit_test(test_damon),
		cmocka_unit_test(test_status),
	};

	return cmocka_run_group_tests_name("foreign", tests, NULL, NULL);
}
