/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data/answers and out/answers: kept, read again, and two side by side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/answers.h"
#include "out/answers.h"

struct bad_row {
	const char *text;
	const char *why;
};

static void check_bad(void **state)
{
	const struct bad_row *row = *state;
	auto_free char *why = NULL;
	struct answers a;

	assert_int_equal(answers_parse(row->text, &a, &why), -EPROTO);
	assert_string_equal(why, row->why);
	assert_int_equal(a.n, 0);
	assert_null(a.list);
	assert_int_equal(a.host.n, 0);
}

static void add(struct answers *a, const char *name, enum answer_state state,
		const char *text, const char *detail)
{
	answer_set(answers_add(a, name, "what is it?"), state, xstrdup(text),
		   xstrdup(detail));
}

static void fill(struct answers *a)
{
	*a = (struct answers){ 0 };
	facts_set(&a->host, "kernel", "6.18.0");
	facts_set(&a->host, "where", "host");
	add(a, "same", ANSWER_OK, "collapsed", "in 0.10 s");
	add(a, "other", ANSWER_OK, "refused: EINVAL", NULL);
	add(a, "bad", ANSWER_WRONG, "the kernel complains", "BUG: \"x\"");
	add(a, "neither", ANSWER_MISSING, "no PMU", NULL);
	add(a, "one", ANSWER_MISSING, "no vaddr", NULL);
	add(a, "left", ANSWER_OK, "yes", NULL);
}

static void fill_other(struct answers *a)
{
	*a = (struct answers){ 0 };
	facts_set(&a->host, "kernel", "7.3.4");
	facts_set(&a->host, "where", "guest");
	add(a, "right", ANSWER_OK, "yes", NULL);
	add(a, "one", ANSWER_OK, "nothing", NULL);
	add(a, "neither", ANSWER_MISSING, "another reason", NULL);
	add(a, "bad", ANSWER_OK, "the kernel complains", NULL);
	add(a, "other", ANSWER_OK, "done", NULL);
	add(a, "same", ANSWER_OK, "collapsed", "in 7.00 s");
}

static void is_kept(void **state)
{
	auto_free char *text = NULL;
	auto_free char *again = NULL;
	auto_free char *why = NULL;
	struct answers a;

	(void)state;
	fill(&a);
	text = answers_format(&a);
	answers_free(&a);
	assert_int_equal(answers_parse(text, &a, &why), 0);
	assert_null(why);
	assert_int_equal(a.n, 6);
	assert_string_equal(facts_get(&a.host, "kernel"), "6.18.0");
	assert_string_equal(a.list[0].detail, "in 0.10 s");
	assert_null(a.list[1].detail);
	assert_int_equal(a.list[2].state, ANSWER_WRONG);
	assert_string_equal(a.list[2].detail, "BUG: \"x\"");
	assert_int_equal(a.list[3].state, ANSWER_MISSING);
	assert_string_equal(a.list[3].text, "no PMU");
	again = answers_format(&a);
	assert_string_equal(again, text);
	answers_free(&a);
}

static void keeps_those(void **state)
{
	static const char *const names[] = { "one", "nobody", "same" };
	struct answers a;

	(void)state;
	fill(&a);
	answers_keep(&a, names, ARRAY_SIZE(names));
	assert_int_equal(a.n, 2);
	assert_string_equal(a.list[0].name, "same");
	assert_string_equal(a.list[1].name, "one");
	answers_free(&a);
}

static void print(struct table *t, struct str *out)
{
	table_print(t, "", TABLE_TEXT, out);
	table_free(t);
}

static void is_a_table(void **state)
{
	auto_str struct str out = { 0 };
	struct answers a;
	struct table t;

	(void)state;
	fill(&a);
	answers_table(&a, &t);
	print(&t, &out);
	answers_free(&a);
	assert_string_equal(
		out.text,
		"probe: what the kernel does: 6.18.0, host\n"
		"\n"
		"name     asks         answer\n"
		"======================================================"
		"======\n"
		"same     what is it?  collapsed (in 0.10 s)\n"
		"other    what is it?  refused: EINVAL\n"
		"bad      what is it?  wrong: the kernel complains "
		"(BUG: \"x\")\n"
		"neither  what is it?  n/a (1)\n"
		"one      what is it?  n/a (2)\n"
		"left     what is it?  yes\n"
		"\n"
		"(1) no PMU\n"
		"(2) no vaddr\n");
}

static void is_compared(void **state)
{
	auto_str struct str out = { 0 };
	struct answers a;
	struct answers b;
	struct table t;

	(void)state;
	fill(&a);
	fill_other(&b);
	answers_compare(&a, &b, &t);
	print(&t, &out);
	answers_free(&a);
	answers_free(&b);
	assert_string_equal(
		out.text,
		"differences: what two kernels do differently\n"
		"\n"
		"name   6.18.0, host                 7.3.4, guest\n"
		"========================================================\n"
		"other  refused: EINVAL              done\n"
		"bad    wrong: the kernel complains  the kernel complains\n"
		"one    n/a (1)                      nothing\n"
		"\n"
		"(1) no vaddr\n"
		"answers that differ: 2; alike: 1\n"
		"found out on one alone: 1; on neither: 1\n"
		"asked of one alone: left, right\n");
}

static void is_compared_as_json(void **state)
{
	static const char *const wanted[] = {
		"\"differ\": [\n  {\n   \"name\": \"other\"",
		"\"a\": \"refused: EINVAL\",\n   \"b\": \"done\"",
		("\"a\": {\n    \"missing\": \"no vaddr\"\n   },\n"
		 "   \"b\": \"nothing\""),
		"\"alike\": [\n  \"same\",\n  \"neither\"\n ]",
		"\"only\": [\n  \"left\",\n  \"right\"\n ]",
		"\"kernel\": \"7.3.4\"",
	};
	auto_str struct str out = { 0 };
	struct answers a;
	struct answers b;

	(void)state;
	fill(&a);
	fill_other(&b);
	answers_compare_json(&a, &b, &out);
	answers_free(&a);
	answers_free(&b);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strstr(out.text, wanted[i]))
			fail_msg("no %s in %s", wanted[i], out.text);
}

#define BAD(name, ...)                                                         \
	{                                                                      \
		name, check_bad, NULL, NULL, &(struct bad_row)                 \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BAD("no JSON", "{\n]\n",
		    "line 2: string or '}' expected near ']'"),
		BAD("nothing", "",
		    "line 1: '[' or '{' expected near end of "
		    "file"),
		BAD("other JSON", "[1]",
		    "no file of thpbench probe: it has no host, or no probes"),
		BAD("no probes", "{\"host\":{}}",
		    "no file of thpbench probe: it has no host, or no probes"),
		BAD("no name", "{\"host\":{\"k\":\"v\"},\"probes\":[{}]}",
		    "a probe without a name"),
		BAD("a number", "{\"host\":{},\"probes\":[3]}",
		    "a probe without a name"),
		BAD("no answer", "{\"host\":{},\"probes\":[{\"name\":\"x\"}]}",
		    "probe 'x' has neither answer nor missing"),
		BAD("twice",
		    "{\"host\":{},\"probes\":["
		    "{\"name\":\"x\",\"answer\":\"a\"},"
		    "{\"name\":\"x\",\"answer\":\"a\"}]}",
		    "probe 'x' is there twice"),
		cmocka_unit_test(is_kept),
		cmocka_unit_test(keeps_those),
		cmocka_unit_test(is_a_table),
		cmocka_unit_test(is_compared),
		cmocka_unit_test(is_compared_as_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
