/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data/counted: from columns to roles, and what is never a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/counted.h"
#include "data/series.h"
#include "data/summary.h"

#include "near.h"

/*
 * Group tlb is on the PMU all the time, "part" 97 % of it, "turns" 60 %, never
 * is not, idle has no CPU, code has one event that counts nothing. The window
 * is from 2 to 6.
 */
static const char samples[] =
	"t_s\tphase\t"
	"ctr_tlb_access\tctr_tlb_walk\tctr_tlb_walk_2\tctr_tlb_inst\t"
	"ctr_tlb_none\tctr_tlb_4k\tctr_tlb_2m\tctr_code_4k\t"
	"ctr_tlb_enabled_ns\tctr_tlb_running_ns\t"
	"ctr_part_walk\tctr_part_enabled_ns\tctr_part_running_ns\t"
	"ctr_turns_stlb\tctr_turns_enabled_ns\tctr_turns_running_ns\t"
	"ctr_never_cycles\tctr_never_enabled_ns\tctr_never_running_ns\t"
	"ctr_idle_x\tctr_idle_enabled_ns\tctr_idle_running_ns\t"
	"ctr_sw_major\tctr_sw_clock\tctr_sw_enabled_ns\tctr_sw_running_ns\t"
	"ctr_code_enabled_ns\tctr_code_running_ns\n"
	"0\tstart\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-"
	"\t-\t-\t-\t-\t-\t-\t-\t-\t-\n"
	"2\tmeasure\t1000\t10\t1\t5000\t0\t7\t0\t0\t100\t100\t97\t1000\t970\t"
	"6\t100\t60\t0\t100\t0\t5\t100\t100\t0\t1000000000\t10\t10\t1\t1\n"
	"4\tmeasure\t1500\t15\t2\t7500\t0\t8\t0\t0\t200\t200\t100\t1500\t"
	"1455\t9\t150\t90\t0\t150\t0\t5\t100\t100\t0\t2000000000\t20\t20\t2\t2"
	"\n"
	"6\tstop\t3000\t30\t5\t9000\t0\t9\t0\t0\t300\t300\t194\t2000\t1940\t"
	"12\t200\t120\t0\t200\t0\t5\t100\t100\t0\t3500000000\t30\t30\t3\t3\n";

static const char lines[] = "t_s\tinterval_s\ttransactions\n"
			    "3\t1\t5\n4\t1\t5\n5\t1\t5\n6\t1\t5\n";

static const char *const records[][5] = {
	/* group, role, event, code, column */
	{ "tlb", "dtlb_access", "x::LOADS", "4:0x1", "ctr_tlb_access" },
	{ "tlb", "dtlb_walk", "x::LWALK", "4:0x2", "ctr_tlb_walk" },
	{ "tlb", "dtlb_walk", "x::SWALK", "4:0x3", "ctr_tlb_walk_2" },
	{ "tlb", "instructions", "x::INST", "4:0x4", "ctr_tlb_inst" },
	{ "tlb", "itlb_access", "x::NONE", "4:0x5", "ctr_tlb_none" },
	{ "tlb", "dtlb_walk_4k", "x::W4", "4:0x6", "ctr_tlb_4k" },
	{ "tlb", "dtlb_walk_2m", "x::W2", "4:0x7", "ctr_tlb_2m" },
	{ "code", "itlb_walk_4k", "x::I4", "4:0x8", "ctr_code_4k" },
	{ "part", "itlb_walk", "x::ITLB", "4:0x9", "ctr_part_walk" },
	{ "turns", "dtlb_stlb_hit", "x::STLB", "4:0xa", "ctr_turns_stlb" },
	{ "never", "cycles", "x::CYC", "4:0xb", "ctr_never_cycles" },
	{ "idle", "itlb_stlb_hit", "x::IDLE", "4:0xc", "ctr_idle_x" },
	{ "sw", "major_faults", "perf::MAJOR-FAULTS", "1:0x6", "ctr_sw_major" },
	{ "sw", "task_clock", "perf::TASK-CLOCK", "1:0x1", "ctr_sw_clock" },
};

static void add(struct run *run, const char *kind, const char *const cells[5],
		const char *text)
{
	XGROW(run->counters, run->n_counters);
	run->counters[run->n_counters++] = (struct counter_record){
		.kind = xstrdup(kind),
		.group = xstrdup(cells[0]),
		.role = xstrdup(cells[1]),
		.event = xstrdup(cells[2]),
		.code = xstrdup(cells[3]),
		.column = xstrdup(cells[4]),
		.text = xstrdup(text),
	};
}

static void make_run(struct run *run)
{
	static const char *const dear[5] = { "sw", "page_faults", "perf::PF",
					     "1:0x2", "" };
	static const char *const gone[5] = { "", "dtlb_walk_cycles", "", "",
					     "" };

	*run = (struct run){ .measure_start_s = 2, .measure_end_s = 6 };
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		add(run, COUNTER_EVENT, records[i], "");
	add(run, COUNTER_EVENT, dear, "perf::PF: not permitted");
	add(run, COUNTER_MISSING, gone, "no event of this PMU");
	assert_int_equal(series_parse(samples, strlen(samples), &run->samples),
			 0);
	assert_int_equal(series_parse(lines, strlen(lines), &run->load), 0);
}

struct row {
	const char *metric;
	double number;
	const char *why; /* if not NULL: it is missing, so */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	const struct value *v;
	struct run run;

	make_run(&run);
	summary_fill(&run);
	v = run_value(&run, row->metric);
	assert_non_null(metric_find(row->metric));
	if (row->why) {
		assert_false(v->is_there);
		assert_string_equal(v->why, row->why);
	} else {
		if (!v->is_there)
			fail_msg("%s", v->why);
		assert_near(v->number, row->number, 1e-9);
	}
	run_free(&run);
}

/* A fact of counters.tsv moves the limit. */
static void check_limit(const char *limit, double number)
{
	const char *const cells[5] = { "", COUNTER_LIMIT, "", "", "" };
	const struct value *v;
	struct run run;

	make_run(&run);
	add(&run, COUNTER_FACT, cells, limit);
	assert_string_equal(counted_fact(&run, COUNTER_LIMIT), limit);
	summary_fill(&run);
	v = run_value(&run, "dtlb_stlb_hit");
	assert_int_equal(v->is_there, isfinite(number));
	if (v->is_there)
		assert_near(v->number, number, 1e-9);
	run_free(&run);
}

static void test_the_limit_is_recorded(void **state)
{
	(void)state;
	check_limit("60", 10);
	check_limit("61", NAN);
	check_limit("not a number", NAN);
}

static void test_share_of_the_time(void **state)
{
	struct run run;

	(void)state;
	make_run(&run);
	assert_near(counted_running_pct(&run, "tlb"), 100, 1e-9);
	assert_near(counted_running_pct(&run, "part"), 97, 1e-9);
	assert_near(counted_running_pct(&run, "never"), 0, 1e-9);
	assert_true(isnan(counted_running_pct(&run, "idle")));
	assert_true(isnan(counted_running_pct(&run, "no such group")));
	run_free(&run);
}

/* Without counters.tsv the collector's reason is the reason. */
static void test_a_run_without_counters(void **state)
{
	struct run run = { .measure_start_s = 2, .measure_end_s = 6 };

	(void)state;
	assert_int_equal(series_parse(samples, strlen(samples), &run.samples),
			 0);
	run.collectors = xcalloc(1, sizeof(*run.collectors));
	run.n_collectors = 1;
	run.collectors[0].name = xstrdup("counters");
	run.collectors[0].missing = xstrdup("counters = none");
	summary_fill(&run);
	assert_string_equal(run_value(&run, "dtlb_walk")->why,
			    "counters: counters = none");
	run_free(&run);
}

/* The last window has no ticks with numbers in it. */
static void test_a_run_cut_short(void **state)
{
	struct run run;

	(void)state;
	make_run(&run);
	run.samples.n_rows = 2;
	summary_fill(&run);
	assert_string_equal(run_value(&run, "dtlb_walk")->why,
			    "ctr_tlb_enabled_ns has no ticks at the "
			    "window's edges");
	run_free(&run);
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
		ROW("a counter is its difference", "dtlb_access", 2000, NULL),
		ROW("a role is the sum of its events", "dtlb_walk", 24, NULL),
		ROW("a share is of one group", "dtlb_walk_share_pct", 1.2,
		    NULL),
		ROW("per 1000 instructions", "dtlb_walk_mpki", 6, NULL),
		ROW("a transaction", "dtlb_walk_per_tx", 24.0 / 4 / 5, NULL),
		ROW("scaled above the limit", "itlb_walk", 97 / 0.97, NULL),
		ROW("multiplexed", "dtlb_stlb_hit", 0,
		    "multiplexed: group turns was on the PMU 60.0 % of the "
		    "time, less than 95 %"),
		ROW("never on the PMU", "cycles", 0,
		    "group never was never on the PMU: others hold its "
		    "counters, or it needs more than there are"),
		ROW("idle", "itlb_stlb_hit", 0,
		    "group idle: nothing of what it counts had a CPU in the "
		    "window"),
		ROW("0 of a raw event", "itlb_access", 0,
		    "unsupported: x::NONE (4:0x5) counted nothing in the "
		    "whole run"),
		ROW("a share with it", "itlb_walk_share_pct", 0,
		    "no group counts both itlb_walk and itlb_access"),
		ROW("0 of a part of a whole", "dtlb_walk_2m", 0, NULL),
		ROW("the other part", "dtlb_walk_4k", 2, NULL),
		ROW("0 of a part where nothing counted", "itlb_walk_4k", 0,
		    "unsupported: x::I4 (4:0x8) counted nothing in the whole "
		    "run"),
		ROW("0 of a software event", "major_faults", 0, NULL),
		ROW("in its own unit", "task_clock_s", 2.5, NULL),
		ROW("not opened", "page_faults", 0, "perf::PF: not permitted"),
		ROW("no event for the role", "dtlb_walk_cycles", 0,
		    "no event of this PMU"),
		ROW("a share of it", "dtlb_walk_cycles_pct", 0,
		    "no event of this PMU"),
		ROW("a role that nobody knows", "cpu_migrations", 0,
		    "ctr_cpu_migrations was not counted"),
		ROW("in two groups", "itlb_walk_mpki", 0,
		    "no group counts both itlb_walk and instructions"),
		cmocka_unit_test(test_the_limit_is_recorded),
		cmocka_unit_test(test_share_of_the_time),
		cmocka_unit_test(test_a_run_without_counters),
		cmocka_unit_test(test_a_run_cut_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
