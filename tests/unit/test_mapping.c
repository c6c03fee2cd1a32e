/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/mapping: what the mappings of a server are for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/collect/mapping.h"
#include "toucher.h"

/* A server as smaps shows it: headers and the lines that are read. */
#define VMA(range, perms, name, rss, huge)                                     \
	range " " perms " 00000000 fe:00 1 " name "\n"                         \
	      "Rss: " rss " kB\nAnonHugePages: " huge " kB\n"
#define LIB "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"

static const char server_text[] = VMA("560000000000-560000400000", "r--p",
				      "/usr/sbin/mariadbd", "4096", "0")
	VMA("560000400000-560001000000", "r-xp", "/usr/sbin/mariadbd", "8000",
	    "0") VMA("560001000000-560001100000", "rw-p", "/usr/sbin/mariadbd",
		     "1024", "0") VMA("560001100000-560001180000", "rw-p", "",
				      "300", "0") /* .bss */
	VMA("560002000000-560003000000", "rw-p", "[heap]", "9000", "2048")
		VMA("7f0000000000-7f0040000000", "rw-p", "", "900000", "800768")
			VMA("7f0040000000-7f8000000000", "---p", "", "0", "0")
				VMA("7f8100000000-7f8100001000", "---p", "",
				    "0", "0")
					VMA("7f8100001000-7f810004a000", "rw-p",
					    "", "80", "0") /* stack */
	VMA("7f8100050000-7f8100051000", "---p", "", "0", "0")
		VMA("7f8100051000-7f810009a000", "rw-p", "", "90",
		    "0")                                          /* stack */
	VMA("7f8200000000-7f8200100000", "rw-p", "", "1000", "0") /* arena */
	VMA("7f8200100000-7f8204000000", "---p", "", "0",
	    "0") VMA("7f8300000000-7f8300400000", "r-xp", LIB, "3000", "0")
		VMA("7f8300400000-7f8300500000", "rw-p", LIB, "100",
		    "0") VMA("7f8300500000-7f8300600000", "rw-p", "", "12", "0")
			VMA("7f8400000000-7f8400001000", "rw-s",
			    "/[aio] (deleted)", "4", "0")
				VMA("7f8500000000-7f8500001000", "rw-p",
				    "[anon: glibc: malloc]", "4", "0")
					VMA("7ffc00000000-7ffc00021000", "rw-p",
					    "[stack]", "60", "0")
						VMA("7ffc00100000-7ffc00102000",
						    "r-xp", "[vdso]", "4", "0");

struct expected {
	const char *name;
	const char *range;
	uint64_t rss_kb;
	uint64_t huge_kb;
};

static void group_server(void **state)
{
	static const struct expected expected[] = {
		{ "buffer pool", "7f0000000000-7f0040000000", 900000, 800768 },
		{ "mariadbd", "4 mappings", 13420, 0 },
		{ "[heap]", "560002000000-560003000000", 9000, 2048 },
		{ "libraries", "3 mappings", 3112, 0 },
		{ "[anon]", "7f8200000000-7f8200100000", 1000, 0 },
		{ "thread stacks", "2 mappings", 170, 0 },
		{ "[stack]", "7ffc00000000-7ffc00021000", 60, 0 },
		{ "[anon: glibc: malloc]", "7f8500000000-7f8500001000", 4, 0 },
		{ "files", "7f8400000000-7f8400001000", 4, 0 },
		{ "kernel's own", "7ffc00100000-7ffc00102000", 4, 0 },
		{ "reserved", "4 mappings", 0, 0 },
	};
	struct mappings m;
	struct smaps smaps;

	(void)state;
	assert_int_equal(smaps_parse(server_text, &smaps), 0);
	mapping_group(&smaps, "mariadbd", true, &m);
	assert_int_equal(m.n, ARRAY_SIZE(expected));
	for (size_t i = 0; i < m.n; i++) {
		assert_string_equal(m.list[i].name, expected[i].name);
		assert_string_equal(m.list[i].range, expected[i].range);
		assert_int_equal(m.list[i].rss_bytes,
				 expected[i].rss_kb * NUM_KIB);
		assert_int_equal(m.list[i].huge_bytes,
				 expected[i].huge_kb * NUM_KIB);
	}
	mappings_free(&m);
	mapping_group(&smaps, "mariadbd", false, &m);
	assert_string_equal(m.list[0].name, "largest anonymous");
	mappings_free(&m);
	smaps_free(&smaps);
}

struct row {
	double before_mib;
	double after_mib;
	double smaps_mib;
	bool differs;
};

static void check_mismatch(void **state)
{
	const struct row *row = *state;
	const double mib = (double)NUM_MIB;
	struct mapping_check as_huge = {
		.huge_bytes = { row->before_mib * mib, row->after_mib * mib },
		.rss_bytes = { 1e12, 1e12 },
		.smaps_huge_bytes = row->smaps_mib * mib,
		.smaps_rss_bytes = 1e12,
	};
	struct mapping_check as_rss = {
		.rss_bytes = { row->before_mib * mib, row->after_mib * mib },
		.huge_bytes = { 0, 0 },
		.smaps_rss_bytes = row->smaps_mib * mib,
	};
	auto_free char *huge = mapping_mismatch(&as_huge, "a source", "end");
	auto_free char *rss = mapping_mismatch(&as_rss, "a source", "end");

	assert_int_equal(huge != NULL, row->differs);
	assert_int_equal(rss != NULL, row->differs);
	if (!row->differs)
		return;
	assert_non_null(strstr(huge, " huge, "));
	assert_non_null(strstr(rss, " resident, "));
	assert_non_null(strstr(rss, "(a source)"));
	assert_true(str_starts(rss, "at end "));
}

/* The sums are those of smaps_rollup, and the program is named. */
static void read_child(void **state)
{
	const struct toucher memory = { .huge_bytes = 32 * NUM_MIB };
	struct collect_target t = { 0 };
	struct mapping_check check;
	auto_free char *path = NULL;
	auto_free char *text = NULL;
	struct smaps_sum sum;
	struct mappings m;
	struct root root;
	bool has_program = false;

	(void)state;
	t.server_pid = toucher_start(&memory);
	assert_int_not_equal(t.server_pid, 0);
	assert_int_equal(root_open("/", &root), 0);
	t.root = &root;
	assert_int_equal(mapping_read(&t, &m, &check), 0);
	path = xasprintf("proc/%d/smaps_rollup", (int)t.server_pid);
	assert_int_equal(root_read(&root, path, &text), 0);
	toucher_end(t.server_pid);
	assert_int_equal(smaps_parse_rollup(text, &sum), 0);
	assert_true(fabs(check.smaps_rss_bytes - (double)sum.rss_bytes) < 1);
	assert_true(fabs(check.smaps_huge_bytes - (double)sum.anon_huge_bytes) <
		    1);
	assert_string_equal(m.list[0].name, "largest anonymous");
	assert_true(m.list[0].rss_bytes >= memory.huge_bytes);
	for (size_t i = 0; i < m.n; i++)
		has_program |= str_eq(m.list[i].name, "test_mapping");
	assert_true(has_program);
	mappings_free(&m);
	assert_true(mapping_read(&t, &m, &check) < 0);
	root_close(&root);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_mismatch, NULL, NULL, &(struct row)                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(group_server),
		cmocka_unit_test(read_child),
		ROW("equal", 800, 800, 800, false),
		ROW("0.9 % off", 800, 800, 807.9, false),
		ROW("2 % and 16 MiB over", 800, 800, 816.5, true),
		ROW("2 % and 16 MiB under", 816.5, 816.5, 800, true),
		ROW("half of it, but 3 MiB", 3, 3, 6, false),
		ROW("5 MiB of nothing", 5, 5, 0, true),
		ROW("it grew while smaps was read", 500, 800, 700, false),
		ROW("it grew, and still smaps has more", 500, 800, 900, true),
		ROW("the collector does not know", (double)NAN, (double)NAN,
		    900, false),
		ROW("it went while smaps was read", 900, (double)NAN, 900,
		    false),
	};

	toucher_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
