/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank statistics, against benchstat's own inputs and what it says of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/stats/ranks.h"

#include "data_files.h"
#include "near.h"

/* The least p that n values against n can have, as benchstat has it. */
static void test_least_p(void **state)
{
	static const double least[] = {
		1,
		0.3333333333333333,
		0.1,
		0.02857142857142857,
		0.007936507936507936,
		0.0021645021645021645,
		0.0005827505827505828,
		0.0001554001554001554,
		4.113533525298231e-05,
	};
	double x[9];
	double y[9];

	(void)state;
	for (size_t i = 0; i < 9; i++) {
		x[i] = (double)i;
		y[i] = 100 + (double)i;
	}
	for (size_t n = 1; n <= 9; n++)
		assert_near(ranks_u_p(x, n, y, n), least[n - 1],
			    1e-12 * least[n - 1]);
}

static void test_u(void **state)
{
	static const double x[] = { 115, 114, 115, 115, 115 };
	static const double y[] = { 78.8, 78.8, 78.8, 78.8, 78.8 };
	static const double same[] = { 3, 3, 3 };
	double many[2][60];

	(void)state;
	/* benchstat, issue 19634: p=0.008 n=5, with ties. */
	assert_near(ranks_u_p(x, 5, y, 5), 2.0 / 252, 1e-12);
	assert_near(ranks_u_p(y, 5, x, 5), 2.0 / 252, 1e-12);
	assert_near(ranks_u_p(same, 3, same, 3), 1, 0);
	assert_near(ranks_u_p(x, 5, x, 5), 1, 0);
	assert_true(isnan(ranks_u_p(x, 0, y, 5)));
	/* Beyond the exact range: near what the exact one says below it. */
	for (size_t i = 0; i < 60; i++) {
		many[0][i] = (double)((i * 37) % 61);
		many[1][i] = (double)((i * 37) % 61) + 8.5;
	}
	assert_near(ranks_u_p(many[0], 60, many[1], 60), 0.014556, 1e-6);
	assert_near(ranks_u_p(many[0], 50, many[1], 50),
		    ranks_u_p(many[0], 51, many[1], 51), 0.004);
}

/* Ranks that bound the median at 95 %: Pr = sums of binomial terms. */
static void test_median(void **state)
{
	static const struct {
		size_t n;
		double low; /* rank; 0: none */
		double high;
	} rows[] = {
		{ 5, 0, 0 },  { 6, 1, 6 },   { 7, 1, 7 },    { 8, 1, 7 },
		{ 10, 2, 9 }, { 20, 6, 15 }, { 31, 10, 22 }, { 100, 40, 60 },
	};
	double x[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = (double)i + 1;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stats_interval m = ranks_median(x, rows[i].n, 0.95);

		assert_near(m.centre, ((double)rows[i].n + 1) / 2, 1e-12);
		if (rows[i].low > 0) {
			assert_near(m.low, rows[i].low, 0);
			assert_near(m.high, rows[i].high, 0);
		} else {
			assert_true(isinf(m.low) || isinf(m.high));
		}
	}
	assert_true(isnan(ranks_median(x, 0, 0.95).centre));
}

/* The ns/op of a benchmark in a file of Go's. */
static size_t read_go(const char *file, const char *name, double *out,
		      size_t most)
{
	auto_free char *text = data_file("data/benchstat/%s", file);
	auto_free char *start = xasprintf("Benchmark%s", name);
	size_t n_lines;
	auto_free char **lines = str_split(text, '\n', &n_lines);
	size_t n = 0;

	for (size_t i = 0; i < n_lines; i++) {
		size_t n_words;
		auto_free char **words = str_split(lines[i], ' ', &n_words);

		if (n_words < 4 || !str_eq(words[0], start) || n == most)
			continue;
		out[n++] = strtod(words[2], NULL);
	}
	return n;
}

struct go_row {
	const char *old;
	const char *new;
	const char *name;
	double median[2]; /* ns, as printed */
	int spread_pct[2];
	const char *p;
	double change_pct; /* NAN: printed as ~ */
};

/* The interval as benchstat prints it: the farther end, in % of the median. */
static int spread_pct(const struct stats_interval *m)
{
	double off = fmax(m->high - m->centre, m->centre - m->low);

	return (int)lround(100 * off / m->centre);
}

static void check_go(void **state)
{
	const struct go_row *row = *state;
	const char *files[] = { row->old, row->new };
	double x[2][40];
	size_t n[2];
	struct stats_interval m[2];
	char p[16];

	for (size_t i = 0; i < 2; i++) {
		n[i] = read_go(files[i], row->name, x[i], 40);
		assert_int_equal(n[i], 10);
		m[i] = ranks_median(x[i], n[i], 0.95);
		assert_near(m[i].centre, row->median[i], row->median[i] * 5e-4);
		assert_int_equal(spread_pct(&m[i]), row->spread_pct[i]);
	}
	snprintf(p, sizeof(p), "%.3f", ranks_u_p(x[0], n[0], x[1], n[1]));
	assert_string_equal(p, row->p);
	if (!isnan(row->change_pct))
		assert_near(100 * (m[1].centre / m[0].centre - 1),
			    row->change_pct, 0.0051);
}

#define GO(name, ...)                                                          \
	{                                                                      \
		name, check_go, NULL, NULL, &(struct go_row)                   \
		{                                                              \
			"crc-old.txt", "crc-new.txt", name, __VA_ARGS__        \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least_p),
		cmocka_unit_test(test_u),
		cmocka_unit_test(test_median),
		GO("CRC32/poly=IEEE/size=15/align=0-8", { 46.55, 44.40 },
		   { 9, 2 }, "0.008", -4.62),
		GO("CRC32/poly=IEEE/size=15/align=1-8", { 44.35, 44.35 },
		   { 3, 1 }, "0.539", NAN),
		GO("CRC32/poly=IEEE/size=40/align=0-8", { 41.05, 42.45 },
		   { 3, 3 }, "0.006", 3.41),
		GO("CRC32/poly=IEEE/size=512/align=0-8", { 237.50, 56.75 },
		   { 4, 3 }, "0.000", -76.11),
		GO("CRC32/poly=IEEE/size=32kB/align=1-8", { 14447, 2163 },
		   { 6, 3 }, "0.000", -85.03),
		GO("CRC32/poly=Castagnoli/size=15/align=1-8", { 17.20, 17.35 },
		   { 2, 3 }, "0.959", NAN),
		GO("CRC32/poly=Castagnoli/size=40/align=1-8", { 19.75, 19.35 },
		   { 2, 2 }, "0.036", -2.03),
		GO("CRC32/poly=Koopman/size=40/align=1-8", { 91.40, 87.65 },
		   { 5, 2 }, "0.055", NAN),
		GO("CRC32/poly=Koopman/size=512/align=1-8", { 1127, 1183 },
		   { 4, 7 }, "0.143", NAN),
		GO("CRC32/poly=Koopman/size=32kB/align=1-8", { 70030, 73800 },
		   { 8, 3 }, "0.009", 5.37),
	};

	return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
