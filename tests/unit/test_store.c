/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result folder: written, read, cut off, and on a disk that is full. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Before cmocka.h, which has a macro of the name of fail(). */
#include "base/err.h"

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "data/metric.h"
#include "data/store.h"

#include "near.h"

/* An experiment of two runs in a fresh folder. */
struct fixture {
	char top[32];
	struct experiment e;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct experiment *e = &f->e;

	strncat(f->top, "/tmp/test_store.XXXXXX", sizeof(f->top) - 1);
	if (!mkdtemp(f->top))
		return -1;
	*e = (struct experiment){
		.dir = xasprintf("%s/new/r", f->top),
		.title = xstrdup("two runs"),
		.primary = xstrdup("tps"),
		.blocks = 1,
		.n_arms = 2,
		.arms = xcalloc(2, sizeof(*e->arms)),
		.n_runs = 2,
		.n_planned = 2,
		.runs = xcalloc(2, sizeof(*e->runs)),
	};
	e->arms[0].label = xstrdup("T n");
	e->arms[1].label = xstrdup("T a, D h");
	for (unsigned int i = 0; i < 2; i++)
		e->runs[i] = (struct run){
			.number = i + 1,
			.block = 1,
			.attempt = 1,
			.arm = i,
			.reason = xstrdup(""),
		};
	err_quiet(1);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	err_quiet(0);
	experiment_free(&f->e);
	tree_remove(f->top);
	free(f);
	return 0;
}

static char *path_of(const struct experiment *e, const char *file)
{
	return xasprintf("%s/%s", e->dir, file);
}

/* What it holds must be exactly this. */
static void check_file(const struct experiment *e, const char *file,
		       const char *expected)
{
	auto_free char *path = path_of(e, file);
	auto_free char *text = NULL;

	assert_int_equal(file_read(path, &text, NULL), 0);
	assert_string_equal(text, expected);
}

static void append(const struct experiment *e, const char *file,
		   const char *text)
{
	auto_free char *path = path_of(e, file);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* A run of no content that ends in this state. */
static void write_run(struct experiment *e, size_t i, enum run_state state,
		      const char *reason)
{
	struct run *run = &e->runs[i];
	struct store_run *s;

	assert_int_equal(store_run_open(e, run, &s), 0);
	run->state = state;
	free(run->reason);
	run->reason = xstrdup(reason);
	assert_int_equal(store_run_close(s, e, run), 0);
}

static void fill_streams(struct store_run *s)
{
	static const char *const columns[] = { "rss_bytes", "huge_bytes" };
	static const char *const load[] = { "interval_s", "transactions" };

	store_event(s, 0.0001, "phase", "start");
	store_event(s, 1, "phase", "measure");
	store_event(s, 2.5, "mark", "tab\there");
	store_event(s, 3, "phase", "stop");
	store_sample_columns(s, columns, 2);
	store_sample(s, 0.5, "start", (double[]){ NAN, 0 });
	store_sample(s, 1, "measure", (double[]){ 8589934592.0, 0.5 });
	store_load_columns(s, load, 2);
	store_load(s, 2.25, (double[]){ 1.000123, 321 });
	store_total(s, "pool_warm_pct", 99.5, "status");
	store_total(s, "tps", NAN, "nowhere");
	store_total_missing(s, "load_errors", "no load");
	store_total(s, "of_a_later_version", 1, "x");
}

static void fill_files(struct store_run *s)
{
	static char none[] = "";
	static char texts[][16] = { "1000-3000", "sys/x", "a [b]", "b",
				    "b\n",       "psi",   "no PSI" };
	struct mapping map = { none, texts[0], 8192, 4096, 0 };
	struct setting_record setting = { texts[1], texts[2], none, texts[3],
					  texts[4] };
	struct collector_record collector = { texts[5], none, 0,
					      NAN,      NAN,  texts[6] };
	struct facts facts = { 0 };

	facts_set(&facts, "version", "10.11");
	store_mappings(s, "end", &(struct mappings){ &map, 1 });
	store_settings(s, &setting, 1);
	store_collectors(s, &collector, 1);
	store_facts(s, "variables.tsv", &facts);
	facts_free(&facts);
}

static void check_written(const struct experiment *e)
{
	check_file(e, "runs/001-T-n/events.tsv",
		   "t_s\tevent\tdetail\n0.000100\tphase\tstart\n"
		   "1.000000\tphase\tmeasure\n"
		   "2.500000\tmark\ttab\\there\n3.000000\tphase\tstop\n");
	check_file(e, "runs/001-T-n/samples.tsv",
		   "t_s\tphase\trss_bytes\thuge_bytes\n"
		   "0.500000\tstart\t-\t0\n"
		   "1.000000\tmeasure\t8589934592\t0.5\n");
	check_file(e, "runs/001-T-n/sysbench.tsv",
		   "t_s\tinterval_s\ttransactions\n2.250000\t1.000123\t321\n");
	check_file(e, "runs/001-T-n/totals.tsv",
		   "metric\tvalue\tunit\tsource\tmissing\n"
		   "pool_warm_pct\t99.5\t%\tstatus\t\n"
		   "tps\t-\t1/s\tnowhere\tcame out as no number\n"
		   "load_errors\t-\t1\t\tno load\n"
		   "of_a_later_version\t1\t\tx\t\n");
	check_file(e, "runs/001-T-n/smaps-end.tsv",
		   "mapping\trange\tsize_bytes\trss_bytes\thuge_bytes\n"
		   "[anon]\t1000-3000\t8192\t4096\t0\n");
	check_file(e, "runs/001-T-n/settings.tsv",
		   "path\tbefore\tasked\tread_back\tafter\n"
		   "sys/x\ta [b]\t\tb\tb\\n\n");
	check_file(e, "runs/001-T-n/collectors.tsv",
		   "collector\tsource\tsamples\tcpu_s\tlongest_ms\tmissing\n"
		   "psi\t\t0\t-\t-\tno PSI\n");
	check_file(e, "runs/001-T-n/variables.tsv",
		   "name\tvalue\nversion\t10.11\n");
}

static void check_parts(const struct run *run)
{
	assert_int_equal(run->n_events, 4);
	assert_string_equal(run->events[2].detail, "tab\there");
	assert_near(run->measure_start_s, 1, 0);
	assert_near(run->measure_end_s, 3, 0);
	assert_int_equal(run->samples.n_columns, 3);
	assert_int_equal(run->samples.n_rows, 2);
	assert_true(isnan(series_at(&run->samples, 0, 1)));
	assert_near(series_at(&run->samples, 1, 1), 8589934592.0, 0);
	assert_int_equal(run->load.n_rows, 1);
	assert_near(series_at(&run->load, 0, 2), 321, 0);
	assert_int_equal(run->at_end.n, 1);
	assert_string_equal(run->at_end.list[0].name, "[anon]");
	assert_int_equal(run->at_end.list[0].rss_bytes, 4096);
	assert_int_equal(run->n_settings, 1);
	assert_string_equal(run->settings[0].after, "b\n");
	assert_int_equal(run->n_collectors, 1);
	assert_string_equal(run->collectors[0].missing, "no PSI");
	assert_near(run_value(run, "pool_warm_pct")->number, 99.5, 0);
	assert_false(run_value(run, "tps")->is_there);
	assert_string_equal(run_value(run, "load_errors")->why, "no load");
}

static void test_there_and_back(void **state)
{
	struct fixture *f = *state;
	struct experiment back;
	struct store_run *s;

	assert_int_equal(store_create(&f->e), 0);
	assert_int_equal(store_run_open(&f->e, &f->e.runs[0], &s), 0);
	assert_string_equal(f->e.runs[0].dir, "runs/001-T-n");
	fill_streams(s);
	fill_files(s);
	f->e.runs[0].state = RUN_MARKED;
	assert_int_equal(store_run_close(s, &f->e, &f->e.runs[0]), 0);
	check_written(&f->e);
	assert_int_equal(store_load_experiment(f->e.dir, &back), 0);
	assert_string_equal(back.title, "two runs");
	assert_int_equal(back.n_planned, 2);
	assert_int_equal(back.n_runs, 1);
	assert_int_equal(back.runs[0].state, RUN_MARKED);
	assert_string_equal(back.runs[0].dir, "runs/001-T-n");
	check_parts(&back.runs[0]);
	experiment_free(&back);
}

static void test_folder_is_taken(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(store_create(&f->e), 0);
	assert_int_equal(store_create(&f->e), -EEXIST);
}

static void test_no_folder(void **state)
{
	struct fixture *f = *state;
	auto_free char *manifest = path_of(&f->e, "manifest.json");
	struct experiment back;

	assert_int_equal(store_load_experiment(f->e.dir, &back), -ENOENT);
	assert_non_null(strstr(err_last(), "manifest.json"));
	assert_int_equal(store_create(&f->e), 0);
	assert_int_equal(file_publish(manifest, "{ \"format\": 99 }"), 0);
	assert_int_equal(store_load_experiment(f->e.dir, &back), -ENOTSUP);
	assert_non_null(strstr(err_last(), "newer thpbench: format 99"));
	assert_int_equal(file_publish(manifest, "{"), 0);
	assert_int_equal(store_load_experiment(f->e.dir, &back), -EIO);
}

static void test_attempts(void **state)
{
	struct fixture *f = *state;
	struct experiment *e = &f->e;
	struct experiment back;

	assert_int_equal(store_create(e), 0);
	write_run(e, 0, RUN_FAILED, "died");
	e->runs[0].attempt = 2;
	write_run(e, 0, RUN_OK, "");
	assert_string_equal(e->runs[0].dir, "runs/001-T-n.2");
	write_run(e, 1, RUN_INVALID, "not so");
	assert_int_equal(store_load_journal(e), 0);
	assert_int_equal(e->runs[0].attempt, 2);
	assert_int_equal(e->runs[0].state, RUN_OK);
	assert_int_equal(e->runs[1].state, RUN_INVALID);
	assert_string_equal(e->runs[1].reason, "not so");
	assert_int_equal(store_load_experiment(e->dir, &back), 0);
	assert_int_equal(back.n_runs, 2);
	assert_string_equal(back.runs[0].dir, "runs/001-T-n.2");
	assert_string_equal(back.runs[0].reason, "");
	experiment_free(&back);
}

/* Killed in the second run, which has begun to write. */
static void test_cut_off(void **state)
{
	struct fixture *f = *state;
	struct experiment *e = &f->e;
	struct experiment back;
	struct store_run *s;

	assert_int_equal(store_create(e), 0);
	write_run(e, 0, RUN_OK, "");
	assert_int_equal(store_run_open(e, &e->runs[1], &s), 0);
	fill_streams(s);
	append(e, "runs/002-T-a-D-h/samples.tsv", "2.000000\tmeas");
	append(e, "journal.tsv", "2\t1\tT a, D");
	assert_int_equal(store_load_experiment(e->dir, &back), 0);
	assert_int_equal(back.n_runs, 2);
	assert_int_equal(back.runs[1].state, RUN_FAILED);
	assert_string_equal(back.runs[1].reason, "not finished");
	assert_int_equal(back.runs[1].samples.n_rows, 2);
	experiment_free(&back);
	/* What goes on leaves that folder alone, and mends the journal. */
	assert_int_equal(store_load_journal(e), 0);
	assert_int_equal(e->runs[1].attempt, 0);
	e->runs[1].attempt = 1;
	write_run(e, 1, RUN_OK, "");
	assert_int_equal(e->runs[1].attempt, 2);
	assert_int_equal(store_load_experiment(e->dir, &back), 0);
	assert_int_equal(back.runs[1].state, RUN_OK);
	assert_string_equal(back.runs[1].dir, "runs/002-T-a-D-h.2");
	experiment_free(&back);
	/* The writer that was cut off, for the sake of its memory. */
	assert_int_equal(store_run_close(s, e, &e->runs[1]), 0);
}

static void test_missing_and_unreadable_files(void **state)
{
	struct fixture *f = *state;
	struct experiment *e = &f->e;
	auto_free char *events = path_of(e, "runs/001-T-n/events.tsv");
	auto_free char *samples = path_of(e, "runs/001-T-n/samples.tsv");
	struct experiment back;

	assert_int_equal(store_create(e), 0);
	write_run(e, 0, RUN_OK, "");
	assert_int_equal(unlink(events), 0);
	assert_int_equal(unlink(samples), 0);
	assert_int_equal(store_load_experiment(e->dir, &back), 0);
	assert_int_equal(back.runs[0].n_events, 0);
	assert_int_equal(back.runs[0].samples.n_rows, 0);
	assert_true(isnan(back.runs[0].measure_start_s));
	experiment_free(&back);
	assert_int_equal(file_publish(samples, "x\ty\n1\t2\n"), 0);
	assert_int_equal(store_load_experiment(e->dir, &back), -EIO);
	assert_non_null(strstr(err_last(), "001-T-n/samples.tsv"));
	assert_int_equal(unlink(samples), 0);
	assert_int_equal(mkdir(samples, 0755), 0);
	assert_int_equal(store_load_experiment(e->dir, &back), -EISDIR);
}

/* A journal of another plan: its lines are named and not believed. */
static void test_foreign_journal(void **state)
{
	static const char *const lines[] = {
		"9\t1\tT n\t1\tok\tr\ts\te\t\n",
		"1\t1\tT x\t1\tok\tr\ts\te\t\n",
		"1\t1\tT n\t0\tok\tr\ts\te\t\n",
		"1\t1\tT n\t1\tfine\tr\ts\te\t\n",
		"x\n",
	};
	struct fixture *f = *state;
	struct experiment *e = &f->e;
	auto_free char *path = path_of(e, "journal.tsv");

	assert_int_equal(store_create(e), 0);
	assert_int_equal(store_load_journal(e), 0);
	assert_int_equal(e->runs[0].attempt, 0);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		auto_free char *text = xasprintf(
			"run\tblock\tarm\tattempt\tstate\tdir\tstart\tend\t"
			"reason\n%s",
			lines[i]);

		assert_int_equal(file_publish(path, text), 0);
		assert_int_equal(store_load_journal(e), 0);
		assert_int_equal(e->runs[0].attempt, 0);
	}
}

/* Write until a limit is hit: the run fails and says so, the rest is read. */
static void write_beyond(struct fixture *f)
{
	struct experiment *e = &f->e;
	struct run *run = &e->runs[0];
	struct rlimit before;
	struct rlimit small;
	struct store_run *s;
	int ret = 0;

	assert_int_equal(store_run_open(e, run, &s), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	store_sample_columns(s, (const char *const[]){ "rss_bytes" }, 1);
	for (int i = 0; i < 100 && !ret; i++)
		ret = store_sample(s, i, "load", (double[]){ 123456 });
	assert_int_equal(ret, -EFBIG);
	/* Its other streams go on. */
	assert_int_equal(store_event(s, 1, "phase", "stop"), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	/* That stream does not: the line would join the half of another. */
	assert_int_equal(store_sample(s, 200, "load", (double[]){ 1 }), -EFBIG);
	run->state = RUN_OK;
	assert_int_equal(store_run_close(s, e, run), -EFBIG);
}

static void test_full_disk(void **state)
{
	struct fixture *f = *state;
	struct experiment back;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);

	assert_int_equal(store_create(&f->e), 0);
	write_beyond(f);
	signal(SIGXFSZ, handler);
	assert_int_equal(f->e.runs[0].state, RUN_FAILED);
	assert_string_equal(f->e.runs[0].reason,
			    "the record is not whole: write samples.tsv: File "
			    "too large");
	assert_int_equal(store_load_experiment(f->e.dir, &back), 0);
	assert_int_equal(back.runs[0].state, RUN_FAILED);
	assert_string_equal(back.runs[0].reason, f->e.runs[0].reason);
	/* 20 bytes of header, ten lines of 21, and 35 of 22 in 1000. */
	assert_int_equal(back.runs[0].samples.n_rows, 45);
	assert_int_equal(back.runs[0].n_events, 1);
	experiment_free(&back);
}

/* --- the folders of tests/golden, read from the top folder --- */

static void test_golden(void **state)
{
	struct experiment e;

	(void)state;
	assert_int_equal(store_load_experiment("tests/golden/results/thp-modes",
					       &e),
			 0);
	assert_int_equal(e.n_runs, 9);
	assert_int_equal(e.n_arms, 3);
	assert_string_equal(e.arms[2].label, "T n, M c");
	assert_string_equal(e.runs[4].dir, "runs/005-T-n.2");
	assert_int_equal(e.runs[4].state, RUN_OK);
	assert_int_equal(e.runs[7].state, RUN_MARKED);
	for (size_t i = 0; i < e.n_runs; i++) {
		assert_true(e.runs[i].samples.n_rows > 20);
		assert_int_equal(series_column(&e.runs[i].samples, "phase"),
				 -1);
		assert_true(isfinite(e.runs[i].measure_end_s));
		assert_string_equal(e.runs[i].at_end.list[0].name,
				    "buffer pool");
	}
	experiment_free(&e);
	assert_int_equal(store_load_experiment("tests/golden/results/cut-off",
					       &e),
			 0);
	assert_int_equal(e.n_planned, 4);
	assert_int_equal(e.n_runs, 3);
	assert_int_equal(e.runs[1].state, RUN_INVALID);
	assert_string_equal(e.runs[2].reason, "not finished");
	experiment_free(&e);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_there_and_back),
		TEST(test_folder_is_taken),
		TEST(test_no_folder),
		TEST(test_attempts),
		TEST(test_cut_off),
		TEST(test_missing_and_unreadable_files),
		TEST(test_foreign_journal),
		TEST(test_full_disk),
		cmocka_unit_test(test_golden),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
