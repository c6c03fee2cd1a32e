/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/knobs: which files, in which order, and what words they offer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "kern/knobs.h"

#define THP "sys/kernel/mm/transparent_hugepage/"

struct path_row {
	const char *key;
	const char *path;
};

static void check_path(void **state)
{
	const struct path_row *row = *state;
	auto_free char *path = knob_path(row->key);

	if (row->path)
		assert_string_equal(path ? path : "NULL", row->path);
	else
		assert_null(path);
}

struct words_row {
	const char *text;
	const char *words; /* joined by '|' */
	int chosen;
};

static void check_words(void **state)
{
	const struct words_row *row = *state;
	struct str joined = { 0 };
	char **words;
	size_t n;
	int chosen = knob_words(row->text, &words, &n);

	for (size_t i = 0; i < n; i++) {
		str_add(&joined, i ? "|" : "");
		str_add(&joined, words[i]);
	}
	if (n)
		free(words[0]);
	free(words);
	assert_int_equal(chosen, row->chosen);
	assert_string_equal(joined.text ? joined.text : "", row->words);
	str_free(&joined);
}

struct value_row {
	const char *text;
	const char *value;
};

static void check_value(void **state)
{
	const struct value_row *row = *state;
	auto_free char *value = knob_value(row->text);

	assert_string_equal(value, row->value);
}

struct pair_row {
	const char *a;
	const char *b;
	bool is_true;
};

static void check_same(void **state)
{
	const struct pair_row *row = *state;

	assert_int_equal(knob_same(row->a, row->b), row->is_true);
	assert_int_equal(knob_same(row->b, row->a), row->is_true);
}

static void check_takes(void **state)
{
	const struct pair_row *row = *state;

	assert_int_equal(knob_takes(row->a, row->b), row->is_true);
}

struct show_row {
	const char *text;
	const char *value;
	const char *shown;
};

static void check_show(void **state)
{
	const struct show_row *row = *state;
	auto_free char *shown = knob_show(row->text, row->value);

	if (row->shown)
		assert_string_equal(shown ? shown : "NULL", row->shown);
	else
		assert_null(shown);
}

/* Files of a small tree, and what knobs_list() makes of it. */
static const char *const tree[] = {
	THP "enabled",
	THP "defrag",
	THP "hpage_pmd_size",
	THP "hugepages-64kB/enabled",
	THP "hugepages-64kB/stats/nr_anon",
	THP "hugepages-64kB/shmem_enabled",
	THP "khugepaged/pages_to_scan",
	THP "khugepaged/full_scans",
	THP "khugepaged/pages_collapsed",
	THP "khugepaged/some_new_knob",
	"proc/sys/vm/min_free_kbytes",
	"proc/sys/vm/swappiness",
	"proc/sys/kernel/randomize_va_space",
	"sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds",
	"sys/module/damon_stat/parameters/enabled",
};

static const char *const listed[] = {
	"sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds",
	THP "defrag",
	THP "enabled",
	THP "hugepages-64kB/enabled",
	THP "hugepages-64kB/shmem_enabled",
	THP "khugepaged/pages_to_scan",
	THP "khugepaged/some_new_knob",
	"proc/sys/kernel/randomize_va_space",
	"proc/sys/vm/min_free_kbytes",
	"sys/module/damon_stat/parameters/enabled",
};

static void test_list(void **state)
{
	char dir[] = "/tmp/thpbench-knobs-XXXXXX";
	struct root root;
	char **paths;
	size_t n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < ARRAY_SIZE(tree); i++) {
		auto_free char *path = xasprintf("%s/%s", dir, tree[i]);
		char *slash = strrchr(path, '/');

		*slash = '\0';
		assert_int_equal(file_mkdirs(path), 0);
		*slash = '/';
		assert_int_equal(file_publish(path, "1\n"), 0);
	}
	assert_int_equal(root_open(dir, &root), 0);
	assert_int_equal(knobs_list(&root, &paths, &n), 0);
	assert_int_equal(n, ARRAY_SIZE(listed));
	for (size_t i = 0; i < n; i++)
		assert_string_equal(paths[i], listed[i]);
	root_list_free(paths, n);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
}

static void test_list_of_nothing(void **state)
{
	char dir[] = "/tmp/thpbench-knobs-XXXXXX";
	struct root root;
	char **paths;
	size_t n;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(root_open(dir, &root), 0);
	assert_int_equal(knobs_list(&root, &paths, &n), 0);
	assert_int_equal(n, 0);
	root_list_free(paths, n);
	root_close(&root);
	assert_int_equal(rmdir(dir), 0);
}

#define ROW(check, type, name, ...)                                            \
	{                                                                      \
		name, check, NULL, NULL, &(struct type)                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define PATH(name, ...) ROW(check_path, path_row, "path: " name, __VA_ARGS__)
#define VALUE(name, ...)                                                       \
	ROW(check_value, value_row, "value: " name, __VA_ARGS__)
#define SAME(name, ...) ROW(check_same, pair_row, "same: " name, __VA_ARGS__)
#define TAKES(name, ...) ROW(check_takes, pair_row, "takes: " name, __VA_ARGS__)
#define SHOW(name, ...) ROW(check_show, show_row, "show: " name, __VA_ARGS__)
#define WORDS(name, ...)                                                       \
	ROW(check_words, words_row, "words: " name, __VA_ARGS__)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PATH("thp alone", "thp", THP "enabled"),
		PATH("thp.enabled", "thp.enabled", THP "enabled"),
		PATH("a file", "thp.defrag", THP "defrag"),
		PATH("khugepaged", "thp.khugepaged.pages_to_scan",
		     THP "khugepaged/pages_to_scan"),
		PATH("a size", "thp.hugepages-64kB.enabled",
		     THP "hugepages-64kB/enabled"),
		PATH("sysctl", "sysctl.vm.swappiness",
		     "proc/sys/vm/swappiness"),
		PATH("nothing behind", "thp.", NULL),
		PATH("nothing behind sysctl", "sysctl.", NULL),
		PATH("dots climb", "sysctl..", NULL),
		PATH("dots climb further", "sysctl.a...b", NULL),
		PATH("empty part", "thp.khugepaged..defrag", NULL),
		PATH("ends in a dot", "thp.khugepaged.", NULL),
		PATH("slash", "thp.khugepaged/defrag", NULL),
		PATH("slash climbs", "sysctl.vm/../../x", NULL),
		PATH("blank", "sysctl.vm.swap piness", NULL),
		PATH("another form", "damos.quota_ms", NULL),
		PATH("prefix only", "thpx", NULL),
		PATH("empty", "", NULL),
		WORDS("middle", "always [madvise] never\n",
		      "always|madvise|never", 1),
		WORDS("first", "[always] madvise never\n",
		      "always|madvise|never", 0),
		WORDS("last, with a plus", "defer+madvise [never]",
		      "defer+madvise|never", 1),
		WORDS("only one", "[none]", "none", 0),
		WORDS("white space around", " \v\n a  [b]\t\n", "a|b", 1),
		WORDS("a number", "4096\n", "", -1),
		WORDS("no choice", "always madvise never", "", -1),
		WORDS("mark left open", "always [madvise", "", -1),
		WORDS("mark in a word", "alw[ays [madvise] never", "", -1),
		WORDS("two marks", "[always] [madvise] never", "", -1),
		WORDS("empty marks", "always [] never", "", -1),
		WORDS("empty", "", "", -1),
		VALUE("words", "always [madvise] never\n", "madvise"),
		VALUE("number", "4096\n", "4096"),
		VALUE("numbers", "4096\t87380\t6291456\n",
		      "4096\t87380\t6291456"),
		VALUE("mark left open", "always [madvise\n", "always [madvise"),
		VALUE("empty", "\n", ""),
		SAME("text", "never", "never", true),
		SAME("another text", "never", "neve", false),
		SAME("number", "4096", "04096", true),
		SAME("another number", "4096", "409", false),
		SAME("hex", "0x10", "16", true),
		SAME("negative", "-1", "-01", true),
		SAME("beyond 63 bits", "18446744073709551615",
		     "0xffffffffffffffff", true),
		SAME("negative is not large", "-1", "18446744073709551615",
		     false),
		SAME("bool", "Y", "1", true),
		SAME("bool off", "N", "0", true),
		SAME("bool small", "y", "Y", true),
		SAME("bool differs", "Y", "0", false),
		SAME("two is no bool", "Y", "2", false),
		SAME("white space", "4096 87380", "4096\t87380", true),
		SAME("fewer numbers", "4096", "4096\t87380", false),
		SAME("empty", "", "0", false),
		TAKES("word", "always [madvise] never\n", "never", true),
		TAKES("no word", "always [madvise] never\n", "nev", false),
		TAKES("brackets", "always [madvise] never\n", "[madvise]",
		      false),
		TAKES("number", "4096\n", "-1", true),
		TAKES("no number", "4096\n", "max", false),
		TAKES("bool", "Y\n", "0", true),
		TAKES("no bool", "Y\n", "2", false),
		TAKES("anything", "core.%p\n", "x y", true),
		SHOW("move", "always [madvise] never\n", "never",
		     "always madvise [never]\n"),
		SHOW("stay", "[a] b\n", "a", "[a] b\n"),
		SHOW("no such word", "[a] b\n", "c", NULL),
		SHOW("number", "4096\n", "1", "1\n"),
		SHOW("no newline", "4096", "1", "1"),
		SHOW("words without newline", "[a] b", "b", "a [b]"),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
