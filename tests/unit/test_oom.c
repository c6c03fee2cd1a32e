/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Full memory as a reason, by what the kernel has killed since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/mem.h"
#include "bench/run/oom.h"
#include "scratch.h"

struct row {
	const char *vmstat;
	uint64_t before;
	const char *help;
	const char *reason;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *reason = NULL;
	struct scratch s;

	assert_int_equal(scratch_open(&s, "host-6.18"), 0);
	assert_int_equal(scratch_put(&s, "proc/vmstat", row->vmstat), 0);
	reason =
		oom_reason(&s.root, row->before, xstrdup("it died"), row->help);
	assert_string_equal(reason, row->reason);
	assert_int_equal(scratch_close(&s), 0);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

#define FULL                                                                   \
	"it died; this machine's memory, or what a cgroup allows of it, was "  \
	"full meanwhile, and its kernel killed "

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("none ever", "oom_kill 0\n", 0, "buy more", "it died"),
		ROW("before alone", "oom_kill 3\n", 3, NULL, "it died"),
		ROW("not known", "nr_free_pages 1\n", 0, NULL, "it died"),
		ROW("one since", "oom_kill 4\n", 3, NULL, FULL "1 process"),
		ROW("two since, and help", "oom_kill 2\n", 0, "buy more",
		    FULL "2 processes: buy more"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
