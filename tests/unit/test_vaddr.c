/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/vaddr: three ranges, and the gaps that are in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kern/vaddr.h"

struct row {
	const char *maps;
	uint64_t monitored;
	uint64_t mapped;
};

static void check(void **state)
{
	const struct row *row = *state;
	struct smaps maps;
	struct vaddr v;

	assert_int_equal(smaps_parse(row->maps, &maps), 0);
	vaddr_of(&maps, &v);
	assert_int_equal(v.monitored_bytes, row->monitored);
	assert_int_equal(v.mapped_bytes, row->mapped);
	smaps_free(&maps);
}

#define MAP(from, to) from "000-" to "000 rw-p 00000000 00:00 0 \n"
#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("one", MAP("1", "3"), 0x2000, 0x2000),
		ROW("one gap is left out", MAP("1", "2") MAP("9", "a"), 0x2000,
		    0x2000),
		ROW("two are left out",
		    MAP("1", "2") MAP("9", "a") MAP("c", "d"), 0x3000, 0x3000),
		ROW("the smallest of three is monitored",
		    MAP("1", "2") MAP("4", "5") MAP("9", "a") MAP("f", "10"),
		    0x6000, 0x4000),
		ROW("equal gaps",
		    MAP("1", "2") MAP("3", "4") MAP("5", "6") MAP("7", "8"),
		    0x5000, 0x4000),
		ROW("neighbours", MAP("1", "2") MAP("2", "4"), 0x3000, 0x3000),
		ROW("vsyscall is far away",
		    MAP("1", "2") "ffffffffff600000-ffffffffff601000 --xp "
				  "00000000 00:00 0 [vsyscall]\n",
		    0x1000, 0x1000),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
