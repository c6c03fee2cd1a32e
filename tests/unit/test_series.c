/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of numbers: every form of a number, and broken files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/series.h"

/* The text, what is returned, and all cells that are read, in order. */
struct row {
	const char *text;
	int ret;
	size_t n_columns;
	size_t n_rows;
	double cells[12];
};

static void check_row(void **state)
{
	const struct row *row = *state;
	size_t n = strlen(row->text);
	/* On the heap without its NUL: a read behind the end is seen. */
	auto_free char *copy = xmalloc(n);
	struct series s;

	memcpy(copy, row->text, n);
	assert_int_equal(series_parse(copy, n, &s), row->ret);
	assert_int_equal(s.n_columns, row->n_columns);
	assert_int_equal(s.n_rows, row->n_rows);
	for (size_t i = 0; i < s.n_rows * s.n_columns; i++) {
		if (isnan(row->cells[i]))
			assert_true(isnan(s.cells[i]));
		else
			assert_memory_equal(&s.cells[i], &row->cells[i],
					    sizeof(double));
	}
	series_free(&s);
}

/* Against strtod(): the same bits for whatever the store writes. */
static void test_as_strtod(void **state)
{
	uint64_t seed = 88172645463325252U;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[64] = "t_s\n";
		struct series s;
		double expected;
		double x;
		int digits = i % 2 ? 9 : 6;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		x = (double)(int64_t)seed / pow(2, (double)(seed % 80));
		snprintf(text, sizeof(text), "t_s\n%.*g\n", digits, x);
		expected = strtod(text + 4, NULL);
		assert_int_equal(series_parse(text, strlen(text), &s), 0);
		assert_int_equal(s.n_rows, 1);
		assert_memory_equal(s.cells, &expected, sizeof(double));
		series_free(&s);
	}
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ONE(name, number, value)                                               \
	ROW(name, "t_s\tx\n0\t" number "\n", 0, 2, 1, { 0, value })

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("empty", "", 0, 0, 0, { 0 }),
		ROW("half a header", "t_s\tx", 0, 0, 0, { 0 }),
		ROW("only a header", "t_s\tx\n", 0, 2, 0, { 0 }),
		ROW("another header", "x\tt_s\n1\t2\n", -EPROTO, 0, 0, { 0 }),
		ROW("only the phase", "phase\n", -EPROTO, 0, 0, { 0 }),
		ROW("two rows", "t_s\tx\n1\t2\n3\t4\n", 0, 2, 2,
		    { 1, 2, 3, 4 }),
		ROW("phase is no number", "t_s\tphase\tx\n1\tload\t2\n", 0, 2,
		    1, { 1, 2 }),
		ROW("phase comes last", "t_s\tx\tphase\n1\t2\tload\n", 0, 2, 1,
		    { 1, 2 }),
		ROW("cut short", "t_s\tx\n1\t2\n3\t4", 0, 2, 1, { 1, 2 }),
		ROW("cut in the middle of the file", "t_s\tx\n1\n3\t4\n", 0, 2,
		    1, { 3, 4 }),
		ROW("time is no number", "t_s\tx\n-\t2\n3\t4\n", 0, 2, 1,
		    { 3, 4 }),
		ROW("too many cells", "t_s\tx\n1\t2\t3\n4\t5\n", 0, 2, 2,
		    { 1, 2, 4, 5 }),
		ROW("comments and blank lines",
		    "# a\nt_s\tx\n\n1\t2\n#3\t4\n5\t6\n", 0, 2, 2,
		    { 1, 2, 5, 6 }),
		ROW("missing cells", "t_s\tx\ty\n1\t-\t\n", 0, 3, 1,
		    { 1, NAN, NAN }),
		ROW("one column", "t_s\n1\n2\n", 0, 1, 2, { 1, 2 }),
		ONE("fraction", "0.25", 0.25),
		ONE("no digit before the point", ".5", 0.5),
		ONE("no digit behind the point", "5.", 5),
		ONE("negative", "-12.5", -12.5),
		ONE("exponent", "1.5e+15", 1.5e15),
		ONE("negative exponent", "2e-07", 2e-07),
		ONE("capital exponent", "3E3", 3000),
		ONE("64 bits", "18446744073709551615", 18446744073709551615.0),
		ONE("beyond 64 bits", "1000000000000000000000", 1e21),
		ONE("no number", "abc", NAN),
		ONE("a number and more", "1x", NAN),
		ONE("no exponent", "1e", NAN),
		ONE("absurd exponent", "1e999999999999", NAN),
		ONE("a sign", "+", NAN),
		ONE("two signs", "--1", NAN),
		ONE("two points", "1.2.3", NAN),
		ONE("blank before it", " 1", NAN),
		ONE("hex", "0x10", NAN),
		ONE("nan", "nan", NAN),
		cmocka_unit_test(test_as_strtod),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
