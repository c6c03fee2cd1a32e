/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims: how an expectation is read, and what runs say to it. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/claim.h"

#include "near.h"

/* --- reading --- */

struct parse_row {
	const char *metric;
	const char *text;
	int ret;
	enum expect_op op;
	enum expect_of of;
	double number;
	double tolerance;
	const char *arm;
};

static void check_parse(void **state)
{
	const struct parse_row *row = *state;
	struct expect x;

	assert_int_equal(expect_parse(row->text, metric_find(row->metric), &x),
			 row->ret);
	if (!row->ret) {
		assert_int_equal(x.op, row->op);
		assert_int_equal(x.of, row->of);
		assert_near(x.number, row->number, 1e-9);
		assert_near(x.tolerance, row->tolerance, 1e-9);
		if (row->arm)
			assert_string_equal(x.arm, row->arm);
		else
			assert_null(x.arm);
	}
	expect_free(&x);
}

#define PARSE(name, ...)                                                       \
	{                                                                      \
		"parse " name, check_parse, NULL, NULL, &(struct parse_row)    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/* --- judging --- */

enum { BLOCKS = 4 };

/* tps and huge_bytes of 3 arms in 4 blocks; negative: no value. */
static const double tps[3][BLOCKS] = {
	{ 1000, 1010, 990, 1005 },
	{ 1020, 1031, 1009, 1026 }, /* + 2.0 % */
	{ 1001, 1010, 989, 1006 },  /* the same */
};
static const double huge[3][BLOCKS] = {
	{ 0, 0, 0, 0 },
	{ 1e9, 1.01e9, 0.99e9, 1e9 },
	{ 0, 1e6, 0, 3e6 },
};

static void set(struct run *run, const char *metric, double number)
{
	run->values[metric_find(metric) - metrics] =
		(struct value){ .is_there = true, .number = number };
}

static void make_experiment(struct experiment *e)
{
	static const char *const labels[] = { "base", "fast", "same" };

	*e = (struct experiment){ .blocks = BLOCKS, .n_arms = 3 };
	e->arms = xcalloc(3, sizeof(*e->arms));
	e->n_runs = 3 * BLOCKS;
	e->runs = xcalloc(e->n_runs, sizeof(*e->runs));
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];

		run->number = (unsigned int)i + 1;
		run->block = (unsigned int)(i / 3) + 1;
		run->arm = i % 3;
		run->reason = xstrdup("");
		run->values = xcalloc(n_metrics, sizeof(*run->values));
		set(run, "tps", tps[run->arm][run->block - 1]);
		set(run, "huge_bytes", huge[run->arm][run->block - 1]);
	}
	for (size_t i = 0; i < 3; i++)
		e->arms[i].label = xstrdup(labels[i]);
}

struct judge_row {
	const char *metric;
	const char *arm;
	const char *expect;
	enum claim_outcome outcome;
	const char *why;     /* part of it; NULL: none */
	unsigned int blocks; /* 0: all */
	bool is_emulated;
};

static void check_judge(void **state)
{
	const struct judge_row *row = *state;
	struct claim claim = {
		.name = (char *)"x",
		.metric = (char *)row->metric,
		.arm = (char *)row->arm,
		.expect = (char *)row->expect,
	};
	struct claim_finding f;
	struct experiment e;

	make_experiment(&e);
	if (row->blocks)
		e.n_runs = 3 * row->blocks;
	if (row->is_emulated)
		facts_set(&e.host, "accel", "tcg");
	claim_judge(&e, &claim, &f);
	assert_string_equal(claim_outcome_text(f.outcome),
			    claim_outcome_text(row->outcome));
	if (row->why) {
		assert_non_null(f.why);
		assert_non_null(strstr(f.why, row->why));
	} else {
		assert_null(f.why);
	}
	claim_finding_free(&f);
	e.n_runs = 3 * BLOCKS;
	experiment_free(&e);
}

#define JUDGE(name, ...)                                                       \
	{                                                                      \
		"judge " name, check_judge, NULL, NULL, &(struct judge_row)    \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/* The interval of a change is that of the paired log ratios. */
static void interval(void **state)
{
	struct claim claim = { (char *)"x", (char *)"tps", (char *)"fast",
			       (char *)"> +1 %" };
	struct claim_finding f;
	struct experiment e;
	double sum = 0;

	(void)state;
	make_experiment(&e);
	for (size_t b = 0; b < BLOCKS; b++)
		sum += log(tps[1][b] / tps[0][b]);
	claim_judge(&e, &claim, &f);
	assert_true(f.evidence.is_change);
	assert_int_equal(f.n, BLOCKS);
	assert_near(f.ours.centre, 100 * (exp(sum / BLOCKS) - 1), 1e-9);
	assert_true(f.ours.low < f.ours.centre && f.ours.centre < f.ours.high);
	claim_finding_free(&f);
	experiment_free(&e);
}

struct published_row {
	const char *metric;
	size_t arm;
	double expected_pct;
	enum claim_outcome outcome;
};

static void check_published(void **state)
{
	const struct published_row *row = *state;
	struct claim_finding f;
	struct experiment e;

	make_experiment(&e);
	claim_judge_change(&e, row->arm, 0, metric_find(row->metric),
			   row->expected_pct, &f);
	assert_string_equal(claim_outcome_text(f.outcome),
			    claim_outcome_text(row->outcome));
	claim_finding_free(&f);
	experiment_free(&e);
}

#define PUBLISHED(name, ...)                                                   \
	{                                                                      \
		"published " name, check_published, NULL, NULL,                \
			&(struct published_row)                                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/* p is where the answer changes, and no other answer lies below it. */
static void test_p(void **state)
{
	static const struct claim_rule rules[] = {
		{ .kind = CLAIM_AMOUNT, .op = EXPECT_ABOVE, .number = 1 },
		{ .kind = CLAIM_AMOUNT, .op = EXPECT_BELOW, .number = 1 },
		{ .kind = CLAIM_AMOUNT,
		  .op = EXPECT_EQUAL,
		  .number = 2.2,
		  .tolerance = 1.5 },
		{ .kind = CLAIM_DIRECTION, .number = 1 },
		{ .kind = CLAIM_DIRECTION, .number = -9 },
	};
	const struct claim_ours ours = { false, { 2, 0.5, 4 } };
	const struct claim_ours none = { false, { 2, NAN, NAN } };
	const struct claim_ours sure = { false, { 2, 0, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		double p = claim_rule_p(&rules[i], &ours);

		assert_true(p > 0 && p < 1);
		assert_int_equal(claim_rule_at(&rules[i], &ours, p * 0.999),
				 CLAIM_CANNOT_TELL);
		assert_int_not_equal(claim_rule_at(&rules[i], &ours, p * 1.001),
				     CLAIM_CANNOT_TELL);
		assert_true(isnan(claim_rule_p(&rules[i], &none)));
		assert_near(claim_rule_p(&rules[i], &sure), 0, 1e-15);
	}
	/* That of "> 1" is the two-sided one of Student's t of 2. */
	assert_near(claim_rule_p(&rules[0], &ours), 0.11612, 1e-5);
}

/* p values of 0.02 and 0.03 hold together; with a third of 0.04 they do not. */
static void test_correct(void **state)
{
	struct claim_finding list[4];
	static const double t[] = { 3.7469, 3.2976, 0, 60 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		list[i] = claim_nothing();
		list[i].rule = (struct claim_rule){ .kind = CLAIM_DIRECTION,
						    .number = 1 };
		list[i].evidence.effect = (struct effect){ t[i], 1, 4 };
		list[i].outcome = list[i].alone =
			claim_rule_at(&list[i].rule, &list[i].evidence, 0.05);
	}
	list[2].evidence.effect.se = NAN;
	list[2].outcome = CLAIM_CANNOT_TELL;
	assert_near(claim_rule_p(&list[0].rule, &list[0].evidence), 0.02, 1e-5);
	assert_near(claim_rule_p(&list[1].rule, &list[1].evidence), 0.03, 1e-5);
	assert_int_equal(list[0].outcome, CLAIM_REPRODUCED);
	/* Alone, the first is as it was; two of them hold together. */
	assert_int_equal(claims_correct(list, 1), 1);
	assert_int_equal(list[0].outcome, CLAIM_REPRODUCED);
	assert_int_equal(claims_correct(list, 2), 2);
	assert_int_equal(list[0].outcome, CLAIM_REPRODUCED);
	assert_int_equal(list[1].outcome, CLAIM_REPRODUCED);
	/* A third with a p of its own; what has none does not count. */
	assert_int_equal(claims_correct(list, 4), 3);
	assert_int_equal(list[3].outcome, CLAIM_REPRODUCED);
	assert_int_equal(list[0].outcome, CLAIM_REPRODUCED);
	assert_int_equal(list[2].outcome, CLAIM_CANNOT_TELL);
	/* 0.02 of three is 0.06. */
	list[3].evidence.effect.d = 2.9;
	assert_int_equal(claims_correct(list, 4), 3);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(list[i].outcome, CLAIM_CANNOT_TELL);
	assert_int_equal(list[0].alone, CLAIM_REPRODUCED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_p),
		cmocka_unit_test(test_correct),
		PARSE("above", .metric = "tps", .text = "> 0", .ret = 0,
		      .op = EXPECT_ABOVE, .of = EXPECT_NUMBER),
		PARSE("at least", .metric = "tps", .text = ">=12.5", .ret = 0,
		      .op = EXPECT_AT_LEAST, .of = EXPECT_NUMBER,
		      .number = 12.5),
		PARSE("below", .metric = "tps", .text = "<  3", .ret = 0,
		      .op = EXPECT_BELOW, .of = EXPECT_NUMBER, .number = 3),
		PARSE("negative number", .metric = "tps", .text = "> -3",
		      .ret = 0, .op = EXPECT_ABOVE, .of = EXPECT_NUMBER,
		      .number = -3),
		PARSE("bytes", .metric = "huge_bytes", .text = "> 1G", .ret = 0,
		      .op = EXPECT_ABOVE, .of = EXPECT_NUMBER,
		      .number = 1073741824),
		PARSE("bytes of a rate", .metric = "tps", .text = "> 1G",
		      .ret = -EINVAL),
		PARSE("change", .metric = "tps", .text = "> +0.5 %", .ret = 0,
		      .op = EXPECT_ABOVE, .of = EXPECT_CHANGE, .number = 0.5),
		PARSE("change down", .metric = "tps", .text = "<= -3%",
		      .ret = 0, .op = EXPECT_AT_MOST, .of = EXPECT_CHANGE,
		      .number = -3),
		PARSE("change without a sign", .metric = "tps",
		      .text = "> 0.5 %", .ret = -EINVAL),
		PARSE("share", .metric = "huge_share_pct", .text = "> 50 %",
		      .ret = 0, .op = EXPECT_ABOVE, .of = EXPECT_NUMBER,
		      .number = 50),
		PARSE("about", .metric = "huge_share_pct", .text = "= 10 +- 1",
		      .ret = 0, .op = EXPECT_EQUAL, .of = EXPECT_NUMBER,
		      .number = 10, .tolerance = 1),
		PARSE("about, in points", .metric = "huge_share_pct",
		      .text = "= 10 % +- 1 %", .ret = 0, .op = EXPECT_EQUAL,
		      .of = EXPECT_NUMBER, .number = 10, .tolerance = 1),
		PARSE("about, in %", .metric = "tps", .text = "= 200 +- 10 %",
		      .ret = 0, .op = EXPECT_EQUAL, .of = EXPECT_NUMBER,
		      .number = 200, .tolerance = 20),
		PARSE("about, bytes", .metric = "huge_bytes",
		      .text = "= 1G +- 2M", .ret = 0, .op = EXPECT_EQUAL,
		      .of = EXPECT_NUMBER, .number = 1073741824,
		      .tolerance = 2097152),
		PARSE("about a change", .metric = "tps",
		      .text = "= +0.6 % +- 0.2 %", .ret = 0, .op = EXPECT_EQUAL,
		      .of = EXPECT_CHANGE, .number = 0.6, .tolerance = 0.2),
		PARSE("a change without its %", .metric = "tps",
		      .text = "= +0.6 % +- 0.2", .ret = -EINVAL),
		PARSE("equal alone", .metric = "tps", .text = "= 10",
		      .ret = -EINVAL),
		PARSE("above about", .metric = "tps", .text = "> 10 +- 1",
		      .ret = -EINVAL),
		PARSE("% of 0", .metric = "tps", .text = "= 0 +- 2 %",
		      .ret = -EINVAL),
		PARSE("no tolerance", .metric = "tps", .text = "= 10 +- 0",
		      .ret = -EINVAL),
		PARSE("arm", .metric = "tps", .text = ">= arm T m, D h",
		      .ret = 0, .op = EXPECT_AT_LEAST, .of = EXPECT_ARM,
		      .number = 0, .tolerance = 0, .arm = "T m, D h"),
		PARSE("arm without a label", .metric = "tps", .text = "> arm ",
		      .ret = -EINVAL),
		PARSE("baseline", .metric = "tps", .text = "< baseline",
		      .ret = 0, .op = EXPECT_BELOW, .of = EXPECT_ARM),
		PARSE("equal to an arm", .metric = "tps", .text = "= arm a",
		      .ret = 0, .op = EXPECT_EQUAL, .of = EXPECT_ARM,
		      .number = 0, .tolerance = 0, .arm = "a"),
		PARSE("nothing", .metric = "tps", .text = "", .ret = -EINVAL),
		PARSE("no sign", .metric = "tps", .text = "10", .ret = -EINVAL),
		PARSE("no number", .metric = "tps", .text = "> ",
		      .ret = -EINVAL),
		PARSE("a word", .metric = "tps", .text = "> much",
		      .ret = -EINVAL),

		JUDGE("above 0", .metric = "huge_bytes", .arm = "fast",
		      .expect = "> 0", .outcome = CLAIM_REPRODUCED),
		JUDGE("all 0", .metric = "huge_bytes", .arm = "base",
		      .expect = "> 0", .outcome = CLAIM_CONTRADICTED),
		JUDGE("all 0, as claimed", .metric = "huge_bytes",
		      .arm = "base", .expect = "<= 0",
		      .outcome = CLAIM_REPRODUCED),
		JUDGE("0 now and then", .metric = "huge_bytes", .arm = "same",
		      .expect = "> 0", .outcome = CLAIM_CANNOT_TELL),
		JUDGE("about", .metric = "tps", .arm = "fast",
		      .expect = "= 1020 +- 3 %", .outcome = CLAIM_REPRODUCED),
		JUDGE("about another", .metric = "tps", .arm = "fast",
		      .expect = "= 2000 +- 3 %",
		      .outcome = CLAIM_NOT_REPRODUCED),
		JUDGE("change", .metric = "tps", .arm = "fast",
		      .expect = "> +1 %", .outcome = CLAIM_REPRODUCED),
		JUDGE("smaller change", .metric = "tps", .arm = "fast",
		      .expect = "> +5 %", .outcome = CLAIM_NOT_REPRODUCED),
		JUDGE("other way", .metric = "tps", .arm = "fast",
		      .expect = "< -1 %", .outcome = CLAIM_CONTRADICTED),
		JUDGE("change around", .metric = "tps", .arm = "same",
		      .expect = "> +0 %", .outcome = CLAIM_CANNOT_TELL),
		JUDGE("change of 0", .metric = "huge_bytes", .arm = "fast",
		      .expect = "> +1 %", .outcome = CLAIM_CANNOT_TELL,
		      .why = "no ratio"),
		JUDGE("arm", .metric = "tps", .arm = "fast",
		      .expect = "> arm same", .outcome = CLAIM_REPRODUCED),
		JUDGE("arm, other way", .metric = "tps", .arm = "same",
		      .expect = "> arm fast", .outcome = CLAIM_CONTRADICTED),
		JUDGE("arm against 0", .metric = "huge_bytes", .arm = "fast",
		      .expect = "> arm base", .outcome = CLAIM_REPRODUCED),
		JUDGE("baseline", .metric = "tps", .arm = "fast",
		      .expect = "> baseline", .outcome = CLAIM_REPRODUCED),
		JUDGE("equivalent", .metric = "tps", .arm = "same",
		      .expect = "= baseline", .outcome = CLAIM_REPRODUCED),
		JUDGE("not equivalent", .metric = "tps", .arm = "fast",
		      .expect = "= baseline", .outcome = CLAIM_NOT_REPRODUCED),
		JUDGE("one run", .metric = "tps", .arm = "fast",
		      .expect = "> 0", .outcome = CLAIM_CANNOT_TELL,
		      .why = "needs 2 runs", .blocks = 1),
		JUDGE("one block", .metric = "tps", .arm = "fast",
		      .expect = "> +1 %", .outcome = CLAIM_CANNOT_TELL,
		      .why = "needs 2 blocks", .blocks = 1),
		JUDGE("no value", .metric = "latency_p95_ms", .arm = "fast",
		      .expect = "> 0", .outcome = CLAIM_CANNOT_TELL,
		      .why = "not recorded"),
		JUDGE("no metric", .metric = "zps", .arm = "fast",
		      .expect = "> 0", .outcome = CLAIM_CANNOT_TELL,
		      .why = "not a metric"),
		JUDGE("no arm", .metric = "tps", .arm = "x", .expect = "> 0",
		      .outcome = CLAIM_CANNOT_TELL, .why = "no such arm"),
		JUDGE("no other arm", .metric = "tps", .arm = "fast",
		      .expect = "> arm x", .outcome = CLAIM_CANNOT_TELL,
		      .why = "no arm 'x'"),
		JUDGE("no expectation", .metric = "tps", .arm = "fast",
		      .expect = "yes", .outcome = CLAIM_CANNOT_TELL,
		      .why = "no expectation"),
		JUDGE("emulated time", .metric = "tps", .arm = "fast",
		      .expect = "> +1 %", .outcome = CLAIM_CANNOT_TELL,
		      .why = "emulation", .blocks = 0, .is_emulated = true),
		JUDGE("emulated amount", .metric = "huge_bytes", .arm = "fast",
		      .expect = "> 0", .outcome = CLAIM_REPRODUCED, .why = NULL,
		      .blocks = 0, .is_emulated = true),
		cmocka_unit_test(interval),

		PUBLISHED("same way", "tps", 1, 0.7, CLAIM_REPRODUCED),
		PUBLISHED("other way", "tps", 1, -0.7, CLAIM_CONTRADICTED),
		PUBLISHED("nothing seen, much claimed", "tps", 2, 5,
			  CLAIM_NOT_REPRODUCED),
		PUBLISHED("nothing seen, little claimed", "tps", 2, 0.03,
			  CLAIM_CANNOT_TELL),
		PUBLISHED("none, and equivalent", "tps", 2, 0,
			  CLAIM_REPRODUCED),
		PUBLISHED("none, but one seen", "tps", 1, 0,
			  CLAIM_NOT_REPRODUCED),
		PUBLISHED("above a base of 0", "huge_bytes", 1, NAN,
			  CLAIM_REPRODUCED),
		PUBLISHED("above 0, not sure", "huge_bytes", 2, NAN,
			  CLAIM_CANNOT_TELL),
		PUBLISHED("a change, of 0 here", "huge_bytes", 1, 50,
			  CLAIM_REPRODUCED),
		PUBLISHED("down, of 0 here", "huge_bytes", 1, -50,
			  CLAIM_CONTRADICTED),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
