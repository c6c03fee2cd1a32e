/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result folders that were cut off, are broken, or ran out of room. */
#include "folder.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static void append(const struct experiment *e, const char *file,
		   const char *text)
{
	auto_free char *path = path_of(e, file);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
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
	store_sample_columns(s, (const char *const[]){ "rss_bytes" }, 1);
	store_sample(s, 1, "load", (double[]){ 1 });
	store_sample(s, 2, "load", (double[]){ 2 });
	append(e, "runs/002-T-a-D-h/samples.tsv", "3.000000\tmeas");
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

/* A file system of 64 KiB in a mount namespace of our own, where we may. */
static bool mount_small(const char *path)
{
	return !mkdir(path, 0755) && !unshare(CLONE_NEWNS) &&
	       !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("tmpfs", path, "tmpfs", 0, "size=64k");
}

static void test_no_space(void **state)
{
	struct fixture *f = *state;
	struct experiment *e = &f->e;
	auto_free char *mounted = xasprintf("%s/new", f->top);
	struct experiment back;
	struct store_run *s;
	int ret = 0;

	if (!mount_small(mounted)) {
		print_message("may not mount: %s\n", strerror(errno));
		skip();
	}
	assert_int_equal(store_create(e), 0);
	assert_int_equal(store_run_open(e, &e->runs[0], &s), 0);
	store_sample_columns(s, (const char *const[]){ "rss_bytes" }, 1);
	for (int i = 0; i < 100000 && !ret; i++)
		ret = store_sample(s, i, "load", (double[]){ 123456 });
	assert_int_equal(ret, -ENOSPC);
	assert_int_equal(store_run_close(s, e, &e->runs[0]), -ENOSPC);
	assert_int_equal(e->runs[0].state, RUN_FAILED);
	assert_string_equal(e->runs[0].reason,
			    "the record is not whole: write samples.tsv: No "
			    "space left on device");
	/* Not even the journal could be written: what is there is read. */
	assert_int_equal(store_load_experiment(e->dir, &back), 0);
	assert_int_equal(back.n_runs, 1);
	assert_int_equal(back.runs[0].state, RUN_FAILED);
	assert_true(back.runs[0].samples.n_rows > 1000);
	experiment_free(&back);
	assert_int_equal(umount(mounted), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_cut_off),
		TEST(test_missing_and_unreadable_files),
		TEST(test_foreign_journal),
		TEST(test_full_disk),
		TEST(test_no_space),
	};

	return cmocka_run_group_tests_name("store faults", tests, NULL, NULL);
}
