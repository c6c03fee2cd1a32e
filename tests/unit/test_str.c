/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/str: texts that grow, fields, nearest words, names of folders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

struct text_row {
	const char *in;
	const char *out;
};

static void check_trim(void **state)
{
	const struct text_row *row = *state;
	auto_free char *copy = xstrdup(row->in);

	assert_string_equal(str_trim(copy), row->out);
}

static void check_slug(void **state)
{
	const struct text_row *row = *state;
	auto_free char *slug = str_slug(row->in);

	assert_string_equal(slug, row->out);
}

struct split_row {
	const char *in;
	char sep;
	size_t n;
	const char *fields; /* joined by '|' */
};

static void check_split(void **state)
{
	const struct split_row *row = *state;
	auto_free char *copy = xstrdup(row->in);
	auto_free char **fields = NULL;
	auto_str struct str joined = { 0 };
	size_t n = 4711;

	fields = str_split(copy, row->sep, &n);
	for (size_t i = 0; i < n; i++)
		str_addf(&joined, "%s%s", i ? "|" : "", fields[i]);
	assert_int_equal(n, row->n);
	assert_string_equal(joined.text ? joined.text : "", row->fields);
}

struct near_row {
	const char *word;
	const char *nearest; /* NULL: none */
};

static void check_nearest(void **state)
{
	static const char *const words[] = { "buffer_pool", "tables",
					     "table_size",  "threads",
					     "thp",         A64 };
	const struct near_row *row = *state;
	const char *got = str_nearest(row->word, words, ARRAY_SIZE(words));

	if (row->nearest)
		assert_string_equal(got ? got : "none", row->nearest);
	else
		assert_null(got);
}

static void nearest_of_none(void **state)
{
	(void)state;
	assert_null(str_nearest("thp", NULL, 0));
}

/* Every length around the doubling of its room; ASan watches the ends. */
static void grows_by_one(void **state)
{
	auto_str struct str s = { 0 };

	(void)state;
	for (size_t i = 0; i < 5000; i++) {
		str_addc(&s, (char)('a' + i % 26));
		assert_int_equal(s.len, i + 1);
		assert_int_equal(s.text[i], 'a' + (int)(i % 26));
		assert_int_equal(s.text[i + 1], 0);
	}
	assert_int_equal(strlen(s.text), 5000);
}

static void grows_at_once(void **state)
{
	static char big[100000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	for (size_t before = 0; before < 130; before++) {
		auto_str struct str s = { 0 };

		for (size_t i = 0; i < before; i++)
			str_addc(&s, 'a');
		str_add(&s, big);
		assert_int_equal(s.len, before + sizeof(big) - 1);
		assert_int_equal(s.text[s.len], 0);
	}
}

static void formats_and_steals(void **state)
{
	struct str s = { 0 };
	char *text;

	(void)state;
	text = str_steal(&s);
	assert_string_equal(text, "");
	free(text);
	str_addf(&s, "%d-%s", 7, "b");
	str_addn(&s, "cdef", 2);
	str_add(&s, "");
	assert_int_equal(s.len, 5);
	text = str_steal(&s);
	assert_string_equal(text, "7-bcd");
	assert_null(s.text);
	assert_int_equal(s.len, 0);
	free(text);
	str_free(&s);
	str_free(&s);
}

/* A NUL in the middle is kept: text and len are both there. */
static void holds_nul(void **state)
{
	auto_str struct str s = { 0 };

	(void)state;
	str_addn(&s, "a\0b", 3);
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.text, "a\0b", 4);
}

static void compares(void **state)
{
	(void)state;
	assert_true(str_starts("abc", "ab"));
	assert_true(str_starts("abc", ""));
	assert_false(str_starts("ab", "abc"));
	assert_true(str_ends("abc", "bc"));
	assert_true(str_ends("abc", ""));
	assert_false(str_ends("bc", "abc"));
	assert_true(str_eq(NULL, NULL));
	assert_false(str_eq(NULL, ""));
	assert_false(str_eq("", NULL));
	assert_true(str_eq("a", "a"));
}

#define ROW(kind, check, type, name, ...)                                      \
	{                                                                      \
		kind ": " name, check, NULL, NULL, &(type)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TRIM(name, ...)                                                        \
	ROW("trim", check_trim, struct text_row, name, __VA_ARGS__)
#define SLUG(name, ...)                                                        \
	ROW("slug", check_slug, struct text_row, name, __VA_ARGS__)
#define SPLIT(name, ...)                                                       \
	ROW("split", check_split, struct split_row, name, __VA_ARGS__)
#define NEAR(name, ...)                                                        \
	ROW("nearest", check_nearest, struct near_row, name, __VA_ARGS__)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TRIM("both ends", " \t a b \r\n", "a b"),
		TRIM("nothing to do", "ab", "ab"),
		TRIM("only blanks", " \n ", ""),
		TRIM("empty", "", ""),
		SLUG("label of an arm", "T n, D h", "T-n-D-h"),
		SLUG("kept", "a.b_c-D9", "a.b_c-D9"),
		SLUG("ends", "  (x)  ", "x"),
		SLUG("a slash", "../../etc", "..-..-etc"),
		SLUG("bytes above 127", "caf\xc3\xa9 9", "caf-9"),
		SLUG("nothing left", "!?", ""),
		SLUG("empty", "", ""),
		SPLIT("empty fields stay", ",a,,b,", ',', 5, "|a||b|"),
		SPLIT("one", "a", ',', 1, "a"),
		SPLIT("empty is one empty field", "", ',', 1, ""),
		SPLIT("words", "  a \t b\n", ' ', 2, "a|b"),
		SPLIT("no words", " \n", ' ', 0, ""),
		SPLIT("empty has no words", "", ' ', 0, ""),
		SPLIT("lines", "a\n\nb", '\n', 3, "a||b"),
		NEAR("the same", "tables", "tables"),
		NEAR("one off", "table", "tables"),
		NEAR("neighbours swapped", "tabels", "tables"),
		NEAR("a letter twice", "threadss", "threads"),
		NEAR("nearer wins", "table_sizes", "table_size"),
		NEAR("a third of a long word", "bufer_poll", "buffer_pool"),
		NEAR("too far", "workload", NULL),
		NEAR("short: two changes", "thpxy", "thp"),
		NEAR("empty", "", NULL),
		NEAR("the longest there is", A64 "", A64),
		NEAR("longer than any word", A64 "b", NULL),
		NEAR("so long that a third is more than 64", A64 A64 A64 A64,
		     NULL),
		cmocka_unit_test(nearest_of_none),
		cmocka_unit_test(grows_by_one),
		cmocka_unit_test(grows_at_once),
		cmocka_unit_test(formats_and_steals),
		cmocka_unit_test(holds_nul),
		cmocka_unit_test(compares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
