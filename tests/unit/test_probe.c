/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/probe: what is concluded, and the memory that is touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "bench/probe.h"
#include "bench/probe_memory.h"
#include "bench/probe_tlb.h"

struct row {
	uint64_t small_walks;
	uint64_t huge_walks;
	uint64_t running_ns; /* of 1000 */
	enum probe_state state;
	const char *text;
};

static void check_judge(void **state)
{
	const struct row *row = *state;
	const struct probe_tlb_side small = { .touches = 100000,
					      .walks = row->small_walks,
					      .enabled_ns = 1000,
					      .running_ns = row->running_ns,
					      .events = "x::W (4:0x34)" };
	const struct probe_tlb_side huge = { .touches = 100000,
					     .walks = row->huge_walks,
					     .enabled_ns = 1000,
					     .running_ns = row->running_ns,
					     .events = "x::W (4:0x34)" };
	struct probe_result result = { 0 };

	probe_tlb_judge(&small, &huge, &result);
	assert_int_equal(result.state, row->state);
	assert_string_equal(result.text, row->text);
	free(result.text);
}

static struct root root;

enum { HUGE_BYTES = 2 << 20, BYTES = 16 * HUGE_BYTES };

static void check_memory(void **state)
{
	bool is_huge = *state != NULL;
	struct probe_memory m;
	int ret = probe_memory_make(&root, BYTES, HUGE_BYTES, is_huge, &m);

	if (is_huge && ret == -ENOTSUP) {
		print_message("no huge pages to be had\n");
		skip();
	}
	assert_int_equal(ret, 0);
	assert_int_equal((uintptr_t)m.base % HUGE_BYTES, 0);
	assert_int_equal(m.bytes, BYTES);
	probe_memory_touch(&m, 100000);
	/* Nearly each page of it, 12 times in the mean. */
	for (size_t page = 0; page < BYTES / 4096; page++) {
		uint64_t sum = 0;

		for (size_t line = 0; line < 4096; line += 64)
			sum += *(uint64_t *)(void *)(m.base + page * 4096 +
						     line);
		/* 1 more where it was touched at first. */
		assert_in_range(sum, 2, 60);
	}
	probe_memory_free(&m);
}

static void says_why_not(void **state)
{
	struct probe_result result = { 0 };
	struct root recorded;

	(void)state;
	assert_int_equal(root_open("tests/roots/host-6.18", &recorded), 0);
	probe_tlb(&recorded, &result);
	root_close(&recorded);
	assert_int_equal(result.state, PROBE_MISSING);
	assert_true(str_starts(result.text, "no PMU: "));
	free(result.text);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_judge, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	static char huge[] = "huge";
	const struct CMUnitTest tests[] = {
		ROW("many times", 98000, 200, 1000, PROBE_OK,
		    "page table walks a touch: 0.98000 on 4 KiB pages, "
		    "0.00200 on huge pages, by x::W (4:0x34)"),
		ROW("none on huge pages", 98000, 0, 1000, PROBE_OK,
		    "page table walks a touch: 0.98000 on 4 KiB pages, "
		    "0.00000 on huge pages, by x::W (4:0x34)"),
		ROW("just 10 times", 10000, 1000, 1000, PROBE_WRONG,
		    "page table walks a touch: 0.10000 on 4 KiB pages, "
		    "0.01000 on huge pages, by x::W (4:0x34): not more than "
		    "10 times as many; these counts are not what they say, or "
		    "memory is not mapped as the kernel says"),
		ROW("nothing", 0, 0, 1000, PROBE_WRONG,
		    "dtlb_walk counted nothing in 100000 touches of 4 KiB "
		    "pages: this CPU does not have the event"),
		ROW("never on the PMU", 0, 0, 0, PROBE_WRONG,
		    "the group with dtlb_walk opened, and was never on the "
		    "PMU: others hold its counters, or it needs more than "
		    "there are"),
		ROW("multiplexed", 98000, 200, 999, PROBE_WRONG,
		    "multiplexed: others count on this PMU too"),
		{ "small pages", check_memory, NULL, NULL, NULL },
		{ "huge pages", check_memory, NULL, NULL, huge },
		cmocka_unit_test(says_why_not),
	};
	int ret;

	if (root_open("/", &root))
		return 1;
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	root_close(&root);
	return ret;
}
