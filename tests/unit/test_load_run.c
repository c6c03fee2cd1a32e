/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads from start to verdict: a sysbench that goes wrong in every way, the
 * real one without a server, memtouch, and none.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h" /* before cmocka.h, whose fail() is a macro */

#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tree.h"
#include "base/tsv.h"
#include "bench/load/load.h"

#define FAKE "tests/fake-sysbench"

static char log_path[] = "/tmp/thpbench-load-XXXXXX";

struct row {
	enum workload_program program;
	const char *sysbench;
	const char *script;
	const char *rand_type;
	const char *option; /* a name, then its value; NULL: none */
	const char *value;
	uint64_t run_ms;
	const char *want; /* part of the verdict; NULL: taken */
};

static void make_config(const struct row *r, struct config *c)
{
	*c = (struct config){ 0 };
	c->workload = (struct workload_config){
		.program = r->program,
		.sysbench = (char *)r->sysbench,
		.script = (char *)(r->script ? r->script : "oltp_read_only"),
		.tables = 2,
		.table_size = 10000,
		.threads = 2,
		.rand_type = (char *)(r->rand_type ? r->rand_type : "uniform"),
		.dry_run = true,
		.memtouch_pattern = (char *)"uniform",
		.memtouch_bytes = 8 * NUM_MIB,
	};
	if (r->option)
		facts_set(&c->workload.options, r->option, r->value);
}

static void start(const struct row *r, const char *cpus, struct load *l)
{
	struct config c;
	const struct load_spec spec = {
		.config = &c,
		.log = log_path,
		.cpus = cpus,
	};

	make_config(r, &c);
	assert_int_equal(load_start(&spec, l), 0);
	facts_free(&c.workload.options);
}

/* As a run does it: look now and then, at least till n_lines came; stop, judge.
 */
static char *whole_run(const struct row *r, unsigned int n_lines,
		       struct load *l)
{
	uint64_t limit = str_eq(r->value, "hang") ? 100 : 10000;
	uint64_t end;

	start(r, NULL, l);
	err_quiet(1);
	end = clock_ns() + r->run_ms * NUM_NS_PER_MS;
	while ((clock_ns() < end || l->n_lines < n_lines) &&
	       load_read(l, NULL, 0) == 0)
		clock_sleep_until(clock_ns() + 20 * NUM_NS_PER_MS);
	load_stop(l, NULL, 0, limit * NUM_NS_PER_MS);
	err_quiet(0);
	assert_int_equal(l->pid, 0);
	return load_verdict(l);
}

static void check_row(void **state)
{
	const struct row *r = *state;
	struct load l;
	auto_free char *verdict = whole_run(r, 0, &l);

	if (!r->want && verdict)
		fail_msg("%s", verdict);
	if (r->want && (!verdict || !strstr(verdict, r->want)))
		fail_msg("%s", verdict ? verdict : "taken");
	load_free(&l);
	assert_int_equal(l.report_fd, -1);
}

/* The same, of a load that makes a line a second; its figures are plausible. */
static void check_real(void **state)
{
	const struct row *r = *state;
	struct load l;
	auto_free char *verdict = whole_run(r, 1, &l);

	if (verdict)
		fail_msg("%s", verdict);
	assert_true(l.n_lines >= 2);
	assert_true(l.final_transactions > 10);
	assert_true(fabs(l.transactions - l.final_transactions) < 0.5);
	assert_true(l.final_seconds >= 1 && l.final_seconds < 30);
	load_free(&l);
}

static void check_refused(void **state)
{
	const struct row *r = *state;
	struct config c;
	struct load l;
	const struct load_spec spec = { .config = &c, .log = log_path };
	int ret;

	make_config(r, &c);
	err_quiet(1);
	ret = load_start(&spec, &l);
	err_quiet(0);
	facts_free(&c.workload.options);
	assert_int_equal(ret, str_eq(r->sysbench, FAKE) ? -EINVAL : -ENOENT);
	if (!strstr(err_last(), r->want))
		fail_msg("%s", err_last());
}

/* A result folder with one run open in it. */
struct folder {
	char dir[32];
	struct arm_record arm;
	struct experiment e;
	struct run run;
	struct store_run *store;
};

static void folder_open(struct folder *f)
{
	auto_free char *runs = NULL;

	*f = (struct folder){
		.dir = "/tmp/thpbench-load-XXXXXX",
		.arm = { .label = (char *)"a" },
		.run = { .number = 1, .attempt = 1 },
	};
	assert_non_null(mkdtemp(f->dir));
	f->e = (struct experiment){ .dir = f->dir,
				    .arms = &f->arm,
				    .n_arms = 1 };
	runs = xasprintf("%s/runs", f->dir);
	assert_int_equal(file_mkdirs(runs), 0);
	assert_int_equal(store_run_open(&f->e, &f->run, &f->store), 0);
	assert_int_equal(store_load_columns(f->store, load_columns,
					    LOAD_N_COLUMNS),
			 0);
}

/* Close it and read what the load left there. */
static void folder_read(struct folder *f, struct tsv *t)
{
	auto_free char *path = store_run_path(f->store, "sysbench.tsv");

	assert_int_equal(store_run_close(f->store, &f->e, &f->run), 0);
	assert_int_equal(tsv_read(path, t), 0);
	tree_remove(f->dir);
	run_free(&f->run);
}

/*
 * Read once, when all is over: each line still stands at the end of its own
 * interval, on the clock of the run.
 */
static void lines_keep_their_time(void **state)
{
	static const struct row touch = { .program = WORKLOAD_MEMTOUCH };
	uint64_t zero_ns = clock_ns() - 100 * NUM_NS_PER_S;
	struct folder f;
	struct load l;
	struct tsv t;
	double at_s = 0;

	(void)state;
	folder_open(&f);
	start(&touch, NULL, &l);
	clock_sleep_until(clock_ns() + 2300 * NUM_NS_PER_MS);
	load_stop(&l, f.store, zero_ns, 10 * NUM_NS_PER_S);
	assert_null(load_verdict(&l));
	folder_read(&f, &t);
	assert_int_equal(t.n_rows, 1 + l.n_lines);
	for (size_t i = 1; i < t.n_rows; i++) {
		double before_s = at_s;
		double interval_s;

		assert_int_equal(num_double(tsv_cell(&t, i, 0), &at_s), 0);
		assert_int_equal(num_double(tsv_cell(&t, i, 1), &interval_s),
				 0);
		assert_true(at_s > 100 && at_s < 110);
		assert_true(i == 1 ||
			    fabs(at_s - before_s - interval_s) < 0.01);
	}
	assert_true(t.n_rows >= 3);
	tsv_free(&t);
	load_free(&l);
}

static void an_early_end_is_seen_by_read(void **state)
{
	static const struct row early = {
		.sysbench = FAKE,
		.option = "fake",
		.value = "early-status",
	};
	uint64_t end = clock_ns() + 10 * NUM_NS_PER_S;
	struct load l;
	int ret = 0;

	(void)state;
	start(&early, NULL, &l);
	err_quiet(1);
	while (ret == 0 && clock_ns() < end)
		ret = load_read(&l, NULL, 0);
	assert_int_equal(ret, -EIO);
	assert_string_equal(err_last(), "the load ended by itself: exited with "
					"1: FATAL: the server is gone");
	assert_int_equal(load_read(&l, NULL, 0), -EIO);
	err_quiet(0);
	load_free(&l);
}

static void runs_on_the_cpus_it_is_given(void **state)
{
	static const struct row hang = {
		.sysbench = FAKE,
		.option = "fake",
		.value = "hang",
	};
	auto_free char *path = NULL;
	auto_free char *text = NULL;
	struct load l;

	(void)state;
	start(&hang, "0", &l);
	path = xasprintf("/proc/%d/status", (int)l.pid);
	assert_int_equal(file_read(path, &text, NULL), 0);
	assert_non_null(strstr(text, "\nCpus_allowed_list:\t0\n"));
	load_free(&l);
}

/* load_free() without load_stop(), as on an error path. */
static void nothing_is_left_behind(void **state)
{
	static const struct row hang = {
		.sysbench = FAKE,
		.option = "fake",
		.value = "hang",
	};
	struct load l;
	pid_t pid;

	(void)state;
	start(&hang, NULL, &l);
	pid = l.pid;
	assert_true(pid > 0);
	load_free(&l);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void no_load_is_always_right(void **state)
{
	static const struct row none = { .program = WORKLOAD_NULL };
	struct load l;

	(void)state;
	start(&none, NULL, &l);
	assert_int_equal(l.pid, 0);
	assert_int_equal(load_read(&l, NULL, 0), 0);
	load_stop(&l, NULL, 0, 0);
	assert_null(load_verdict(&l));
	load_free(&l);
}

static void says_its_version_and_lua(void **state)
{
	struct workload_config w = { .sysbench = (char *)"system" };
	auto_free char *version = load_sysbench_version(&w);
	auto_free char *none = NULL;

	(void)state;
	assert_true(version[0] >= '1' && version[0] <= '9');
	assert_non_null(strstr(version, "LuaJIT"));
	assert_null(strchr(version, '\n'));
	w.sysbench = (char *)"/no/such/sysbench";
	err_quiet(1);
	none = load_sysbench_version(&w);
	err_quiet(0);
	assert_string_equal(none, "");
}

static int make_log(void **state)
{
	int fd = mkstemp(log_path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_log(void **state)
{
	(void)state;
	return unlink(log_path);
}

#define AS(name, check, ...)                                                   \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define FAKED(how, text)                                                       \
	AS("fake: " how, check_row, WORKLOAD_SYSBENCH, FAKE, NULL, NULL,       \
	   "fake", how, 30, text)
#define REAL(name, script, rand, option, value)                                \
	AS(name, check_real, WORKLOAD_SYSBENCH, "system", script, rand,        \
	   option, value, 1200, NULL)
#define REFUSED(name, script, rand, option, value, text)                       \
	AS(name, check_refused, WORKLOAD_SYSBENCH, FAKE, script, rand, option, \
	   value, 0, text)
#define ENDS(name, script, option, value, text)                                \
	AS(name, check_row, WORKLOAD_SYSBENCH, "system", script, NULL, option, \
	   value, 1000, text)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FAKED("none", NULL),
		FAKED("flood", NULL),
		FAKED("not-fatal", NULL),
		FAKED("fatal", "printed \"FATAL: error 2013: Lost connection"),
		FAKED("no-final", "no final report"),
		FAKED("status", "exited with 1: invalid option: --x"),
		FAKED("signal", "killed by SIGSEGV"),
		FAKED("garbage", "not a line of a report: \"[ 1s ] thds"),
		FAKED("binary", "not a line of a report: \"???[2J\""),
		FAKED("long", "a line too long"),
		FAKED("partial", "middle of a line"),
		FAKED("nothing-done", "no transaction"),
		FAKED("errors", "3 transactions met errors"),
		FAKED("reconnects", "connect again 2 times"),
		FAKED("sum", "sum up to 99 transactions, but it counted 100"),
		FAKED("two-finals", "a line behind the final one"),
		FAKED("line-behind", "a line behind the final one"),
		FAKED("future", "a time outside the run"),
		FAKED("missing", "1 lines of the load cover"),
		FAKED("lost-line", "2 lines of the load cover 18.000 s"),
		AS("fake: early", check_row, WORKLOAD_SYSBENCH, FAKE, NULL,
		   NULL, "fake", "early", 5000,
		   "ended by itself: exited with 0"),
		FAKED("hang", "did not stop when asked and was killed"),
		cmocka_unit_test(lines_keep_their_time),
		cmocka_unit_test(an_early_end_is_seen_by_read),
		cmocka_unit_test(runs_on_the_cpus_it_is_given),
		cmocka_unit_test(nothing_is_left_behind),
		cmocka_unit_test(no_load_is_always_right),
		cmocka_unit_test(says_its_version_and_lua),
		REAL("read only", "oltp_read_only", "uniform", NULL, NULL),
		REAL("special", "oltp_point_select", "special", "rand_spec_pct",
		     "5"),
		REAL("pareto", "oltp_read_write", "pareto", "rand_pareto_h",
		     "0.1"),
		REAL("gaussian", "oltp_write_only", "gaussian", NULL, NULL),
		REAL("zipfian", "oltp_read_only", "zipfian", "rand_zipfian_exp",
		     "1.0"),
		REAL("hot-range", "hot-range", "uniform", "hot_share", "99.5"),
		AS("memtouch", check_real, WORKLOAD_MEMTOUCH, NULL, NULL, NULL,
		   "friendly", "off", 1200, NULL),
		AS("memtouch, wrong option", check_row, WORKLOAD_MEMTOUCH, NULL,
		   NULL, NULL, "colour", "red", 1000,
		   "exited with 1: memtouch: unknown option: --colour=red"),
		ENDS("no such script", "no_such_script", NULL, NULL,
		     "FATAL: no script no_such_script here"),
		ENDS("own thread_run", "tests/lua/thread-run.lua", NULL, NULL,
		     "FATAL: tests/lua/thread-run.lua defines its own "
		     "thread_run()"),
		ENDS("ends itself", "tests/lua/ends-itself.lua", NULL, NULL,
		     "ended by itself: exited with 0"),
		ENDS("no such option", NULL, "no_such_option", "1",
		     "exited with 1: invalid option: --no_such_option=1"),
		ENDS("hot_share above 100", "hot-range", "hot_share", "101",
		     "hot_share must be a percentage"),
		REFUSED("checkpoints", NULL, NULL, "opt.report-checkpoints",
			"1", "set sysbench's counters back"),
		REFUSED("configuration file", NULL, NULL, "config_file", "/x",
			"unseen"),
		REFUSED("all errors ignored", NULL, NULL, "mysql_ignore_errors",
			"all", "lost server"),
		REFUSED("hot-range and zipfian", "hot-range", "zipfian", NULL,
			NULL, "must be uniform, not zipfian"),
		AS("no such sysbench", check_refused, WORKLOAD_SYSBENCH,
		   "/no/such/sysbench", NULL, NULL, NULL, NULL, 0,
		   "sysbench = /no/such/sysbench: no such program"),
	};

	return cmocka_run_group_tests(tests, make_log, remove_log);
}
