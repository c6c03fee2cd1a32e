/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result folder: written and read. */
#include "folder.h"

#include <errno.h>
#include <math.h>

#include "base/file.h"
#include "base/str.h"
#include "data/extra.h"

#include "near.h"

/* What it holds must be exactly this. */
static void check_file(const struct experiment *e, const char *file,
		       const char *expected)
{
	auto_free char *path = path_of(e, file);
	auto_free char *text = NULL;

	assert_int_equal(file_read(path, &text, NULL), 0);
	assert_string_equal(text, expected);
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
	store_total(s, "Encode/48:ns/op", 17.5, "file");
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
		   "Encode/48:ns/op\t17.5\tns/op\tfile\t\n"
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

/* One that the table has not. */
static const struct metric benchmark = {
	.name = "Encode/48:ns/op",
	.title = "Encode/48",
	.unit = "ns/op",
	.better = METRIC_LESS,
	.source = "a Go benchmark",
	.help = "as printed",
};

static void check_extra(const struct experiment *back)
{
	const struct metric *m = extra_find(back, "Encode/48:ns/op");

	assert_non_null(m);
	assert_ptr_equal(m, extra_at(back, extra_count(back) - 1));
	assert_string_equal(m->title, "Encode/48");
	assert_string_equal(m->unit, "ns/op");
	assert_int_equal(m->better, METRIC_LESS);
	assert_string_equal(m->source, "a Go benchmark");
	assert_string_equal(m->help, "as printed");
	assert_near(run_value(&back->runs[0], "Encode/48:ns/op")->number, 17.5,
		    0);
	assert_ptr_equal(extra_find(back, "tps"), metric_find("tps"));
	assert_null(extra_find(back, "of_a_later_version"));
}

static void test_there_and_back(void **state)
{
	struct fixture *f = *state;
	struct experiment back;
	struct store_run *s;

	extra_add(&f->e, &benchmark);
	extra_add(&f->e, &benchmark);
	assert_int_equal(f->e.n_extra, 1);
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
	check_extra(&back);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_there_and_back),     TEST(test_folder_is_taken),
		TEST(test_no_folder),          TEST(test_attempts),
		cmocka_unit_test(test_golden),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
