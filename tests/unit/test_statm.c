/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/statm: pages become bytes; whether the counters are exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "kern/smaps.h"
#include "kern/statm.h"

struct row {
	const char *text;
	int ret;
	uint64_t resident; /* in pages */
	uint64_t shared;
};

static void check_parse(void **state)
{
	const struct row *row = *state;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct statm statm = { .resident_bytes = 4711 };

	assert_int_equal(statm_parse(row->text, &statm), row->ret);
	if (row->ret) {
		assert_int_equal(statm.resident_bytes, 4711);
		return;
	}
	assert_int_equal(statm.resident_bytes, row->resident * page);
	assert_int_equal(statm.shared_bytes, row->shared * page);
}

/* Where it is said to be exact, it is what the page tables hold. */
static void agrees_with_smaps(void **state)
{
	auto_free char *text = NULL;
	auto_free char *rollup = NULL;
	struct smaps_sum sum;
	struct statm statm;
	struct root root;
	uint64_t slack = 256 * NUM_KIB; /* what reading itself touches */

	(void)state;
	if (!statm_is_exact()) {
		printf("skipped: statm of this kernel is not exact\n");
		skip();
	}
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(root_read(&root, "proc/self/smaps_rollup", &rollup),
			 0);
	assert_int_equal(root_read(&root, "proc/self/statm", &text), 0);
	root_close(&root);
	assert_int_equal(smaps_parse_rollup(rollup, &sum), 0);
	assert_int_equal(statm_parse(text, &statm), 0);
	assert_true(statm.resident_bytes + slack >= sum.rss_bytes);
	assert_true(statm.resident_bytes <= sum.rss_bytes + slack);
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
		ROW("a server", "346945 60688 5941 2353 0 141959 0\n", 0, 60688,
		    5941),
		ROW("the three that are read", "3 2 1", 0, 2, 1),
		ROW("a kernel thread", "0 0 0 0 0 0 0\n", 0, 0, 0),
		ROW("empty, as of a dead process", "", -EPROTO, 0, 0),
		ROW("cut short", "3 2", -EPROTO, 0, 0),
		ROW("negative", "3 -2 1", -EPROTO, 0, 0),
		ROW("words", "a b c", -EPROTO, 0, 0),
		ROW("more resident than there is", "3 4 1", -EPROTO, 0, 0),
		ROW("more shared than resident", "3 2 3", -EPROTO, 0, 0),
		ROW("bytes that do not fit",
		    "18446744073709551615 18446744073709551615 1", -EPROTO, 0,
		    0),
		ROW("pages that do not fit", "18446744073709551616 1 1",
		    -EPROTO, 0, 0),
		cmocka_unit_test(agrees_with_smaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
