/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated text: escapes, numbers, what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/tree.h"
#include "base/tsv.h"

struct row {
	const char *cells[4];
	const char *line;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_str struct str line = { 0 };
	struct tsv t;
	size_t n = 0;

	for (; n < 4 && row->cells[n]; n++)
		tsv_add_cell(&line, row->cells[n]);
	assert_string_equal(line.text, row->line);
	str_addc(&line, '\n');
	tsv_parse(str_steal(&line), &t);
	assert_int_equal(t.n_rows, 1);
	assert_int_equal(t.widths[0], n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(t.rows[0][i], row->cells[i]);
	tsv_free(&t);
}

struct figure {
	double number;
	const char *text;
};

static void check_number(void **state)
{
	const struct figure *row = *state;
	auto_str struct str line = { 0 };

	tsv_add_number(&line, row->number);
	assert_string_equal(line.text, row->text);
}

static void check_time(void **state)
{
	const struct figure *row = *state;
	auto_str struct str line = { 0 };

	tsv_add_time(&line, row->number);
	assert_string_equal(line.text, row->text);
}

static void test_numbers_stand_in_cells(void **state)
{
	auto_str struct str line = { 0 };

	(void)state;
	tsv_add_time(&line, 1);
	tsv_add_number(&line, 2);
	tsv_add_cell(&line, "x");
	assert_string_equal(line.text, "1.000000\t2\tx");
}

/*
 * LC_NUMERIC of a locale with a decimal comma, as localedef(1) of glibc
 * writes it: few machines have such a locale.
 */
static const unsigned char comma[] = {
	0x14, 0x11, 0x03, 0x20, 0x06, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00,
	0x22, 0x00, 0x00, 0x00, 0x23, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00, 0x00,
	0x28, 0x00, 0x00, 0x00, 0x2c, 0x00, 0x00, 0x00, 0x2c, 0x00, 0x00, 0x00,
	0x2c, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x41, 0x4e, 0x53, 0x49,
	0x5f, 0x58, 0x33, 0x2e, 0x34, 0x2d, 0x31, 0x39, 0x36, 0x38, 0x00,
};

/* Go over to it; false if this libc takes no such file. */
static bool set_comma_locale(void)
{
	char dir[] = "/tmp/test_tsv.XXXXXX";
	auto_free char *path = NULL;
	auto_free char *file = NULL;
	bool is_set;
	FILE *f;

	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/comma", dir);
	file = xasprintf("%s/LC_NUMERIC", path);
	assert_int_equal(mkdir(path, 0755), 0);
	f = fopen(file, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(comma, 1, sizeof(comma), f), sizeof(comma));
	assert_int_equal(fclose(f), 0);
	setenv("LOCPATH", dir, 1);
	is_set = setlocale(LC_NUMERIC, "comma") != NULL;
	unsetenv("LOCPATH");
	assert_int_equal(tree_remove(dir), 0);
	return is_set;
}

static void test_decimal_comma(void **state)
{
	auto_str struct str line = { 0 };
	char check[8];

	(void)state;
	if (!set_comma_locale()) {
		print_message("this libc takes no such locale\n");
		skip();
	}
	snprintf(check, sizeof(check), "%.1f", 0.5);
	tsv_add_number(&line, 0.5);
	tsv_add_number(&line, 1.25e300);
	tsv_add_time(&line, 1.5);
	setlocale(LC_NUMERIC, "C");
	assert_string_equal(check, "0,5");
	assert_string_equal(line.text, "0.5\t1.25e+300\t1.500000");
}

static void test_what_is_left_out(void **state)
{
	struct tsv t;

	(void)state;
	tsv_parse(xstrdup("# a comment\na\tb\n\n1\t2\n3\t4\ncut\toff"), &t);
	assert_int_equal(t.n_rows, 3);
	assert_string_equal(tsv_get(&t, 2, "b"), "4");
	assert_string_equal(tsv_get(&t, 2, "c"), "");
	assert_string_equal(tsv_get(&t, 3, "a"), "");
	tsv_free(&t);
}

#define ROW(name, line, ...)                                                   \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			{ __VA_ARGS__ }, line                                  \
		}                                                              \
	}
#define NUMBER(name, number, text)                                             \
	{                                                                      \
		name, check_number, NULL, NULL, &(struct figure)               \
		{                                                              \
			number, text                                           \
		}                                                              \
	}
#define TIME(name, number, text)                                               \
	{                                                                      \
		name, check_time, NULL, NULL, &(struct figure)                 \
		{                                                              \
			number, text                                           \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("plain", "a\tb", "a", "b"),
		ROW("empty behind the first", "a\t\t\tb", "a", "", "", "b"),
		ROW("tab and newline", "a\\tb\tc\\nd", "a\tb", "c\nd"),
		ROW("backslash before t", "a\\\\tb", "a\\tb"),
		ROW("first begins with a hash", "\\#sql-1\t#2", "#sql-1", "#2"),
		ROW("only a hash", "\\#", "#"),
		ROW("empty first", "\\e\tb", "", "b"),
		ROW("empty first twice", "\\e\t\tb", "", "", "b"),
		ROW("nothing but an empty cell", "\\e", ""),
		ROW("backslash before e", "\\\\e", "\\e"),
		NUMBER("zero", 0, "0"),
		NUMBER("negative zero", -0.0, "0"),
		NUMBER("bytes keep all digits", 123456789012345.0,
		       "123456789012345"),
		NUMBER("beyond 1e15", 1e15, "1e+15"),
		NUMBER("negative", -17, "-17"),
		NUMBER("nine digits", 1.0 / 3, "0.333333333"),
		NUMBER("small", 1.5e-7, "1.5e-07"),
		NUMBER("missing", NAN, "-"),
		NUMBER("infinite", INFINITY, "-"),
		TIME("microseconds", 12.3456789, "12.345679"),
		TIME("below zero", -0.5, "-0.500000"),
		TIME("rounded up to a second", 0.9999999, "1.000000"),
		cmocka_unit_test(test_numbers_stand_in_cells),
		cmocka_unit_test(test_decimal_comma),
		cmocka_unit_test(test_what_is_left_out),
	};

	return cmocka_run_group_tests_name("tsv", tests, NULL, NULL);
}
