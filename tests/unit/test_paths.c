/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where data files are found, on a made-up tree. */
#include "base/paths.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	const char *made;  /* the file that there is, below the folder */
	const char *exe;   /* the running program */
	const char *share; /* $THPBENCH_SHARE, below the folder */
	const char *name;
	int is_found;
};

static void make_file(const char *dir, const char *rel)
{
	auto_free char *path = xasprintf("%s/%s", dir, rel);
	auto_free char *folder =
		xstrndup(path, (size_t)(strrchr(path, '/') - path));

	assert_int_equal(file_mkdirs(folder), 0);
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void check_row(void **state)
{
	const struct row *row = *state;
	char dir[] = "/tmp/thpbench-paths-XXXXXX";
	auto_free char *exe = NULL;
	auto_free char *share = NULL;
	auto_free char *want = NULL;
	auto_free char *got = NULL;

	assert_non_null(mkdtemp(dir));
	make_file(dir, row->made);
	make_file(dir, row->exe);
	exe = xasprintf("%s/%s", dir, row->exe);
	if (row->share)
		share = xasprintf("%s/%s", dir, row->share);
	want = xasprintf("%s/%s", dir, row->made);
	got = paths_find_for(exe, share, row->name);
	tree_remove(dir);
	if (row->is_found)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void check_nowhere(void **state)
{
	(void)state;
	err_quiet(1);
	assert_null(paths_find("no-such-file.lua"));
	err_quiet(0);
	assert_non_null(strstr(err_last(), "THPBENCH_SHARE"));
	assert_non_null(strstr(err_last(), "/workloads"));
}

#define ROW(title, ...)                                                        \
	{                                                                      \
		title, check_row, NULL, NULL, &(struct row)                    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("built, a script", "t/workloads/a.lua", "t/build/thpbench",
		    NULL, "a.lua", 1),
		ROW("built, a library", "t/build/x.so", "t/build/thpbench",
		    NULL, "x.so", 1),
		ROW("a test program", "t/build/x.so", "t/build/tests/test_a",
		    NULL, "x.so", 1),
		ROW("sanitized and by clang", "t/workloads/a.lua",
		    "t/build/san/clang/tests/test_a", NULL, "a.lua", 1),
		ROW("sanitized, its own program", "t/build/san/memtouch",
		    "t/build/san/thpbench", NULL, "memtouch", 1),
		ROW("the inner build", "build/t/workloads/a.lua",
		    "build/t/build/thpbench", NULL, "a.lua", 1),
		ROW("installed, shared", "u/share/thpbench/a.lua",
		    "u/bin/thpbench", NULL, "a.lua", 1),
		ROW("installed, library", "u/lib/thpbench/x.so",
		    "u/bin/thpbench", NULL, "x.so", 1),
		ROW("by the variable", "else/a.lua", "u/bin/thpbench", "else",
		    "a.lua", 1),
		ROW("an empty variable", "u/share/thpbench/a.lua",
		    "u/bin/thpbench", "", "a.lua", 1),
		ROW("not from a folder above", "workloads/a.lua",
		    "u/bin/thpbench", NULL, "a.lua", 0),
		ROW("not from another tests/", "u/x.so", "u/tests/thpbench",
		    NULL, "x.so", 0),
		cmocka_unit_test(check_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
