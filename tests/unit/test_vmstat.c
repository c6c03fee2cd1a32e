/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/vmstat: names and numbers of /proc/vmstat, meminfo, memory.stat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/mem.h"
#include "base/root.h"
#include "kern/vmstat.h"

struct get_row {
	const char *text;
	const char *name;
	int ret;
	uint64_t value;
};

static void check_get(void **state)
{
	const struct get_row *row = *state;
	uint64_t value = 4711;

	assert_int_equal(vmstat_get(row->text, row->name, &value), row->ret);
	assert_int_equal(value, row->ret ? 4711 : row->value);
}

struct tree_row {
	const char *tree;
	const char *file;
	const char *name;
	int ret;
	uint64_t value;
};

static void check_tree(void **state)
{
	const struct tree_row *row = *state;
	auto_free char *path = xasprintf("tests/roots/%s", row->tree);
	auto_free char *text = NULL;
	struct root root;
	uint64_t value = 4711;

	assert_int_equal(root_open(path, &root), 0);
	assert_int_equal(root_read(&root, row->file, &text), 0);
	root_close(&root);
	assert_int_equal(vmstat_get(text, row->name, &value), row->ret);
	assert_int_equal(value, row->ret ? 4711 : row->value);
}

static void finds_several_at_once(void **state)
{
	static const char *const names[] = { "c", "missing", "a", "b" };
	unsigned char is_there[4] = { 9, 9, 9, 9 };
	uint64_t found[4] = { 0 };

	(void)state;
	assert_int_equal(vmstat_parse("a 1\nb 2\nz 3\nc 4\na 5\n", names, 4,
				      found, is_there),
			 3);
	assert_int_equal(found[0], 4);
	assert_int_equal(found[2], 1);
	assert_int_equal(found[3], 2);
	assert_int_equal(is_there[0], 1);
	assert_int_equal(is_there[1], 0);
	assert_int_equal(is_there[2], 1);
	assert_int_equal(is_there[3], 1);
}

static void finds_none_of_none(void **state)
{
	unsigned char is_there = 9;
	uint64_t found;

	(void)state;
	assert_int_equal(vmstat_parse("a 1\n", NULL, 0, &found, &is_there), 0);
	assert_int_equal(is_there, 9);
}

#define GET(name, ...)                                                         \
	{                                                                      \
		"get: " name, check_get, NULL, NULL, &(struct get_row)         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TREE(name, ...)                                                        \
	{                                                                      \
		"tree: " name, check_tree, NULL, NULL, &(struct tree_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GET("first line", "a 1\nb 2\n", "a", 0, 1),
		GET("last line", "a 1\nb 2\n", "b", 0, 2),
		GET("last line without its end", "a 1\nb 2", "b", 0, 2),
		GET("zero is a value", "a 0\n", "a", 0, 0),
		GET("not there", "a 1\nb 2\n", "c", -ENOENT, 0),
		GET("empty text", "", "a", -ENOENT, 0),
		GET("only newlines", "\n\n\n", "a", -ENOENT, 0),
		GET("prefix of a name", "pgfault 7\n", "pg", -ENOENT, 0),
		GET("name is a prefix", "pg 7\n", "pgfault", -ENOENT, 0),
		GET("the first of two", "a 1\na 2\n", "a", 0, 1),
		GET("a bad one, then a good one", "a x\na 2\n", "a", 0, 2),
		GET("no value", "a\nb 2\n", "a", -ENOENT, 0),
		GET("value on the next line", "a \n7 8\n", "a", -ENOENT, 0),
		GET("negative", "a -1\n", "a", -ENOENT, 0),
		GET("rest behind the value", "a 12x\n", "a", -ENOENT, 0),
		GET("fraction", "a 1.5\n", "a", -ENOENT, 0),
		GET("largest", "a 18446744073709551615\n", "a", 0, UINT64_MAX),
		GET("too large", "a 18446744073709551616\n", "a", -ENOENT, 0),
		GET("kilobytes", "MemTotal:  24684096 kB\n", "MemTotal", 0,
		    UINT64_C(24684096) * 1024),
		GET("kilobytes that do not fit",
		    "MemTotal: 18014398509481984 kB\n", "MemTotal", -ENOENT, 0),
		GET("most kilobytes that fit",
		    "MemTotal: 18014398509481983 kB\n", "MemTotal", 0,
		    UINT64_C(18014398509481983) * 1024),
		GET("a count among kilobytes", "HugePages_Total:       3\n",
		    "HugePages_Total", 0, 3),
		GET("a name with brackets", "Active(anon):   12 kB\n",
		    "Active(anon)", 0, 12288),
		GET("tab, as status has it", "THP_enabled:\t1\n", "THP_enabled",
		    0, 1),
		GET("more fields", "page_size 1 2\n", "page_size", 0, 1),
		TREE("collapses of the host", "host-6.18", "proc/vmstat",
		     "thp_collapse_alloc", 0, 128),
		TREE("memory of the host", "host-6.18", "proc/meminfo",
		     "MemTotal", 0, UINT64_C(24684096) * 1024),
		TREE("memory of the arm64 server", "arm64-6.12", "proc/meminfo",
		     "Hugepagesize", 0, 512 << 20),
		TREE("name without value", "broken", "proc/vmstat",
		     "thp_fault_alloc", -ENOENT, 0),
		TREE("negative value", "broken", "proc/vmstat",
		     "thp_collapse_alloc", -ENOENT, 0),
		TREE("overflow", "broken", "proc/vmstat", "thp_split_page",
		     -ENOENT, 0),
		TREE("rest behind the value", "broken", "proc/vmstat",
		     "pgfault", -ENOENT, 0),
		TREE("kilobytes that do not fit", "broken", "proc/meminfo",
		     "SwapTotal", -ENOENT, 0),
		TREE("word for a number", "broken", "proc/meminfo",
		     "MemAvailable", -ENOENT, 0),
		cmocka_unit_test(finds_several_at_once),
		cmocka_unit_test(finds_none_of_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
