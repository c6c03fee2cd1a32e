/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/kver.h"

/* In the order of history; each against each. */
static const char *const order[] = {
	"base",
	"patched",
	"v5.15.0",
	"6.1.0-18-amd64",
	"6.1.0-20-amd64",
	"6.1.140",
	"6.9",
	"6.18-rc7",
	"6.18",
	"6.18-5-g0123abc",
	"6.18-12-g0023abc",
	"6.18.1",
	"6.18.9+deb14-amd64",
	"6.18.12+deb14-amd64",
	"6.19.0-rc1",
	"v6.19-rc1-23-gabcdef012345",
	"6.19.0-rc1-00123-gabc",
	"6.19.0-rc1-next-20260101",
	"6.19.0-rc1-next-20260105",
	"6.19-rc2",
	"6.19-rc10",
	"6.19",
	"7.0-rc1",
	"7.0",
	/* The count of a package's builds is none of commits. */
	"7.0.0-9-generic",
	"7.0.0-45-gcp",
	"7.0.0-45-generic",
	"7.0.0-1015-gcp",
	"7.0-3-gabcd",
};

static void test_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(order); k++) {
			int got = kver_compare(order[i], order[k]);

			if ((got > 0) - (got < 0) != (i > k) - (i < k))
				fail_msg("%s and %s: %d", order[i], order[k],
					 got);
		}
	}
}

static void test_same(void **state)
{
	(void)state;
	assert_int_equal(kver_compare("6.18", "v6.18.0"), 0);
	assert_int_equal(kver_compare("6.19.0-rc3", "v6.19-rc3"), 0);
}

struct row {
	const char *good;
	const char *bad;
	const char *between; /* NULL: none */
};

static void check_between(void **state)
{
	const struct row *row = *state;
	auto_free char *got = kver_between(row->good, row->bad);

	if (!str_eq(got, row->between))
		fail_msg("%s .. %s: %s, not %s", row->good, row->bad,
			 got ? got : "none",
			 row->between ? row->between : "none");
	if (got && (kver_compare(row->good, got) >= 0 ||
		    kver_compare(got, row->bad) >= 0))
		fail_msg("%s is not between", got);
}

static void test_git_name(void **state)
{
	static const char *const names[][2] = {
		{ "6.18.0", "v6.18" },
		{ "6.18.12+deb14-amd64", "v6.18.12" },
		{ "6.19.0-rc1", "v6.19-rc1" },
		{ "6.19-rc1-23-gabcdef012345", "abcdef012345" },
		{ "6.19.0-rc1-00123-gabc-dirty", "abc" },
		{ "6.8.0-45-generic", "v6.8" },
		{ "6.8.0-1015-gcp", "v6.8" },
		{ "6.18.0-45-gcafe1", "cafe1" },
		{ "patched", "patched" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *got = kver_git_name(names[i][0]);

		assert_string_equal(got, names[i][1]);
	}
}

static void test_parse(void **state)
{
	static const char *const bad[] = {
		"", "6", "6.", "v", "6.x", ".1", "x6.1", "99999999999.1"
	};
	struct kver v;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(kver_parse(bad[i], &v));
	assert_true(kver_parse("v6.19-rc1-23-gabc", &v));
	assert_int_equal(v.part[1], 19);
	assert_int_equal(v.rc, 1);
	assert_int_equal(v.commits, 23);
	assert_string_equal(v.rest, "-gabc");
}

#define ROW(good, bad, between)                                                \
	{                                                                      \
		good " to " bad, check_between, NULL, NULL, &(struct row)      \
		{                                                              \
			good, bad, between                                     \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_git_name),
		ROW("6.18", "6.19", "6.19-rc4"),
		ROW("5.10", "5.14", "5.12"),
		ROW("6.17", "6.19", "6.18"),
		ROW("6.18", "7.2", "7.0"),
		ROW("6.18", "7.0", "6.19"),
		ROW("6.19", "7.0", "7.0-rc4"),
		ROW("4.20", "5.0", "5.0-rc4"),
		ROW("7.2", "8.0", NULL),
		ROW("6.18-rc4", "6.18.1", "6.18"),
		ROW("6.18-rc4", "6.18.4", "6.18.2"),
		ROW("7.0.0-9-generic", "7.0.0-45-generic", NULL),
		ROW("6.18", "6.19-rc1", NULL),
		ROW("6.18", "6.19-rc2", "6.19-rc1"),
		ROW("6.19-rc1", "6.19-rc6", "6.19-rc3"),
		ROW("6.19-rc3", "6.19-rc4", NULL),
		ROW("6.19-rc4", "6.19", "6.19-rc6"),
		ROW("6.19-rc7", "6.19", NULL),
		ROW("6.19-rc8", "6.19", NULL),
		ROW("6.18-rc4", "6.19-rc2", "6.18"),
		ROW("6.18.2", "6.18.8", "6.18.5"),
		ROW("6.18.2", "6.18.3", NULL),
		ROW("6.18", "6.18.2", "6.18.1"),
		ROW("6.18.7", "6.19.3", "6.19"),
		ROW("6.19-rc1-5-gabc", "6.19-rc1-9-gdef", NULL),
		ROW("6.19-rc1", "6.19-rc1-9-gdef", NULL),
		ROW("6.19", "6.18", NULL),
		ROW("base", "6.18", NULL),
		ROW("6.18.19-rc31", "6.19", NULL),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
