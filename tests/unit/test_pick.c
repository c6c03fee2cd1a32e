/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures out of what programs print. */
#include "bench/config/pick.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct row {
	int (*pick)(const char *text, const char *how, double *out, char **why);
	const char *how;
	const char *text;
	double value;    /* what comes out, or */
	const char *why; /* what is said */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *why = NULL;
	double value = NAN;
	int ret = row->pick(row->text, row->how, &value, &why);

	if (row->why) {
		assert_int_equal(ret, -ENOMSG);
		if (!strstr(why, row->why))
			fail_msg("%s", why);
		return;
	}
	if (ret)
		fail_msg("%s", why);
	assert_true(fabs(value - row->value) <= 1e-12 * fabs(row->value));
}

struct fault_row {
	char *(*fault)(const char *how);
	const char *how;
	const char *why; /* NULL: none */
};

static void check_fault(void **state)
{
	const struct fault_row *row = *state;
	auto_free char *why = row->fault(row->how);

	if (!row->why)
		assert_null(why);
	else if (!why || !strstr(why, row->why))
		fail_msg("%s", why ? why : "no fault");
}

#define ANY(name, check, type, ...)                                            \
	{                                                                      \
		name, check, NULL, NULL, &(struct type)                        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define RE(name, ...) ANY(name, check_row, row, pick_regex, __VA_ARGS__)
#define JSON(name, ...) ANY(name, check_row, row, pick_json, __VA_ARGS__)
#define RE_BAD(name, ...)                                                      \
	ANY(name, check_fault, fault_row, pick_regex_fault, __VA_ARGS__)
#define JSON_BAD(name, ...)                                                    \
	ANY(name, check_fault, fault_row, pick_json_fault, __VA_ARGS__)

#define HACKBENCH                                                              \
	"Running in process mode with 1 groups using 40 file descriptors "     \
	"each (== 40 tasks)\nEach sender will pass 100 messages of 100 "       \
	"bytes\nTime: 0.161\n"
#define TIME "^Time: ([0-9.]+)$"

int main(void)
{
	const struct CMUnitTest tests[] = {
		RE("hackbench", TIME, HACKBENCH, 0.161, NULL),
		RE("the last of several", TIME, "Time: 1\nTime: 2\nTime: 3", 3,
		   NULL),
		RE("several in one line", "t=([0-9]+)", "t=1 t=2 t=3", 3, NULL),
		RE("^ is no middle of a line", "^t=([0-9]+)", "t=1 t=2", 1,
		   NULL),
		RE("^ behind a match of a whole line", "^([0-9]+)\n",
		   "1\n2\n3\n", 3, NULL),
		RE("the group of another branch", "a([0-9])|b", "a1b", 1, NULL),
		RE("a match of nothing", "x*([0-9]*)", "", NAN, "nothing in"),
		RE("negative", "d: (-?[0-9.]+)", "d: -2.5", -2.5, NULL),
		RE("an exponent", "d: ([^ ]+)", "d: 1e3 s", 1000, NULL),
		RE("no match", TIME, "Time: \n", 0, "nothing in its output"),
		RE("no number", "d: (.*)$", "d: 12 s", 0, "'12 s' is no num"),
		RE("not finite", "d: (.*)$", "d: inf", 0, "'inf' is no num"),
		RE("an empty group", "d:( *)$", "d:", 0, "'' is no number"),
		RE("nothing printed", TIME, "", 0, "nothing in its output"),
		JSON("a member", ".a", "{\"a\": 1.5}", 1.5, NULL),
		JSON("without its point", "a", "{\"a\": 3}", 3, NULL),
		JSON("of jobs", ".jobs[1].read.iops",
		     "{\"jobs\": [{}, {\"read\": {\"iops\": 7}}]}", 7, NULL),
		JSON("of a list", "[2]", "[1, 2, 3]", 3, NULL),
		JSON("the last line", ".a", "text\n{\"a\": 1}\n{\"a\": 2}\n", 2,
		     NULL),
		JSON("lines behind it", ".a", "{\"a\": 1}\nbye\n", 1, NULL),
		JSON("over lines", ".a", "{\n\"a\":\n4\n}\n", 4, NULL),
		JSON("no such member", ".a.b", "{\"a\": {\"c\": 1}}", 0,
		     "no .a.b"),
		JSON("a step too far", ".a.b.c", "{\"a\": 1}", 0, "no .a.b"),
		JSON("beyond a list", "[3]", "[1]", 0, "no [3]"),
		JSON("a text", ".a", "{\"a\": \"1\"}", 0, "is no number"),
		JSON("no JSON", ".a", "a: 1\n", 0, "no JSON"),
		JSON("nothing", ".a", "", 0, "no JSON"),
		RE_BAD("a good one", TIME, NULL),
		RE_BAD("no group", "Time: [0-9]+", "no group"),
		RE_BAD("open", "Time: ([0-9]", ""),
		JSON_BAD("a good path", ".a[0].b-c", NULL),
		JSON_BAD("two points", ".a..b", "not a path"),
		JSON_BAD("an open element", ".a[1", "not a path"),
		JSON_BAD("an element of no number", ".a[x]", "not a path"),
		JSON_BAD("no number at all", ".a[]", "not a path"),
		JSON_BAD("a point at the end", "a.", "not a path"),
		JSON_BAD("nothing at all", "", "not a path"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
