/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms of a table: text, Markdown, CSV, JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>

#include "base/mem.h"
#include "out/table.h"
#include "out/wrap.h"

/* Cells of one table, row by row; a cell "!why" is missing. */
struct form_row {
	bool is_grouped;
	size_t n_columns;
	const char *columns[10]; /* "<title|unit": aligned left */
	const char *cells[40];
	const char *notes[4];
	enum table_format format;
	const char *expected;
};

static void add_column(struct table *t, const char *text)
{
	bool is_left = *text == '<';
	auto_free char *title = xstrdup(text + is_left);
	char *unit = strchr(title, '|');

	if (unit)
		*unit++ = '\0';
	table_column(t, title, unit ? unit : "", is_left);
}

static void fill(const struct form_row *row, struct table *t)
{
	table_begin(t, "memory", "what is there");
	t->is_grouped = row->is_grouped;
	for (size_t i = 0; i < row->n_columns; i++)
		add_column(t, row->columns[i]);
	for (size_t i = 0; row->cells[i]; i++) {
		if (row->cells[i][0] == '!')
			table_missing(t, row->cells[i] + 1);
		else
			table_cell(t, "%s", row->cells[i]);
	}
	for (size_t i = 0; row->notes[i]; i++)
		table_note(t, "%s", row->notes[i]);
}

/* The rules for mail, of any text. */
static void assert_is_mail(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		assert_true(n <= WRAP_WIDTH);
		assert_false(wrap_is_unsafe(text));
		for (size_t i = 0; i < n; i++)
			assert_in_range(text[i], ' ', '~');
		assert_true(n == 0 || text[n - 1] != ' ');
		assert_int_equal(text[n], '\n');
		text += n + 1;
	}
}

static void check_form(void **state)
{
	const struct form_row *row = *state;
	auto_str struct str out = { 0 };
	struct table t;

	fill(row, &t);
	table_print(&t, "exp 1", row->format, &out);
	if (row->format == TABLE_TEXT)
		assert_is_mail(out.text);
	assert_string_equal(out.text, row->expected);
	table_free(&t);
}

#define COLUMNS(...) .columns = { __VA_ARGS__ }
#define CELLS(...) .cells = { __VA_ARGS__ }
#define NOTES(...) .notes = { __VA_ARGS__ }
#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_form, NULL, NULL, &(struct form_row)               \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/* 73 columns with two blanks in front of rows: with one they fit. */
static void test_one_column_less(void **state)
{
	auto_str struct str out = { 0 };
	struct table t;

	(void)state;
	table_begin(&t, "x", "y");
	t.is_grouped = true;
	table_column(&t, "metric", "", true);
	table_column(&t, "arm", "", true);
	table_column(&t, "value", "", false);
	table_column(&t, "verdict", "", false);
	table_cell(&t, "TPS");
	table_cell(&t, "a label of 16 by");
	table_cell(&t, "1234567890123456789012345");
	table_cell(&t, "12345678901234567890123456");
	table_print(&t, "", TABLE_TEXT, &out);
	assert_is_mail(out.text);
	assert_non_null(strstr(out.text, "\nTPS\n a label of 16 by  "
					 "1234567890123456789012345  "
					 "12345678901234567890123456\n"));
	table_free(&t);
}

/* Every cell as wide as may be, in many columns: parts, wrapped labels. */
static void test_wide_tables_fit(void **state)
{
	static const char *const label =
		"# a very long label, with commas and blanks, that no table "
		"of 72 columns can hold beside its figures";
	(void)state;
	for (size_t n_columns = 1; n_columns < 14; n_columns++) {
		for (int is_grouped = 0; is_grouped < 2; is_grouped++) {
			auto_str struct str out = { 0 };
			struct table t;

			table_begin(&t, "wide", label);
			t.is_grouped = is_grouped;
			table_column(&t, label, "", true);
			for (size_t c = 1; c < n_columns; c++)
				table_column(&t, "--- title", label,
					     c % 4 == 1);
			for (size_t i = 0; i < 3 * n_columns; i++)
				table_cell(&t, "%s", i % 2 ? "--- 1" : label);
			table_note(&t, "%s", "--- \xc2\xb1 note");
			table_print(&t, "", TABLE_TEXT, &out);
			assert_is_mail(out.text);
			table_free(&t);
		}
	}
}

/* No figure gets lost where a table is cut into parts. */
static void test_parts_hold_every_cell(void **state)
{
	auto_str struct str out = { 0 };
	struct table t;

	(void)state;
	table_begin(&t, "parts", "numbers");
	table_column(&t, "arm", "", true);
	for (size_t c = 1; c < 30; c++)
		table_column(&t, "number", "1/s", false);
	for (size_t i = 0; i < 60; i++)
		table_cell(&t, "cell-%zu.", i);
	table_print(&t, "", TABLE_TEXT, &out);
	assert_is_mail(out.text);
	for (size_t i = 0; i < 60; i++) {
		auto_free char *cell = xasprintf("cell-%zu.", i);

		assert_non_null(strstr(out.text, cell));
	}
	table_free(&t);
}

/* A part whose columns have no unit has no empty line for it. */
static void test_part_without_units(void **state)
{
	static const char wide[] = "twenty characters, x";
	auto_str struct str out = { 0 };
	struct table t;

	(void)state;
	table_begin(&t, "parts", "words");
	table_column(&t, "arm", "", true);
	table_column(&t, "TPS", "1/s", false);
	for (size_t c = 0; c < 4; c++)
		table_column(&t, "verdict", "", false);
	table_cell(&t, "%s", "a");
	table_cell(&t, "%s", "12");
	for (size_t c = 0; c < 4; c++)
		table_cell(&t, "%s", wide);
	table_print(&t, "x", TABLE_TEXT, &out);
	assert_non_null(strstr(out.text, "\n     1/s\n"));
	assert_non_null(strstr(out.text, "verdict\n==="));
	assert_null(strstr(out.text, "\n\n==="));
	table_free(&t);
}

static void test_json_form(void **state)
{
	auto_str struct str out = { 0 };
	struct table t;
	json_t *json;

	(void)state;
	table_begin(&t, "memory", "a \"title\"");
	table_column(&t, "arm", "", true);
	table_column(&t, "total", "GiB", false);
	table_cell(&t, "%s", "bad \xff utf-8");
	table_missing(&t, "no reader");
	table_note(&t, "n: %d", 5);
	table_print(&t, "", TABLE_JSON, &out);
	json = json_loads(out.text, 0, NULL);
	assert_non_null(json);
	assert_string_equal(json_string_value(json_object_get(json, "title")),
			    "a \"title\"");
	json_t *row = json_array_get(json_object_get(json, "rows"), 0);

	assert_string_equal(json_string_value(json_array_get(row, 0)),
			    "bad ? utf-8");
	assert_string_equal(json_string_value(
				    json_object_get(json_array_get(row, 1),
						    "missing")),
			    "no reader");
	json_decref(json);
	table_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("text: labels left, figures right, units below",
		    .n_columns = 3, COLUMNS("<arm", "total|GiB", "share|%"),
		    CELLS("T n", "2.07", "0", "T n, D c", "12.10", "60.39"),
		    NOTES("n: 5."), .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"arm       total  share\n"
				"            GiB      %\n"
				"======================\n"
				"T n        2.07      0\n"
				"T n, D c  12.10  60.39\n"
				"\n"
				"n: 5.\n"),
		ROW("text: no units, no line of them", .n_columns = 2,
		    COLUMNS("<arm", "n"), CELLS("a", "1"), .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"arm  n\n"
				"======\n"
				"a    1\n"),
		ROW("text: reasons are numbered, each once", .n_columns = 3,
		    COLUMNS("<arm", "x|s", "y|s"),
		    CELLS("a", "!no PMU", "1", "b", "!no PMU", "!off"),
		    NOTES("n: 5."), .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"arm        x        y\n"
				"           s        s\n"
				"=====================\n"
				"a    n/a (1)        1\n"
				"b    n/a (1)  n/a (2)\n"
				"\n"
				"(1) no PMU\n"
				"(2) off\n"
				"n: 5.\n"),
		ROW("text: no rows, only why", .n_columns = 2,
		    COLUMNS("<arm", "n"), NOTES("No run counts."),
		    .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"No run counts.\n"),
		ROW("text: no columns at all", .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"),
		ROW("text: groups on lines of their own", .is_grouped = true,
		    .n_columns = 3, COLUMNS("<setting", "<arm", "n|runs"),
		    CELLS("enabled", "T n", "5", "enabled", "T m", "4",
			  "defrag", "T n", "5"),
		    .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"setting\n"
				"  arm     n\n"
				"       runs\n"
				"===========\n"
				"enabled\n"
				"  T n     5\n"
				"  T m     4\n"
				"defrag\n"
				"  T n     5\n"),
		ROW("text: a label that git would cut off moves the table",
		    .n_columns = 2, COLUMNS("<arm", "n"),
		    CELLS("--- x", "1", "#2", "1"), NOTES("--- note"),
		    .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				" arm    n\n"
				"=========\n"
				" --- x  1\n"
				" #2     1\n"
				"\n"
				" --- note\n"),
		ROW("text: what is not ASCII", .n_columns = 2,
		    COLUMNS("<arm", "n|\xc2\xb5s"),
		    CELLS("na\xc3\xafve \xe2\x82\xac", "1\t2"),
		    .format = TABLE_TEXT,
		    .expected = "memory: what is there\n"
				"\n"
				"arm        n\n"
				"          us\n"
				"============\n"
				"na?ve ?  1 2\n"),
		ROW("text: a long label is wrapped", .n_columns = 3,
		    COLUMNS("<arm", "total|GiB", "change|%"),
		    CELLS("THP madvise, DAMOS hugepage, quota 1000, tuner "
			  "temporal",
			  "2.07", "+0.27 % [-0.11, +0.65]"),
		    .format = TABLE_TEXT,
		    .expected =
			    "memory: what is there\n"
			    "\n"
			    "arm                                       total  "
			    "                change\n"
			    "                                            GiB  "
			    "                     %\n"
			    "================================================="
			    "======================\n"
			    "THP madvise, DAMOS hugepage, quota 1000,   2.07  "
			    "+0.27 % [-0.11, +0.65]\n"
			    "tuner temporal\n"),
		ROW("Markdown: alignment, units, escapes, reasons",
		    .n_columns = 2, COLUMNS("<arm", "total|GiB"),
		    CELLS("a|b*\\", "1.2", "x\ny_", "!a_b"), NOTES("n: 5."),
		    .format = TABLE_MARKDOWN,
		    .expected = "**memory**: what is there\n"
				"\n"
				"| arm | total, GiB |\n"
				"|:---|---:|\n"
				"| a\\|b\\*\\\\ | 1.2 |\n"
				"| x y\\_ | n/a (1) |\n"
				"\n"
				"- (1) a_b\n"
				"- n: 5.\n"),
		ROW("Markdown: no rows", .n_columns = 1, COLUMNS("<arm"),
		    NOTES("No run counts."), .format = TABLE_MARKDOWN,
		    .expected = "**memory**: what is there\n"
				"\n"
				"- No run counts.\n"),
		ROW("CSV: quotes, commas, line ends", .n_columns = 2,
		    COLUMNS("<arm", "total|GiB"),
		    CELLS("T n, D c", "1.2", "say \"x\"", "a\nb"),
		    NOTES("left out"), .format = TABLE_CSV,
		    .expected = "table,experiment,arm,total (GiB),missing\n"
				"memory,exp 1,\"T n, D c\",1.2,\n"
				"memory,exp 1,\"say \"\"x\"\"\",\"a\nb\",\n"),
		ROW("CSV: reasons in the last column", .n_columns = 3,
		    COLUMNS("<arm", "x", "y"),
		    CELLS("a", "!no PMU, here", "!off"), .format = TABLE_CSV,
		    .expected = "table,experiment,arm,x,y,missing\n"
				"memory,exp 1,a,n/a,n/a,"
				"\"x: no PMU, here; y: off\"\n"),
		ROW("CSV: no rows", .n_columns = 1, COLUMNS("<arm"),
		    .format = TABLE_CSV,
		    .expected = "table,experiment,arm,missing\n"),
		cmocka_unit_test(test_one_column_less),
		cmocka_unit_test(test_wide_tables_fit),
		cmocka_unit_test(test_parts_hold_every_cell),
		cmocka_unit_test(test_part_without_units),
		cmocka_unit_test(test_json_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
