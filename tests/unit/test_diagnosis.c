/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data/diagnosis: each trap is seen where it is, and only there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/diagnosis.h"
#include "data/metric.h"

#define GIB(n) ((n) * (double)NUM_GIB)
#define MIB(n) ((n) * (double)NUM_MIB)

enum { MOST = 16 };

/* What an arm asks for and what a run of it found; then what is said. */
struct row {
	const char *settings[MOST]; /* name, value, ... */
	struct {
		const char *metric;
		double number;
	} values[MOST];
	double huge_before; /* of the only tick; as settling begins */
	double feed_s;
	const char *said[3];
};

static struct event phases[] = { { 0, (char *)"phase", (char *)"load" },
				 { 1, (char *)"phase", (char *)"settle" } };

static void fill(const struct row *row, struct experiment *e)
{
	static char *columns[] = { (char *)"t_s", (char *)"huge_bytes",
				   (char *)"damos_feed_s" };
	struct run *run = &e->runs[0];

	for (size_t i = 0; row->settings[i]; i += 2)
		facts_set(&e->arms[0].settings, row->settings[i],
			  row->settings[i + 1]);
	run->values = xcalloc(n_metrics, sizeof(*run->values));
	for (size_t i = 0; row->values[i].metric; i++) {
		const struct metric *m = metric_find(row->values[i].metric);

		assert_non_null(m);
		run->values[m - metrics] =
			(struct value){ true, row->values[i].number, NULL };
	}
	run->events = phases;
	run->n_events = ARRAY_SIZE(phases);
	run->samples = (struct series){ columns, ARRAY_SIZE(columns), NULL, 1 };
	run->samples.cells = xcalloc(ARRAY_SIZE(columns), sizeof(double));
	run->samples.cells[0] = 0.5;
	run->samples.cells[1] = row->huge_before;
	run->samples.cells[2] = row->feed_s;
}

static void check(void **state)
{
	const struct row *row = *state;
	struct run run = { .state = RUN_OK };
	struct arm_record arm = { .label = (char *)"A" };
	struct experiment e = {
		.arms = &arm, .n_arms = 1, .runs = &run, .n_runs = 1
	};
	struct diagnoses found;
	size_t n = 0;

	fill(row, &e);
	diagnose(&e, &found);
	while (row->said[n])
		n++;
	for (size_t i = 0; i < found.n && i < n; i++)
		assert_string_equal(found.list[i].text, row->said[i]);
	assert_int_equal(found.n, n);
	diagnoses_free(&found);
	facts_free(&arm.settings);
	free(run.values);
	free(run.samples.cells);
}

/* Runs are counted; one that failed says nothing. */
static void test_counts(void **state)
{
	struct run runs[4] = { { .state = RUN_OK },
			       { .state = RUN_OK },
			       { .state = RUN_FAILED },
			       { .state = RUN_MARKED } };
	struct arm_record arm = { .label = (char *)"A" };
	struct experiment e = {
		.arms = &arm, .n_arms = 1, .runs = runs, .n_runs = 4
	};
	const struct metric *m = metric_find("server_thp_enabled");
	struct diagnoses found;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		runs[i].values = xcalloc(n_metrics, sizeof(*runs[i].values));
		runs[i].values[m - metrics] =
			(struct value){ true, i == 0, NULL };
	}
	diagnose(&e, &found);
	assert_int_equal(found.n, 1);
	assert_int_equal(found.list[0].arm, 0);
	assert_true(str_starts(found.list[0].text, "in 2 of 3 runs: the "
						   "server has switched THP "
						   "off for itself"));
	diagnoses_free(&found);
	for (size_t i = 0; i < 4; i++)
		free(runs[i].values);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SETTINGS(...) .settings = { __VA_ARGS__ }
#define VALUES(...) .values = { __VA_ARGS__ }
#define SAID(...) .said = { __VA_ARGS__ }

static const char gaps[] =
	"in 1 of 1 runs: the quota was spent on gaps: 12.90 GiB tried, 255.0 "
	"MiB applied; vaddr monitors 128.00 GiB of addresses, of which 1.50 "
	"GiB are mapped. damos.fail_charge = 1/4096 (Linux 7.2), "
	"damos.access_rate = 1 max or damos.ops = fvaddr would help";
static const char ineligible[] =
	"in 1 of 1 runs: 8.0 MiB of 384.0 MiB resident memory are huge: a "
	"collapse stops at the first mapping of a region that cannot be huge, "
	"or at a hole. damos.ops = fvaddr, or more regions (damos.regions), "
	"would help";
static const char tuner[] =
	"in 1 of 1 runs: the tuner still allows 4096 bytes an interval as the "
	"window ends, less than one huge page. consist begins at 1 byte and "
	"at best doubles: 21 intervals to 2 MiB. A longer settle phase, or "
	"damos.tuner = temporal, would help";
static const char before[] =
	"in 1 of 1 runs: 200.0 MiB were huge before the scheme began, of 256.0 "
	"MiB at the end of the window: page faults or khugepaged made them "
	"(thp = always), not the scheme";
static const char never[] =
	"in 1 of 1 runs: hugepage was applied to 12.90 GiB and made nothing "
	"huge: it marks memory (MADV_HUGEPAGE) for page faults and khugepaged, "
	"which thp = never forbids";

/* 160 MiB of which 25 % are to be huge, 8 MiB (5 %) an interval of 500 ms. */
#define BEYOND(goal, huge, made, applied)                                      \
	SETTINGS("damos", "collapse", "damos.ops", "fvaddr", "damos.tuner",    \
		 "temporal", "damos.quota_bytes", "8M",                        \
		 "damos.quota_interval", "500ms", "damos.fail_charge",         \
		 "1/4096"),                                                    \
		VALUES({ "damos_goal_bp", goal },                              \
		       { "damos_goal_target_bp", 2500 },                       \
		       { "huge_end_bytes", MIB(huge) },                        \
		       { "origin_damos", made }, { "damos_quota_bytes", 0 },   \
		       { "damos_tried_bytes", MIB(90) },                       \
		       { "damos_applied_bytes", MIB(applied) })
#define PASSED                                                                 \
	"in 1 of 1 runs: temporal passed its target of 2500 basis points by "  \
	"875, 250 more than one interval's quota makes"

static const char small[] =
	"in 1 of 1 runs: damos.quota_bytes is 1048576, less than a huge page "
	"(2.0 MiB): of what the kernel cuts to that size a collapse makes "
	"nothing, and counts it as applied";
static const char before_damos[] =
	"in 1 of 1 runs: 45.0 MiB were huge before the scheme began, of 54.0 "
	"MiB at the end of the window: page faults or khugepaged made them "
	"(thp = as found), not the scheme";
static const char in_part[] =
	PASSED ": of 54.0 MiB that DAMOS made huge 40.0 MiB count as applied. "
	       "A region that fails in part counts as failed, and of it "
	       "damos.fail_charge = 1/4096 is charged: smaller regions "
	       "(damos.regions) would help";
static const char slow[] =
	PASSED ": the goal's value was up to 1.25 s under way to the kernel, "
	       "in intervals of 0.50 s: kdamond was busy with what it acts on. "
	       "A longer damos.quota_interval, or a smaller damos.quota_bytes, "
	       "would help";
static const char unknown[] =
	PASSED "; neither regions that failed in part nor a slow kdamond is on "
	       "record as the reason";

#define GAPS_VALUES                                                            \
	VALUES({ "damos_tried_bytes", GIB(12.9) },                             \
	       { "damos_applied_bytes", MIB(255) },                            \
	       { "damos_qt_exceeds", 20 },                                     \
	       { "damos_monitored_bytes", GIB(128) },                          \
	       { "damos_mapped_bytes", GIB(1.5) }, { "rss_bytes", MIB(384) },  \
	       { "huge_end_bytes", MIB(300) })
#define INELIGIBLE_VALUES                                                      \
	{ "damos_tried_bytes", GIB(12) }, { "damos_applied_bytes", GIB(1) },   \
		{ "damos_qt_exceeds", 0 },                                     \
		{ "damos_monitored_bytes", GIB(2) },                           \
		{ "damos_mapped_bytes", GIB(1.9) }, { "rss_bytes", MIB(384) }, \
	{                                                                      \
		"huge_end_bytes", MIB(8)                                       \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("nothing known", SETTINGS("damos", "collapse"),
		    .huge_before = NAN),
		ROW("gaps", SETTINGS("damos", "collapse"), GAPS_VALUES,
		    SAID(gaps)),
		ROW("gaps are next to free",
		    SETTINGS("damos", "collapse", "damos.fail_charge",
			     "1/4096"),
		    GAPS_VALUES),
		ROW("fvaddr has no gaps",
		    SETTINGS("damos", "collapse", "damos.ops", "fvaddr"),
		    GAPS_VALUES),
		ROW("ineligible", SETTINGS("damos", "collapse"),
		    VALUES(INELIGIBLE_VALUES), SAID(ineligible)),
		ROW("ineligible, and the goal is far",
		    SETTINGS("damos", "collapse"),
		    VALUES(INELIGIBLE_VALUES, { "damos_goal_bp", 200 },
			   { "damos_goal_target_bp", 1000 },
			   { "damos_quota_bytes", MIB(64) }),
		    SAID(ineligible)),
		ROW("the goal is reached", SETTINGS("damos", "collapse"),
		    VALUES(INELIGIBLE_VALUES, { "damos_goal_bp", 1000 },
			   { "damos_goal_target_bp", 1000 })),
		ROW("hugepage stops nowhere",
		    SETTINGS("damos", "hugepage", "thp", "madvise"),
		    VALUES(INELIGIBLE_VALUES)),
		ROW("tuner below a huge page", SETTINGS("damos", "collapse"),
		    VALUES({ "damos_quota_bytes", 4096 },
			   { "damos_goal_bp", 0 },
			   { "damos_goal_target_bp", 1000 }),
		    SAID(tuner)),
		ROW("tuner stopped at its goal", SETTINGS("damos", "collapse"),
		    VALUES({ "damos_quota_bytes", 0 },
			   { "damos_goal_bp", 1040 },
			   { "damos_goal_target_bp", 1000 })),
		ROW("tuner at work", SETTINGS("damos", "collapse"),
		    VALUES({ "damos_quota_bytes", MIB(2) },
			   { "damos_goal_bp", 0 },
			   { "damos_goal_target_bp", 1000 })),
		ROW("a quota below a huge page",
		    SETTINGS("damos", "collapse", "damos.quota_bytes", "1M"),
		    VALUES({ "damos_quota_bytes", MIB(1) },
			   { "damos_goal_bp", 0 },
			   { "damos_goal_target_bp", 1000 }),
		    SAID(small)),
		ROW("a small quota of hugepage",
		    SETTINGS("damos", "hugepage", "damos.quota_bytes", "1M")),
		ROW("a quota of a huge page",
		    SETTINGS("damos", "collapse", "damos.quota_bytes", "2M")),
		ROW("temporal on its way",
		    SETTINGS("damos", "collapse", "damos.tuner", "temporal"),
		    VALUES({ "damos_quota_bytes", 0 }, { "damos_goal_bp", 990 },
			   { "damos_goal_target_bp", 1000 })),
		ROW("within an interval's worth", BEYOND(3125, 50, 25, 50),
		    .feed_s = 3),
		ROW("beyond it, failed in part", BEYOND(3375, 54, 27, 40),
		    SAID(in_part)),
		ROW("beyond it, kdamond slow", BEYOND(3375, 54, 27, 54),
		    .feed_s = 1.25, SAID(slow)),
		ROW("beyond it, not known why", BEYOND(3375, 54, 27, 54),
		    .feed_s = 0.2, SAID(unknown)),
		ROW("beyond it, by others", BEYOND(3375, 54, 10, 20)),
		ROW("beyond it from the start", BEYOND(3375, 54, 27, 54),
		    .huge_before = MIB(45), SAID(before_damos)),
		ROW("huge before",
		    SETTINGS("damos", "hugepage", "thp", "always"),
		    VALUES({ "huge_end_bytes", MIB(256) }),
		    .huge_before = MIB(200), SAID(before)),
		ROW("a little before",
		    SETTINGS("damos", "hugepage", "thp", "always"),
		    VALUES({ "huge_end_bytes", MIB(256) }),
		    .huge_before = MIB(20)),
		ROW("no scheme", SETTINGS("damos", "none", "thp", "always"),
		    VALUES({ "huge_end_bytes", MIB(256) }),
		    .huge_before = MIB(200)),
		ROW("not DAMON's",
		    SETTINGS("damos", "madvise-collapse", "thp", "always"),
		    VALUES({ "huge_end_bytes", MIB(256) }),
		    .huge_before = MIB(200)),
		ROW("hugepage under never",
		    SETTINGS("damos", "hugepage", "thp", "never"),
		    VALUES({ "damos_tried_bytes", GIB(12.9) },
			   { "damos_applied_bytes", GIB(12.9) },
			   { "huge_end_bytes", 0 }),
		    SAID(never)),
		ROW("hugepage under madvise",
		    SETTINGS("damos", "hugepage", "thp", "madvise"),
		    VALUES({ "damos_tried_bytes", GIB(12.9) },
			   { "damos_applied_bytes", GIB(12.9) },
			   { "huge_end_bytes", 0 })),
		cmocka_unit_test(test_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
