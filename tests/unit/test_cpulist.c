/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of CPUs: which are good, and what binding to them does. */
#include "base/cpulist.h"

#include <errno.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	const char *text;
	int ret;
	int count;
	int first;
	int last;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	cpu_set_t set;
	int first = -1;
	int last = -1;

	CPU_ZERO(&set);
	assert_int_equal(cpulist_parse(row->text, &set), row->ret);
	assert_int_equal(CPU_COUNT(&set), row->count);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &set))
			continue;
		first = first < 0 ? i : first;
		last = i;
	}
	assert_int_equal(first, row->first);
	assert_int_equal(last, row->last);
}

static void check_bind(void **state)
{
	cpu_set_t before;
	cpu_set_t now;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (!CPU_ISSET(0, &before))
		skip();
	assert_int_equal(cpulist_bind("0"), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_int_equal(CPU_COUNT(&now), 1);
	assert_true(CPU_ISSET(0, &now));
	/* One that is there and one that is not: the kernel would take it. */
	assert_int_equal(cpulist_bind("0,1023"), -ENODEV);
	assert_int_equal(cpulist_bind("1023"), -ENODEV);
	assert_int_equal(cpulist_bind("x"), -EINVAL);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

#define ROW(title, ...)                                                        \
	{                                                                      \
		title, check_row, NULL, NULL, &(struct row)                    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define BAD(title, text, err) ROW(title, text, err, 0, -1, -1)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("one", "0", 0, 1, 0, 0),
		ROW("a range", "2-5", 0, 4, 2, 5),
		ROW("ranges and singles", "0-3,8,10-11", 0, 7, 0, 11),
		ROW("out of order, twice", "8,0-3,2", 0, 5, 0, 8),
		ROW("the last that fits", "1023", 0, 1, 1023, 1023),
		BAD("empty", "", -EINVAL),
		BAD("backwards", "3-1", -EINVAL),
		BAD("a blank", "0, 1", -EINVAL),
		BAD("comma at the end", "0,", -EINVAL),
		BAD("two commas", "0,,1", -EINVAL),
		BAD("open range", "0-", -EINVAL),
		BAD("negative", "-1", -EINVAL),
		BAD("a word", "all", -EINVAL),
		BAD("rest", "0x", -EINVAL),
		BAD("too big", "1024", -ERANGE),
		BAD("range too big", "0-99999", -ERANGE),
		cmocka_unit_test(check_bind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
