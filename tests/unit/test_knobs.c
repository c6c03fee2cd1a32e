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
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
