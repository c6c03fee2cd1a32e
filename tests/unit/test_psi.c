/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/psi: the totals of /proc/pressure/memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/mem.h"
#include "base/root.h"
#include "kern/psi.h"

#define AVG "avg10=1.50 avg60=0.20 avg300=0.00 "

struct row {
	const char *text;
	int ret;
	uint64_t some_us;
	uint64_t full_us;
};

static void check_parse(void **state)
{
	const struct row *row = *state;
	struct psi psi = { .some_us = 4711, .full_us = 4712 };

	assert_int_equal(psi_parse(row->text, &psi), row->ret);
	assert_int_equal(psi.some_us, row->ret ? 4711 : row->some_us);
	assert_int_equal(psi.full_us, row->ret ? 4712 : row->full_us);
}

static void reads_trees(void **state)
{
	static const struct {
		const char *tree;
		int ret;
		uint64_t some_us;
		uint64_t full_us;
	} rows[] = {
		{ "host-6.18", 0, 0, 0 },
		{ "arm64-6.12", 0, 182736455, 98221774 },
		{ "broken", -EPROTO, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		auto_free char *path =
			xasprintf("tests/roots/%s", rows[i].tree);
		auto_free char *text = NULL;
		struct psi psi = { 0 };
		struct root root;

		assert_int_equal(root_open(path, &root), 0);
		assert_int_equal(root_read(&root, "proc/pressure/memory",
					   &text),
				 0);
		root_close(&root);
		assert_int_equal(psi_parse(text, &psi), rows[i].ret);
		assert_int_equal(psi.some_us, rows[i].some_us);
		assert_int_equal(psi.full_us, rows[i].full_us);
	}
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_parse, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("both", "some " AVG "total=12\nfull " AVG "total=3\n", 0,
		    12, 3),
		ROW("other order", "full " AVG "total=3\nsome " AVG "total=12",
		    0, 12, 3),
		ROW("no full (old cpu file)", "some " AVG "total=12\n", 0, 12,
		    0),
		ROW("more keys, unknown lines",
		    "most " AVG "total=9\nsome " AVG "x=1 total=12 y=2\n", 0,
		    12, 0),
		ROW("largest", "some " AVG "total=18446744073709551615\n", 0,
		    UINT64_MAX, 0),
		ROW("empty", "", -EPROTO, 0, 0),
		ROW("no some", "full " AVG "total=3\n", -EPROTO, 0, 0),
		ROW("no total", "some " AVG "\nfull " AVG "total=3\n", -EPROTO,
		    0, 0),
		ROW("full without total", "some " AVG "total=1\nfull " AVG,
		    -EPROTO, 0, 0),
		ROW("total is no number", "some " AVG "total=x\n", -EPROTO, 0,
		    0),
		ROW("total is negative", "some " AVG "total=-1\n", -EPROTO, 0,
		    0),
		ROW("total does not fit",
		    "some " AVG "total=18446744073709551616\n", -EPROTO, 0, 0),
		ROW("cut short", "some avg10=0.00 avg60", -EPROTO, 0, 0),
		ROW("word is a prefix", "something total=1\n", -EPROTO, 0, 0),
		cmocka_unit_test(reads_trees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
