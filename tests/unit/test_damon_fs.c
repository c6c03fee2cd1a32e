/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/damon_fs: what the sysfs tree says, and who uses it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "kern/damon_fs.h"
#include "scratch.h"

#define K0 DAMON_ROOT "/0"
#define SCHEME K0 "/contexts/0/schemes/0"

static int setup(void **state)
{
	*state = xcalloc(1, sizeof(struct scratch));
	return scratch_open(*state, "damon-7.3");
}

static int teardown(void **state)
{
	int ret = scratch_close(*state);

	free(*state);
	return ret;
}

static void test_stats(void **state)
{
	struct scratch *s = *state;
	struct damon_stats stats;

	scratch_put(s, SCHEME "/stats/nr_tried", "12\n");
	scratch_put(s, SCHEME "/stats/sz_tried", "25769803776\n");
	scratch_put(s, SCHEME "/stats/nr_applied", "3\n");
	scratch_put(s, SCHEME "/stats/sz_applied", "4096\n");
	scratch_put(s, SCHEME "/stats/qt_exceeds", "7\n");
	scratch_put(s, SCHEME "/stats/nr_snapshots", "99\n");
	scratch_put(s, SCHEME "/quotas/effective_bytes", "2097152\n");
	assert_int_equal(damon_stats_read(&s->root, 0, &stats), 0);
	assert_int_equal(stats.nr_tried, 12);
	assert_int_equal(stats.sz_tried_bytes, UINT64_C(25769803776));
	assert_int_equal(stats.nr_applied, 3);
	assert_int_equal(stats.sz_applied_bytes, 4096);
	assert_int_equal(stats.qt_exceeds, 7);
	assert_true(stats.has_snapshots);
	assert_int_equal(stats.nr_snapshots, 99);
	assert_true(stats.has_effective);
	assert_int_equal(stats.effective_bytes, 2097152);
}

static void remove_file(const struct scratch *s, const char *path)
{
	assert_int_equal(unlinkat(s->root.fd, path, 0), 0);
}

/* Up to 6.8 there is no effective_bytes, up to 7.0 no nr_snapshots. */
static void test_older_stats(void **state)
{
	struct scratch *s = *state;
	struct damon_stats stats;

	remove_file(s, SCHEME "/stats/nr_snapshots");
	remove_file(s, SCHEME "/quotas/effective_bytes");
	assert_int_equal(damon_stats_read(&s->root, 0, &stats), 0);
	assert_false(stats.has_snapshots);
	assert_false(stats.has_effective);
	remove_file(s, SCHEME "/stats/sz_tried");
	assert_int_equal(damon_stats_read(&s->root, 0, &stats), -ENOENT);
	scratch_put(s, SCHEME "/stats/sz_tried", "many\n");
	assert_int_equal(damon_stats_read(&s->root, 0, &stats), -EPROTO);
}

static void expect_text(const struct scratch *s, const char *expected)
{
	auto_free char *text = damon_describe(&s->root);

	assert_string_equal(text, expected);
}

static void test_describe(void **state)
{
	struct scratch *s = *state;

	expect_text(s, "kdamond 0: off, stat on no process");
	scratch_put(s, K0 "/state", "on\n");
	scratch_put(s, K0 "/pid", "84\n");
	scratch_put(s, K0 "/contexts/0/targets/0/pid_target", "4711\n");
	scratch_put(s, SCHEME "/action", "collapse\n");
	expect_text(s, "kdamond 0: on, pid 84, collapse on pid 4711");
	scratch_put(s, K0 "/contexts/0/operations", "paddr\n");
	scratch_put(s, SCHEME "/action", "pageout\n");
	scratch_put(s, DAMON_ROOT "/nr_kdamonds", "2\n");
	scratch_put(s, DAMON_ROOT "/1/state", "off\n");
	expect_text(s, "kdamond 0: on, pid 84, pageout on physical memory; "
		       "kdamond 1: off");
	remove_file(s, DAMON_ROOT "/1/state");
	remove_file(s, SCHEME "/action");
	expect_text(s, "kdamond 0: on, pid 84, monitoring of physical memory; "
		       "kdamond 1: unreadable");
	scratch_put(s, DAMON_ROOT "/nr_kdamonds", "0\n");
	expect_text(s, "");
}

static void test_pids(void **state)
{
	struct scratch *s = *state;

	assert_int_equal(damon_pid(&s->root, 0), 0);
	assert_int_equal(damon_is_on(&s->root, 0), 0);
	assert_int_equal(damon_target(&s->root, 0), 0);
	scratch_put(s, K0 "/pid", "99999999999\n");
	assert_int_equal(damon_pid(&s->root, 0), 0);
	scratch_put(s, K0 "/pid", "84\n");
	scratch_put(s, K0 "/state", "on\n");
	assert_int_equal(damon_pid(&s->root, 0), 84);
	assert_int_equal(damon_is_on(&s->root, 0), 1);
	assert_int_equal(damon_is_on(&s->root, 1), -ENOENT);
	assert_int_equal(damon_pid(&s->root, 1), 0);
}

static void test_count(void **state)
{
	struct scratch *s = *state;
	uint64_t n = 77;

	assert_int_equal(damon_count(&s->root, &n), 0);
	assert_int_equal(n, 1);
	scratch_put(s, DAMON_ROOT "/nr_kdamonds", "5000\n");
	assert_int_equal(damon_count(&s->root, &n), -EPROTO);
	scratch_put(s, DAMON_ROOT "/nr_kdamonds", "\n");
	assert_int_equal(damon_count(&s->root, &n), -EPROTO);
	remove_file(s, DAMON_ROOT "/nr_kdamonds");
	assert_int_equal(damon_count(&s->root, &n), -ENOENT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_stats), TEST(test_older_stats), TEST(test_describe),
		TEST(test_pids),  TEST(test_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
