/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Verdicts on figures made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/alike.h"
#include "data/stats/judge.h"

#include "figures.h"
#include "near.h"

enum { BLOCKS = 5 };

static const double base[] = { 100, 101, 99, 100.5, 99.5 };

struct row {
	const char *metric;
	double arm[BLOCKS];
	enum verdict verdict;
	const char *why; /* part of it */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	struct judgements j;
	struct experiment e;
	const struct judgement *is;

	figures_make(&e, 2, BLOCKS);
	free(e.primary);
	e.primary = xstrdup(row->metric);
	figures_set(&e, 0, row->metric, base);
	figures_set(&e, 1, row->metric, row->arm);
	judge_experiment(&e, NULL, &j);
	is = judgement_of(&j, &(struct side){ &e, 1 }, row->metric);
	assert_non_null(is);
	assert_true(is->is_primary && is->is_paired);
	assert_int_equal(is->verdict, row->verdict);
	if (row->why)
		assert_non_null(strstr(is->why, row->why));
	else
		assert_null(is->why);
	judgements_free(&j);
	experiment_free(&e);
}

/* Exchanging the arms inverts ratio and interval, and turns the verdict. */
static void test_exchange(void **state)
{
	static const double arm[] = { 103, 104.5, 101.7, 104, 102 };
	struct judgements there;
	struct judgements back;
	struct experiment e;
	const struct judgement *a;
	const struct judgement *b;

	(void)state;
	figures_make(&e, 2, BLOCKS);
	figures_set(&e, 0, "tps", base);
	figures_set(&e, 1, "tps", arm);
	judge_experiment(&e, NULL, &there);
	e.baseline = 1;
	judge_experiment(&e, NULL, &back);
	a = judgement_of(&there, &(struct side){ &e, 1 }, "tps");
	b = judgement_of(&back, &(struct side){ &e, 0 }, "tps");
	assert_int_equal(a->verdict, VERDICT_IMPROVED);
	assert_int_equal(b->verdict, VERDICT_REGRESSED);
	assert_near(a->effect.d, -b->effect.d, 0);
	assert_near(a->p, b->p, 0);
	assert_near(a->ratio.low * b->ratio.high, 1, 1e-15);
	judgements_free(&there);
	judgements_free(&back);
	experiment_free(&e);
}

/*
 * Three arms: the smallest p of the primary metric counts thrice. Metrics of
 * one source are a family, and which are printed does not matter.
 */
static void test_families(void **state)
{
	static const double arms[][BLOCKS] = {
		{ 102, 103.2, 101, 102.4, 101.4 },
		{ 101, 100, 99.7, 101.9, 100 },
		{ 99, 102, 100, 100.2, 99.9 },
	};
	struct judgements j;
	struct judgements load;
	struct experiment e;
	const struct judgement *tps[3];
	const struct judgement *p95;

	(void)state;
	figures_make(&e, 4, BLOCKS);
	figures_set(&e, 0, "tps", base);
	figures_set(&e, 0, "latency_p95_ms", base);
	figures_set(&e, 0, "latency_avg_ms", base);
	figures_set(&e, 0, "rss_bytes", base);
	for (size_t a = 0; a < 3; a++)
		figures_set(&e, a + 1, "tps", arms[a]);
	figures_set(&e, 1, "latency_p95_ms", arms[0]);
	figures_set(&e, 1, "latency_avg_ms", arms[1]);
	figures_set(&e, 1, "rss_bytes", arms[0]);
	judge_experiment(&e, NULL, &j);
	for (size_t a = 0; a < 3; a++) {
		const struct side side = { &e, a + 1 };

		tps[a] = judgement_of(&j, &side, "tps");
		assert_int_equal(tps[a]->family, 3);
		assert_true(tps[a]->p_corrected >= tps[a]->p);
	}
	assert_near(tps[0]->p_corrected, 3 * tps[0]->p, 1e-15);
	p95 = judgement_of(&j, &(struct side){ &e, 1 }, "latency_p95_ms");
	assert_int_equal(p95->family, 2);
	assert_near(p95->p_corrected, 2 * p95->p, 1e-15);
	assert_int_equal(
		judgement_of(&j, &(struct side){ &e, 1 }, "rss_bytes")->family,
		1);
	judge_experiment(&e, "load", &load);
	assert_near(judgement_of(&load, &(struct side){ &e, 1 },
				 "latency_p95_ms")
			    ->p_corrected,
		    p95->p_corrected, 0);
	assert_null(judgement_of(&load, &(struct side){ &e, 1 }, "rss_bytes"));
	judgements_free(&load);
	judgements_free(&j);
	experiment_free(&e);
}

/* What could have been seen: as the formula of the t test has it. */
static void test_power(void **state)
{
	static const double arm[] = { 101, 100, 99.7, 101.9, 98 };
	struct judgements j;
	struct experiment e;
	const struct judgement *is;
	size_t needs;

	(void)state;
	figures_make(&e, 2, BLOCKS);
	figures_set(&e, 0, "tps", base);
	figures_set(&e, 1, "tps", arm);
	judge_experiment(&e, NULL, &j);
	is = judgement_of(&j, &(struct side){ &e, 1 }, "tps");
	assert_int_equal(is->verdict, VERDICT_INCONCLUSIVE);
	/* 5 pairs find dz = 1.682 in 80 %: G*Power's figure, sqrt(5) times. */
	assert_near(log1p(judgement_shows(is)) / is->effect.se, 1.682 * sqrt(5),
		    0.002);
	needs = judgement_needs(is, 0.01);
	assert_true(needs > BLOCKS);
	assert_true(judgement_needs(is, 0.02) < needs);
	judgements_free(&j);
	experiment_free(&e);
}

/* A/A: sound, or different and then nothing is judged. */
static void test_aa(void **state)
{
	static const double same[] = { 100.4, 100.2, 99.6, 100.1, 99.9 };
	static const double off[] = { 102, 103.1, 101, 102.4, 101.6 };
	struct judgements j;
	struct experiment e;

	(void)state;
	figures_make(&e, 3, BLOCKS);
	figures_set(&e, 0, "tps", base);
	figures_set(&e, 1, "tps", off);
	figures_set(&e, 2, "tps", same);
	facts_set(&e.judging, "aa", "C");
	assert_true(judge_is_aa(&e, 2) && !judge_is_aa(&e, 1));
	assert_false(judge_aa_failed(&e));
	judge_experiment(&e, NULL, &j);
	/* It is no arm of the comparison's, and not in its family. */
	assert_null(judgement_of(&j, &(struct side){ &e, 2 }, "tps"));
	assert_int_equal(
		judgement_of(&j, &(struct side){ &e, 1 }, "tps")->family, 1);
	judgements_free(&j);
	facts_set(&e.judging, "aa", "B");
	assert_true(judge_aa_failed(&e));
	judge_experiment(&e, NULL, &j);
	assert_int_equal(
		judgement_of(&j, &(struct side){ &e, 2 }, "tps")->verdict,
		VERDICT_NONE);
	judgements_free(&j);
	experiment_free(&e);
	figures_make(&e, 2, BLOCKS);
	judge_aa(&e, &j);
	assert_int_equal(j.n, 0);
	assert_false(judge_aa_failed(&e));
	experiment_free(&e);
}

static void test_emulated(void **state)
{
	struct judge_options options = { .margin = 0.01 };
	struct judgements j;
	struct experiment e;
	struct versus v = { { &e, 0 }, { &e, 1 } };

	(void)state;
	figures_make(&e, 2, BLOCKS);
	figures_set(&e, 0, "tps", base);
	figures_set(&e, 1, "tps", base);
	facts_set(&e.host, "accel", "tcg");
	judge(&v, 1, &options, &j);
	assert_int_equal(judgement_of(&j, &v.arm, "tps")->verdict,
			 VERDICT_NONE);
	judgements_free(&j);
	options.emulated = true;
	judge(&v, 1, &options, &j);
	assert_int_equal(judgement_of(&j, &v.arm, "tps")->verdict,
			 VERDICT_EQUIVALENT);
	judgements_free(&j);
	experiment_free(&e);
}

/* Two folders, and imported runs, are not paired: Welch. */
static void test_unpaired(void **state)
{
	static const double arm[] = { 103, 104.5, 101.7, 104, 102 };
	const struct judge_options options = { .margin = 0.01 };
	struct judgements j;
	struct experiment old;
	struct experiment new;
	struct versus v = { { &old, 0 }, { &new, 0 } };
	const struct judgement *is;

	(void)state;
	figures_make(&old, 1, BLOCKS);
	figures_make(&new, 1, BLOCKS);
	figures_set(&old, 0, "tps", base);
	figures_set(&new, 0, "tps", arm);
	judge(&v, 1, &options, &j);
	is = judgement_of(&j, &v.arm, "tps");
	assert_false(is->is_paired);
	assert_null(is->d);
	assert_true(is->effect.df > 4 && is->effect.df <= 8);
	assert_int_equal(is->verdict, VERDICT_IMPROVED);
	assert_true(judgement_shows(is) > 0);
	judgements_free(&j);
	experiment_free(&old);
	experiment_free(&new);
	figures_make(&old, 2, BLOCKS);
	figures_set(&old, 0, "tps", base);
	figures_set(&old, 1, "tps", arm);
	facts_set(&old.workload, "imported", "csv");
	judge_experiment(&old, NULL, &j);
	assert_false(
		judgement_of(&j, &(struct side){ &old, 1 }, "tps")->is_paired);
	judgements_free(&j);
	experiment_free(&old);
}

static void test_margin(void **state)
{
	struct experiment e;

	(void)state;
	figures_make(&e, 1, 1);
	assert_near(judge_margin(&e), 0.01, 0);
	facts_set(&e.judging, "margin", "2.5%");
	assert_near(judge_margin(&e), 0.025, 1e-15);
	experiment_free(&e);
}

static void test_alike(void **state)
{
	struct experiment a;
	struct experiment b;
	struct facts unlike = { 0 };
	char *why;

	(void)state;
	figures_make(&a, 1, 1);
	figures_make(&b, 1, 1);
	facts_set(&a.workload, "threads", "4");
	facts_set(&b.workload, "threads", "4");
	facts_set(&a.host, "kernel", "6.18");
	facts_set(&b.host, "kernel", "6.19");
	facts_set(&a.host, "buddyinfo", "1");
	facts_set(&b.host, "smt", "on");
	assert_null(alike_refusal(&a, &b));
	assert_true(alike_same_host(&a, &b));
	alike_differences(&a, &b, &unlike);
	assert_string_equal(facts_get(&unlike, "kernel"), "6.18 | 6.19");
	assert_string_equal(facts_get(&unlike, "smt"), "- | on");
	assert_string_equal(facts_get(&unlike, "buddyinfo"), "");
	assert_int_equal(unlike.n, 2);
	facts_free(&unlike);
	experiment_free(&b);
	figures_make(&b, 2, 1);
	alike_arms(&a, &b, &unlike);
	assert_non_null(
		strstr(facts_get(&unlike, "arms of one alone"), "- | '"));
	facts_free(&unlike);
	facts_set(&b.workload, "threads", "4");
	facts_set(&b.host, "hostname", "other");
	assert_false(alike_same_host(&a, &b));
	facts_set(&b.workload, "threads", "8");
	why = alike_refusal(&a, &b);
	assert_string_equal(why, "threads is 4 in one and 8 in the other");
	free(why);
	facts_set(&b.workload, "threads", "4");
	facts_set(&b.host, "accel", "tcg");
	why = alike_refusal(&a, &b);
	assert_string_equal(why, "accel is not there in one and tcg in the "
				 "other");
	free(why);
	experiment_free(&a);
	experiment_free(&b);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("more TPS", "tps", { 102, 103.2, 101, 102.4, 101.4 },
		    VERDICT_IMPROVED, NULL),
		ROW("less TPS", "tps", { 98, 99.2, 97, 98.4, 97.6 },
		    VERDICT_REGRESSED, NULL),
		ROW("more latency", "latency_p95_ms",
		    { 102, 103.2, 101, 102.4, 101.4 }, VERDICT_REGRESSED, NULL),
		ROW("more huge pages", "huge_bytes",
		    { 102, 103.2, 101, 102.4, 101.4 }, VERDICT_DIFFERS, NULL),
		ROW("the same", "tps", { 100.2, 100.9, 99.1, 100.3, 99.6 },
		    VERDICT_EQUIVALENT, NULL),
		ROW("cannot tell", "tps", { 104, 98, 101, 97, 103 },
		    VERDICT_INCONCLUSIVE, NULL),
		ROW("a block without a figure", "tps",
		    { 102, NAN, 101, 102.4, 101.4 }, VERDICT_IMPROVED, NULL),
		ROW("one block", "tps", { 102, NAN, NAN, NAN, NAN },
		    VERDICT_INCONCLUSIVE, NULL),
		ROW("no block", "tps", { NAN, NAN, NAN, NAN, NAN },
		    VERDICT_NONE, "lost"),
		ROW("none in one run", "tps", { 102, 0, 101, 102.4, 101.4 },
		    VERDICT_NONE, "in 1 of 5 of the arm: no ratio"),
		ROW("below 0 in one run", "tps", { 102, -1, 101, 102.4, 101.4 },
		    VERDICT_NONE, "0 or less in 0 of 5 runs of the baseline"),
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_aa),
		cmocka_unit_test(test_emulated),
		cmocka_unit_test(test_unpaired),
		cmocka_unit_test(test_margin),
		cmocka_unit_test(test_alike),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
