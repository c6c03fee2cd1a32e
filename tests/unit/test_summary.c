/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the streams of a run to its metrics: figures made by hand. */
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
#include "data/series.h"
#include "data/summary.h"

#include "near.h"

/* Load from 2, settle from 6, the window from 8 to 14. */
static const char samples[] =
	"t_s\tphase\trss_bytes\thuge_bytes\tvm_thp_fault_alloc\t"
	"vm_thp_collapse_alloc\tkh_pages_collapsed\tcpu_server_s\t"
	"psi_mem_some_us\tvm_pgfault\tcpu_kdamond_s\tvm_compact_stall\n"
	"0\tstart\t-\t-\t100\t50\t40\t-\t0\t1000\t-\t9\n"
	"2\tload\t100\t0\t100\t50\t40\t0\t0\t1100\t-\t9\n"
	"4\tload\t200\t60\t120\t50\t40\t3\t0\t1200\t-\t9\n"
	"6\tsettle\t200\t100\t130\t55\t41\t6\t0\t1300\t-\t9\n"
	"8\tmeasure\t400\t110\t130\t60\t43\t9\t0\t1400\t-\t9\n"
	"10\tmeasure\t400\t120\t130\t60\t43\t12\t1500\t1510\t-\t9\n"
	"12\tmeasure\t-\t130\t130\t60\t43\t15\t2500\t1620\t-\t8\n"
	"14.0005\tstop\t400\t120\t131\t60\t43\t18\t2500\t1730\t-\t7\n"
	"16\tstop\t999\t999\t999\t999\t999\t999\t9999\t9999\t-\t99\n";

/*
 * Lines of one second that end at .5: the first begins before the window, the
 * last ends behind it. One is twice as long.
 */
static const char lines[] =
	"t_s\tinterval_s\tthreads\ttransactions\tlatency_p95_ms\t"
	"latency_avg_ms\tlatency_max_ms\terrors\treconnects\n"
	"7.5\t1\t4\t1000\t1\t1\t99\t1\t0\n"
	"8.5\t1\t4\t1000\t1\t1\t99\t0\t0\n"
	"9.5\t1\t4\t100\t9\t2\t20\t0\t0\n"
	"10.5\t1\t4\t200\t5\t5\t30\t0\t0\n"
	"12.5\t2\t4\t300\t7\t4\t10\t0\t0\n"
	"13.5\t1\t4\t0\t-\t-\t-\t2\t0\n"
	"14.5\t1\t4\t1000\t1\t1\t99\t0\t0\n";

static void add_event(struct run *run, double t_s, const char *name,
		      const char *detail)
{
	XGROW(run->events, run->n_events);
	run->events[run->n_events++] = (struct event){
		.t_s = t_s,
		.name = xstrdup(name),
		.detail = xstrdup(detail),
	};
}

static void add_collector(struct run *run, const char *name,
			  const char *missing)
{
	XGROW(run->collectors, run->n_collectors);
	run->collectors[run->n_collectors++] = (struct collector_record){
		.name = xstrdup(name),
		.source = xstrdup(""),
		.missing = xstrdup(missing),
	};
}

static void make_run(struct run *run)
{
	*run = (struct run){
		.reason = xstrdup(""),
		.measure_start_s = 8,
		.measure_end_s = 14,
	};
	add_event(run, 0, "phase", "start");
	add_event(run, 2, "phase", "load");
	add_event(run, 6, "phase", "settle");
	add_event(run, 8, "phase", "measure");
	add_event(run, 14, "phase", "stop");
	add_collector(run, "memory", "");
	add_collector(run, "psi", "stopped");
	add_collector(run, "mariadb", "no database in this workload");
	assert_int_equal(series_parse(samples, strlen(samples), &run->samples),
			 0);
	assert_int_equal(series_parse(lines, strlen(lines), &run->load), 0);
}

struct row {
	const char *metric;
	double number; /* NAN: missing */
	const char *why;
	const char *column; /* if not NULL: all its cells become */
	double set;
};

static void check_value(const struct run *run, const struct row *row)
{
	const struct value *v = run_value(run, row->metric);

	assert_non_null(metric_find(row->metric));
	if (row->why) {
		assert_false(v->is_there);
		assert_string_equal(v->why, row->why);
		return;
	}
	if (!v->is_there)
		fail_msg("%s: %s", row->metric, v->why);
	assert_null(v->why);
	assert_near(v->number, row->number, 1e-9);
}

static void check_row(void **state)
{
	struct run run;

	make_run(&run);
	summary_fill(&run);
	check_value(&run, *state);
	/* A second time changes nothing. */
	summary_fill(&run);
	check_value(&run, *state);
	run_free(&run);
}

static bool set_column(struct series *s, const char *column, double number)
{
	int col = series_column(s, column);

	for (size_t i = 0; col >= 0 && i < s->n_rows; i++)
		s->cells[i * s->n_columns + (size_t)col] = number;
	return col >= 0;
}

static void check_set(void **state)
{
	const struct row *row = *state;
	struct run run;

	make_run(&run);
	assert_true(set_column(&run.samples, row->column, row->set) ||
		    set_column(&run.load, row->column, row->set));
	summary_fill(&run);
	check_value(&run, row);
	run_free(&run);
}

/* A column goes under another name. */
static void test_column_of_the_load_is_missing(void **state)
{
	struct run run;

	(void)state;
	make_run(&run);
	run.load.columns[3][0] = 'x';
	summary_fill(&run);
	check_value(&run, &(struct row){ "tps", NAN,
					 "transactions was not "
					 "reported",
					 NULL, 0 });
	run_free(&run);
}

/* The load begins at t_s; NAN: never. */
static void check_load_start(double t_s, const char *why)
{
	struct run run;

	make_run(&run);
	if (isnan(t_s))
		run.events[1].detail[0] = 'x';
	else
		run.events[1].t_s = t_s;
	summary_fill(&run);
	check_value(&run, &(struct row){ "half_s", NAN, why, NULL, 0 });
	run_free(&run);
}

static void test_load_that_did_not_begin(void **state)
{
	(void)state;
	check_load_start(NAN, "no load phase in events.tsv");
	check_load_start(99, "not reached");
}

static void check_failed(void **state)
{
	struct run run;

	make_run(&run);
	free(run.reason);
	run.reason = xstrdup("the server died");
	run.state = RUN_FAILED;
	run.measure_end_s = NAN;
	summary_fill(&run);
	check_value(&run, *state);
	run_free(&run);
}

static void check_empty(void **state)
{
	struct run run = { .measure_start_s = 1, .measure_end_s = 2 };

	summary_fill(&run);
	check_value(&run, *state);
	run_free(&run);
}

/* A window in which there is neither tick nor line. */
static void check_outside(void **state)
{
	struct run run;

	make_run(&run);
	run.measure_start_s = 100;
	run.measure_end_s = 110;
	summary_fill(&run);
	check_value(&run, *state);
	run_free(&run);
}

/* Ticks 2 s apart and edges between them: a tick within 2 s stands in. */
static void check_edges(void **state)
{
	struct run run;

	make_run(&run);
	run.measure_start_s = 8.9;
	run.measure_end_s = 13.1;
	summary_fill(&run);
	check_value(&run, *state);
	run_free(&run);
}

static void test_totals_take_precedence(void **state)
{
	struct run run;

	(void)state;
	make_run(&run);
	run.values = xcalloc(n_metrics, sizeof(*run.values));
	run.values[metric_find("tps") - metrics] =
		(struct value){ .is_there = true, .number = 7 };
	run.values[metric_find("rss_bytes") - metrics].why = xstrdup("gone");
	summary_fill(&run);
	check_value(&run, &(struct row){ "tps", 7, NULL, NULL, 0 });
	check_value(&run, &(struct row){ "rss_bytes", NAN, "gone", NULL, 0 });
	run_free(&run);
}

static void test_every_metric_has_a_value_or_a_reason(void **state)
{
	struct run run;

	(void)state;
	make_run(&run);
	summary_fill(&run);
	for (size_t i = 0; i < n_metrics; i++)
		assert_true(run.values[i].is_there == !run.values[i].why);
	run_free(&run);
	assert_string_equal(run_value(&run, "tps")->why, "not recorded");
}

static void test_metrics_are_well_formed(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_metrics; i++) {
		assert_ptr_equal(metric_find(metrics[i].name), &metrics[i]);
		assert_true(metrics[i].title[0] && metrics[i].unit[0] &&
			    metrics[i].source[0] && metrics[i].help[0]);
		assert_null(strpbrk(metrics[i].help, "\t\n"));
	}
	assert_null(metric_find("no_such_metric"));
	assert_string_equal(metric_better_text(METRIC_MORE), "more");
}

#define CASE(name, check, ...)                                                 \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ROW(name, ...) CASE(name, check_row, __VA_ARGS__, NULL, 0)
#define FAILED(name, ...)                                                      \
	CASE("failed: " name, check_failed, __VA_ARGS__, NULL, 0)
#define EMPTY(name, ...) CASE("empty: " name, check_empty, __VA_ARGS__, NULL, 0)
#define OUTSIDE(name, ...)                                                     \
	CASE("outside: " name, check_outside, __VA_ARGS__, NULL, 0)
#define EDGES(name, ...) CASE("edges: " name, check_edges, __VA_ARGS__, NULL, 0)
#define SET(name, ...) CASE("set: " name, check_set, __VA_ARGS__)

static const struct CMUnitTest figures[] = {
	/* (100 + 200 + 300 + 0) / (1 + 1 + 2 + 1) */
	ROW("rate of whole lines", "tps", 120, NULL),
	ROW("median, idle second left out", "latency_p95_ms", 7, NULL),
	/* (100 * 2 + 200 * 5 + 300 * 4) / 600 */
	ROW("weighted mean", "latency_avg_ms", 4, NULL),
	ROW("maximum", "latency_max_ms", 30, NULL),
	/* 120 a second over 6.0005 s and 9 CPU seconds */
	ROW("per CPU second", "tx_per_server_cpu_s", 120 * 6.0005 / 9, NULL),
	ROW("mean without a missing tick", "rss_bytes", 400, NULL),
	ROW("mean of the window's ticks", "huge_bytes", 120, NULL),
	ROW("share of means", "huge_share_pct", 30, NULL),
	ROW("last tick", "huge_end_bytes", 120, NULL),
	ROW("faults of the whole run", "origin_fault", 31, NULL),
	ROW("khugepaged of the whole run", "origin_khugepaged", 3, NULL),
	ROW("collapses less khugepaged's", "origin_collapse", 7, NULL),
	ROW("half at 4", "half_s", 2, NULL),
	ROW("90 % at 8", "most_s", 6, NULL),
	ROW("counter in the window", "pgfault", 330, NULL),
	ROW("unit of the counter", "psi_mem_some_ms", 2.5, NULL),
	ROW("counter that is not there at the start", "server_cpu_s", 9, NULL),
	ROW("sum over all phases", "load_errors", 3, NULL),
	ROW("no error is 0", "load_reconnects", 0, NULL),
	/* 8 and 14.0005 are nearer to the edges than 10 and 12 */
	EDGES("counter", "pgfault", 330, NULL),
	EDGES("ticks inside alone", "rss_bytes", 400, NULL),
	EDGES("last inside", "huge_end_bytes", 130, NULL),
};

static const struct CMUnitTest reasons[] = {
	ROW("reason of the collector", "pool_reads", NAN,
	    "mariadb: no database in this workload"),
	ROW("no such column", "pgmajfault", NAN,
	    "vm_pgmajfault was not sampled"),
	ROW("no number in a column", "kdamond_cpu_s", NAN,
	    "cpu_kdamond_s has no number in any tick"),
	ROW("backwards", "compact_stall", NAN,
	    "vm_compact_stall went backwards"),
	ROW("only in totals", "server_thp_enabled", NAN,
	    "server_thp_enabled was not recorded"),
	ROW("total of a collector", "pool_warm_pct", NAN,
	    "mariadb: no database in this workload"),
	FAILED("of the load", "tps", NAN, "run failed: the server died"),
	FAILED("of the ticks", "huge_bytes", NAN,
	       "run failed: the server died"),
	FAILED("of a counter", "server_cpu_s", NAN,
	       "run failed: the server died"),
	EMPTY("load", "tps", NAN, "the load reported nothing"),
	EMPTY("errors", "load_errors", NAN, "the load reported nothing"),
	EMPTY("memory", "rss_bytes", NAN, "rss_bytes was not sampled"),
	OUTSIDE("load", "tps", NAN,
		"the load reported no transactions in the window"),
	OUTSIDE("memory", "rss_bytes", NAN, "no samples in the window"),
	OUTSIDE("counter", "pgfault", NAN,
		"vm_pgfault has no ticks at the window's edges"),
	SET("no memory", "huge_share_pct", NAN,
	    "rss_bytes is 0 in the whole window", "rss_bytes", 0),
	SET("no huge pages are 0", "huge_bytes", 0, NULL, "huge_bytes", 0),
	SET("no huge pages have no time", "half_s", NAN,
	    "no huge pages in the window", "huge_bytes", 0),
	SET("missing in the window", "rss_bytes", NAN,
	    "rss_bytes is missing in the whole window", "rss_bytes", NAN),
	SET("empty column of a collector with a reason", "psi_mem_some_ms", NAN,
	    "psi: stopped", "psi_mem_some_us", NAN),
	SET("nothing ended", "latency_avg_ms", NAN,
	    "nothing ended in the window", "transactions", 0),
	SET("no transaction is 0", "tps", 0, NULL, "transactions", 0),
	SET("lines of no length", "tps", NAN, "the load's lines cover no time",
	    "interval_s", 0),
	SET("idle server", "tx_per_server_cpu_s", NAN,
	    "the server used no CPU time", "cpu_server_s", 5),
	SET("errors not reported", "load_errors", NAN,
	    "the load reported nothing", "errors", NAN),
	EMPTY("per CPU second", "tx_per_server_cpu_s", NAN,
	      "the load reported nothing"),
};

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals_take_precedence),
		cmocka_unit_test(test_column_of_the_load_is_missing),
		cmocka_unit_test(test_load_that_did_not_begin),
		cmocka_unit_test(test_every_metric_has_a_value_or_a_reason),
		cmocka_unit_test(test_metrics_are_well_formed),
	};
	int failed =
		cmocka_run_group_tests_name("figures", figures, NULL, NULL);

	failed += cmocka_run_group_tests_name("reasons", reasons, NULL, NULL);
	return failed +
	       cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
