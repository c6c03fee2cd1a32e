/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history in SQLite and in MariaDB: the same tests on both. */
#include <errno.h>
#include <math.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/str.h"
#include "data/history/history_pin.h"
#include "data/metric.h"
#include "data/summary.h"
#include "store_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct store_server server;
static char dir[64];

/* What a test has: a store that holds nothing. */
struct fixture {
	bool is_mariadb;
	const char *store;
};

static char *sqlite_path;

static void drop_tables(const char *store)
{
	static const char *const tables[] = { "meta", "experiment", "metric",
					      "run",  "measured",   "pin" };
	auto_free char *why = NULL;
	struct sql_url url;
	struct sql db;

	if (!str_starts(store, "mariadb:")) {
		unlink(store);
		return;
	}
	assert_int_equal(sql_url_parse(store, &url, &why), 0);
	assert_int_equal(sql_open(&db, &url, true), 0);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		auto_free char *text =
			xasprintf("DROP TABLE IF EXISTS %s", tables[i]);

		assert_int_equal(sql_exec(&db, text), 0);
	}
	sql_close(&db);
}

static const char *begin(void **state)
{
	struct fixture *f = *state;

	f->store = f->is_mariadb ? server.url : sqlite_path;
	if (f->is_mariadb && !server.program) {
		print_message("no mariadbd (make deps): skipped\n");
		skip();
	}
	drop_tables(f->store);
	return f->store;
}

/* --- experiments --- */

enum { N_ARMS = 2 };

static void set_value(struct run *run, const char *metric, double number)
{
	const struct metric *m = metric_find(metric);

	run->values[m - metrics] =
		(struct value){ .is_there = true, .number = number };
}

/* Of n runs in two arms by turns, on this kernel. */
static void make(struct experiment *e, const char *id, const char *kernel,
		 size_t n)
{
	static const char *const labels[N_ARMS] = { "T n, D h", "t N, d h" };

	*e = (struct experiment){
		.dir = xasprintf("%s/%s", dir, id),
		.id = xstrdup(id),
		.title = xstrdup("It's; \"quoted\" \xc3\xa4"),
		.config_path = xstrdup("a/nightly.conf"),
		.config_hash = xstrdup("0123456789abcdef"),
		.program = xstrdup("0.1.0"),
		.created = xasprintf("2026-11-30T12:00:00Z %s", id),
		.primary = xstrdup("tps"),
		.seed = 1,
	};
	facts_set(&e->host, "hostname", "db1");
	facts_set(&e->host, "kernel", kernel);
	e->n_arms = N_ARMS;
	e->arms = xcalloc(N_ARMS, sizeof(*e->arms));
	for (size_t i = 0; i < N_ARMS; i++)
		e->arms[i].label = xstrdup(labels[i]);
	e->n_runs = n;
	e->runs = xcalloc(n + 1, sizeof(*e->runs));
	for (size_t i = 0; i < n; i++) {
		struct run *run = &e->runs[i];

		run->number = (unsigned int)i + 1;
		run->block = (unsigned int)i / N_ARMS + 1;
		run->attempt = 1;
		run->arm = i % N_ARMS;
		run->reason = xstrdup("");
		run->dir = xstrdup("runs/x");
		run->values = xcalloc(n_metrics, sizeof(*run->values));
		set_value(run, "tps", 1000.0 / 3 + (double)i);
		set_value(run, "huge_bytes", 0);
	}
}

static int add(const char *store, const struct experiment *e,
	       struct history_added *added)
{
	const struct history_request none = { 0 };
	struct history h;
	int ret = history_open(store, true, &h);

	if (!ret)
		ret = history_add(&h, e, &none, added);
	history_close(&h);
	return ret;
}

static void add_good(const char *store, const char *id, size_t n)
{
	struct history_added added;
	struct experiment e;

	make(&e, id, "6.18", n);
	assert_int_equal(add(store, &e, &added), 0);
	experiment_free(&e);
}

/* Runs that are stored of all, and values with them. */
static void expect_there(const char *store, size_t n_experiments, size_t n_runs)
{
	const struct history_filter f = { .metric = "all" };
	struct history_experiments x;
	struct history_list list;
	struct history h;
	size_t runs = 0;
	size_t values = 0;

	assert_int_equal(history_open(store, true, &h), 0);
	assert_int_equal(history_experiments(&h, &f, &x), 0);
	assert_int_equal(history_read(&h, &f, &list), 0);
	for (size_t i = 0; i < x.n; i++)
		runs += x.list[i].n_runs;
	for (size_t i = 0; i < list.n; i++)
		for (size_t k = 0; k < list.list[i].n; k++)
			values += list.list[i].points[k].n;
	assert_int_equal(x.n, n_experiments);
	assert_int_equal(runs, n_runs);
	assert_int_equal(values, 2 * n_runs);
	history_experiments_free(&x);
	history_list_free(&list);
	history_close(&h);
}

/* --- tests --- */

static void test_twice(void **state)
{
	const char *store = begin(state);
	struct history_added added;
	struct experiment e;

	make(&e, "one", "6.18", 6);
	assert_int_equal(add(store, &e, &added), 0);
	assert_int_equal(added.n_new, 6);
	assert_int_equal(added.n_values, 12);
	assert_int_equal(add(store, &e, &added), 0);
	assert_int_equal(added.n_runs, 6);
	assert_int_equal(added.n_new, 0);
	assert_int_equal(added.n_values, 0);
	assert_int_equal(added.n_differ, 0);
	set_value(&e.runs[2], "tps", 7);
	assert_int_equal(add(store, &e, &added), 0);
	assert_int_equal(added.n_differ, 1);
	experiment_free(&e);
	expect_there(store, 1, 6);
}

/* What was interrupted and went on: only the new runs come to it. */
static void test_resumed(void **state)
{
	const char *store = begin(state);
	struct history_added added;
	struct experiment e;

	add_good(store, "one", 2);
	make(&e, "one", "6.18", 6);
	e.runs[3].state = RUN_FAILED;
	e.runs[4].state = RUN_MARKED;
	assert_int_equal(add(store, &e, &added), 0);
	assert_int_equal(added.n_runs, 5);
	assert_int_equal(added.n_new, 3);
	experiment_free(&e);
	expect_there(store, 1, 5);
}

/* The values come back bit by bit, in series by arm. */
static void test_values(void **state)
{
	const char *store = begin(state);
	const struct history_filter f = { 0 };
	const struct history_filter arm = { .arm = "t N, d h",
					    .config = "nightly.conf",
					    .host = "db1" };
	const struct history_filter none = { .host = "DB1" };
	struct history_list list;
	struct history h;

	add_good(store, "one", 6);
	assert_int_equal(history_open(store, false, &h), 0);
	assert_int_equal(history_read(&h, &f, &list), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.list[0].arm, "T n, D h");
	assert_string_equal(list.list[0].metric, "tps");
	assert_string_equal(list.list[0].unit, "1/s");
	assert_int_equal(list.list[0].better, METRIC_MORE);
	assert_int_equal(list.list[0].points[0].n, 3);
	for (size_t i = 0; i < 3; i++) {
		double want = 1000.0 / 3 + 2 * (double)i;

		assert_memory_equal(&list.list[0].points[0].x[i], &want,
				    sizeof(want));
	}
	history_list_free(&list);
	assert_int_equal(history_read(&h, &arm, &list), 0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.list[0].arm, "t N, d h");
	history_list_free(&list);
	assert_int_equal(history_read(&h, &none, &list), 0);
	assert_int_equal(list.n, 0);
	history_list_free(&list);
	history_close(&h);
}

static void test_order(void **state)
{
	static const char *const kernels[] = { "6.19", "6.19-rc1-23-gabc",
					       "6.18", "6.18.1", "6.19-rc1" };
	static const char *const sorted[] = { "6.18", "6.18.1", "6.19-rc1",
					      "6.19-rc1-23-gabc", "6.19" };
	const char *store = begin(state);
	struct history_filter f = { 0 };
	struct history_list list;
	struct history h;

	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		auto_free char *id = xasprintf("%zu", i);
		struct history_added added;
		struct experiment e;

		make(&e, id, kernels[i], 2);
		assert_int_equal(add(store, &e, &added), 0);
		experiment_free(&e);
	}
	for (int by_time = 0; by_time < 2; by_time++) {
		f.by_time = by_time;
		assert_int_equal(history_open(store, false, &h), 0);
		assert_int_equal(history_read(&h, &f, &list), 0);
		assert_int_equal(list.list[0].n, ARRAY_SIZE(sorted));
		for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
			assert_string_equal(list.list[0].points[i].kernel,
					    by_time ? kernels[i] : sorted[i]);
		history_list_free(&list);
		history_close(&h);
	}
}

/* A guest on a machine is not that machine. */
static void test_hosts(void **state)
{
	const char *store = begin(state);
	const struct history_filter f = { 0 };
	struct history_added added;
	struct history_list list;
	struct experiment e;
	struct history h;

	add_good(store, "one", 2);
	make(&e, "two", "6.18", 2);
	facts_set(&e.host, "accel", "tcg");
	facts_set(&e.host, "guest_kernels", "7.2");
	assert_int_equal(add(store, &e, &added), 0);
	experiment_free(&e);
	assert_int_equal(history_open(store, false, &h), 0);
	assert_int_equal(history_read(&h, &f, &list), 0);
	assert_int_equal(list.n, 4);
	assert_string_equal(list.list[2].host, "db1 guest tcg");
	assert_string_equal(list.list[2].points[0].kernel, "7.2");
	history_list_free(&list);
	history_close(&h);
}

static void test_unknown(void **state)
{
	const char *store = begin(state);
	const struct history_request said = { "ci3", "6.17" };
	const struct history_request other = { "db2", NULL };
	struct history_added added;
	struct experiment e;
	struct history h;

	err_quiet(1);
	make(&e, "one", "", 2);
	assert_int_equal(add(store, &e, &added), -EILSEQ);
	assert_non_null(strstr(err_last(), "--kernel"));
	facts_set(&e.host, "hostname", "");
	assert_int_equal(add(store, &e, &added), -EILSEQ);
	assert_non_null(strstr(err_last(), "--host"));
	assert_int_equal(history_open(store, true, &h), 0);
	assert_int_equal(history_add(&h, &e, &said, &added), 0);
	facts_set(&e.host, "hostname", "db1");
	assert_int_equal(history_add(&h, &e, &other, &added), -EINVAL);
	history_close(&h);
	experiment_free(&e);
	make(&e, "none", "6.18", 0);
	assert_int_equal(add(store, &e, &added), -EILSEQ);
	assert_non_null(strstr(err_last(), "no run of it counts"));
	experiment_free(&e);
	make(&e, "empty", "6.18", 2);
	for (size_t i = 0; i < n_metrics; i++)
		e.runs[0].values[i] = e.runs[1].values[i] =
			(struct value){ .is_there = false };
	assert_int_equal(add(store, &e, &added), -EILSEQ);
	assert_non_null(strstr(err_last(), "2 counted runs have no value"));
	experiment_free(&e);
	err_quiet(0);
	expect_there(store, 1, 2);
}

/* Imported without a time: other values are another experiment. */
static void test_timeless(void **state)
{
	const char *store = begin(state);

	for (int i = 0; i < 4; i++) {
		struct history_added added;
		struct experiment e;

		make(&e, "r", "6.18", 2);
		free(e.created);
		e.created = xstrdup("unknown");
		set_value(&e.runs[1], "tps", i % 2);
		assert_int_equal(add(store, &e, &added), 0);
		assert_int_equal(added.n_new, i < 2 ? 2 : 0);
		assert_int_equal(added.n_differ, 0);
		experiment_free(&e);
	}
	expect_there(store, 2, 4);
}

/* Of two kernels in one experiment both are named. */
static void test_two_kernels(void **state)
{
	static const char *const kernels[] = { "5.16.1", "6.1" };
	const char *store = begin(state);
	const struct history_filter f = { 0 };
	struct history_experiments x;
	struct history_added added;
	struct experiment e;
	struct history h;

	make(&e, "two kernels", "6.18", 2);
	for (size_t i = 0; i < 2; i++) {
		auto_free char *path = NULL;
		auto_free char *text =
			xasprintf("key\tvalue\nkernel\t%s\n", kernels[i]);

		free(e.runs[i].dir);
		e.runs[i].dir = xasprintf("%zu", i);
		path = xasprintf("%s/%zu", e.dir, i);
		assert_int_equal(file_mkdirs(path), 0);
		free(path);
		path = xasprintf("%s/%zu/guest.tsv", e.dir, i);
		assert_int_equal(file_publish(path, text), 0);
	}
	assert_int_equal(add(store, &e, &added), 0);
	experiment_free(&e);
	assert_int_equal(history_open(store, false, &h), 0);
	assert_int_equal(history_experiments(&h, &f, &x), 0);
	assert_int_equal(x.n, 1);
	assert_int_equal(x.list[0].n_runs, 2);
	assert_string_equal(x.list[0].kernels, "5.16.1 and 6.1");
	history_experiments_free(&x);
	history_close(&h);
}

static void test_versions(void **state)
{
	const char *store = begin(state);
	struct history_added added;
	const struct history_request none = { 0 };
	struct experiment e;
	struct history h;

	drop_tables(store);
	assert_int_equal(history_open_version(store, 1, &h), 0);
	make(&e, "one", "6.18", 4);
	assert_int_equal(history_add(&h, &e, &none, &added), 0);
	err_quiet(1);
	assert_int_not_equal(sql_exec(&h.db, "SELECT * FROM pin"), 0);
	err_quiet(0);
	history_close(&h);
	/* Brought to ours, with what is in it. */
	expect_there(store, 1, 4);
	assert_int_equal(history_open(store, false, &h), 0);
	assert_int_equal(sql_exec(&h.db, "SELECT * FROM pin"), 0);
	assert_int_equal(sql_exec(&h.db, "UPDATE meta SET value = '99' "
					 "WHERE name = 'version'"),
			 0);
	history_close(&h);
	err_quiet(1);
	assert_int_equal(history_open(store, true, &h), -ENOTSUP);
	assert_non_null(strstr(err_last(), "newer thpbench"));
	err_quiet(0);
	experiment_free(&e);
}

/* Eight at once: four of the same experiment, four of their own. */
static void test_writers(void **state)
{
	enum { WRITERS = 8 };
	const char *store = begin(state);
	pid_t pids[WRITERS];

	for (size_t i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			auto_free char *id = xasprintf("own %zu", i);
			struct history_added added;
			struct experiment e;

			signal(SIGSEGV, SIG_DFL);
			make(&e, i % 2 ? "same" : id, "6.18", 40);
			_exit(add(store, &e, &added) != 0);
		}
	}
	for (size_t i = 0; i < WRITERS; i++) {
		int wstatus;

		assert_int_equal(waitpid(pids[i], &wstatus, 0), pids[i]);
		assert_int_equal(wstatus, 0);
	}
	expect_there(store, 5, 200);
}

/* --- what goes wrong at the n-th query --- */

static struct sql_kind faulty;
static const struct sql_kind *sound;
static size_t at_query;
static void (*fault)(void);

static int faulty_query(struct sql *db, const struct sql_query *q)
{
	if (at_query && !--at_query)
		fault();
	return sound->query(db, q);
}

/* Before it is done, or when it is done and nobody was told. */
static int faulty_commit(struct sql *db)
{
	int ret;

	if (at_query && !--at_query)
		fault();
	ret = sound->commit(db);
	if (!at_query || --at_query)
		return ret;
	fault();
	return sql_fail(db, -EAGAIN, "no answer");
}

/* add() with fault() before the n-th query. */
static int add_faulty(const char *store, const char *id, size_t n,
		      bool *is_past)
{
	const struct history_request none = { 0 };
	struct history_added added;
	struct experiment e;
	struct history h;
	int ret = history_open(store, true, &h);

	make(&e, id, "6.18", 20);
	if (!ret) {
		sound = h.db.kind;
		faulty = *sound;
		faulty.query = faulty_query;
		faulty.commit = faulty_commit;
		h.db.kind = &faulty;
		at_query = n;
		ret = history_add(&h, &e, &none, &added);
		*is_past = at_query > 0;
		at_query = 0;
	}
	history_close(&h);
	experiment_free(&e);
	return ret;
}

static void die(void)
{
	raise(SIGKILL);
}

/*
 * Killed at each query in turn: nothing of it is there, until at the last, when
 * it was committed and nobody told, all is.
 */
static void test_killed(void **state)
{
	const char *store = begin(state);
	bool is_over = false;
	size_t last = ((struct fixture *)*state)->is_mariadb ? 9 : 10;

	add_good(store, "before", 2);
	for (size_t n = 1; !is_over; n++) {
		int wstatus;
		bool is_past = false;
		pid_t pid = fork();

		if (!pid) {
			fault = die;
			_exit(add_faulty(store, "cut off", n, &is_past) ? 1
									: 0);
		}
		assert_int_equal(waitpid(pid, &wstatus, 0), pid);
		is_over = n > last;
		assert_true(is_over ? wstatus == 0 : WIFSIGNALED(wstatus));
		expect_there(store, n < last ? 1 : 2, n < last ? 2 : 22);
	}
}

static void crash_and_restart(void)
{
	store_server_kill(&server);
	store_server_start(&server);
}

static void crash(void)
{
	store_server_kill(&server);
}

/*
 * The server crashes and comes again: nothing lost, nothing twice. As it is
 * asked what is there, as values go in, before and behind the commit.
 */
static void test_restarted(void **state)
{
	static const size_t when[] = { 2, 7, 8, 9 };
	const char *store = begin(state);
	bool is_past = false;

	add_good(store, "before", 2);
	fault = crash_and_restart;
	err_quiet(1);
	for (size_t i = 0; i < ARRAY_SIZE(when); i++) {
		auto_free char *id = xasprintf("restart %zu", i);

		assert_int_equal(add_faulty(store, id, when[i], &is_past), 0);
		assert_false(is_past);
		expect_there(store, i + 2, 20 * (i + 1) + 2);
	}
	/* Nine it is: the commit with its answer is the last. */
	assert_int_equal(add_faulty(store, "none", 10, &is_past), 0);
	assert_true(is_past);
	err_quiet(0);
}

static void test_gone(void **state)
{
	const char *store = begin(state);
	struct history_added added;
	bool is_past = false;
	struct experiment e;

	add_good(store, "before", 2);
	fault = crash;
	err_quiet(1);
	assert_int_equal(add_faulty(store, "lost", 4, &is_past), -EAGAIN);
	assert_non_null(strstr(err_last(), "nothing of"));
	make(&e, "lost", "6.18", 20);
	assert_int_equal(add(store, &e, &added), -EAGAIN);
	assert_non_null(strstr(err_last(), "s.sock"));
	err_quiet(0);
	store_server_start(&server);
	expect_there(store, 1, 2);
	assert_int_equal(add(store, &e, &added), 0);
	experiment_free(&e);
	expect_there(store, 2, 22);
}

/* --- pins --- */

static void test_pins(void **state)
{
	const char *store = begin(state);
	const struct history_filter f = { 0 };
	struct history_experiments x;
	struct history_pins pins;
	struct history h;

	add_good(store, "one", 2);
	add_good(store, "two", 2);
	assert_int_equal(history_open(store, false, &h), 0);
	assert_int_equal(history_experiments(&h, &f, &x), 0);
	assert_int_equal(history_pin(&h, "base", &x.list[0], false), 0);
	assert_int_equal(history_pin(&h, "base", &x.list[0], false), 0);
	err_quiet(1);
	assert_int_equal(history_pin(&h, "base", &x.list[1], false), -EEXIST);
	err_quiet(0);
	assert_int_equal(history_pins(&h, "base", &f, &pins), 0);
	assert_int_equal(pins.n, 1);
	assert_string_equal(pins.list[0].experiment, "one");
	history_pins_free(&pins);
	assert_int_equal(history_pin(&h, "base", &x.list[1], true), 0);
	assert_int_equal(history_pins(&h, NULL, &f, &pins), 0);
	assert_int_equal(pins.n, 1);
	assert_string_equal(pins.list[0].experiment, "two");
	history_pins_free(&pins);
	assert_int_equal(history_pins(&h, "other", &f, &pins), 0);
	assert_int_equal(pins.n, 0);
	history_pins_free(&pins);
	history_experiments_free(&x);
	history_close(&h);
}

/* --- stores that are none --- */

static void test_no_store(void **state)
{
	auto_free char *text = xasprintf("%s/text", dir);
	auto_free char *none = xasprintf("%s/none/history.db", dir);
	struct history h;

	(void)state;
	assert_int_equal(file_publish(text, "This is no database at all, and "
					    "longer than its header.\n"),
			 0);
	err_quiet(1);
	assert_int_equal(history_open(text, true, &h), -EIO);
	assert_non_null(strstr(err_last(), text));
	assert_int_equal(history_open(none, false, &h), -ENOENT);
	assert_non_null(strstr(err_last(), "history add"));
	assert_int_not_equal(access(none, F_OK), 0);
	assert_int_equal(history_open("mysql://a@b/c", false, &h), -EINVAL);
	err_quiet(0);
	assert_int_equal(history_open(none, true, &h), 0);
	history_close(&h);
	assert_int_equal(access(none, F_OK), 0);
}

/* To look makes nothing: neither tables nor what would be a store. */
static void test_look(void **state)
{
	const char *store = begin(state);
	struct history h;

	add_good(store, "one", 2);
	drop_tables(store);
	if (!((struct fixture *)*state)->is_mariadb)
		assert_int_equal(file_publish(store, ""), 0);
	err_quiet(1);
	assert_int_equal(history_open(store, false, &h), -ENOENT);
	assert_non_null(strstr(err_last(), "holds no history"));
	assert_int_equal(history_open(store, false, &h), -ENOENT);
	err_quiet(0);
	add_good(store, "one", 2);
	expect_there(store, 1, 2);
}

static int count_row(void *arg, const struct sql_value *cells, size_t n)
{
	(void)cells;
	(void)n;
	++*(size_t *)arg;
	return 0;
}

/* Someone else's file, as a browser has them: nothing is put into it. */
static void test_foreign(void **state)
{
	const char *store = begin(state);
	auto_free char *why = NULL;
	struct sql_url url;
	struct sql db;
	struct history h;
	size_t n = 0;
	struct sql_query q = {
		.text = "SELECT name FROM sqlite_master",
		.row = count_row,
		.arg = &n,
	};

	assert_int_equal(sql_url_parse(store, &url, &why), 0);
	assert_int_equal(sql_open(&db, &url, true), 0);
	assert_int_equal(sql_exec(&db, "CREATE TABLE bookmarks (x TEXT)"), 0);
	err_quiet(1);
	for (int may_make = 0; may_make < 2; may_make++) {
		assert_int_equal(history_open(store, may_make, &h), -EIO);
		assert_non_null(strstr(err_last(), "no history of ours"));
	}
	err_quiet(0);
	assert_int_equal(sql_query(&db, &q), 0);
	assert_int_equal(n, 1);
	sql_close(&db);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	sqlite_path = xasprintf("%s/history.db", dir);
	store_server_open(&server);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	store_server_close(&server);
	free(sqlite_path);
	return tree_remove(dir);
}

#define SQLITE(test)                                                           \
	{                                                                      \
#test " in SQLite", test, NULL, NULL, &(struct fixture)        \
		{                                                              \
			0                                                      \
		}                                                              \
	}
#define MARIADB(test)                                                          \
	{                                                                      \
#test " in MariaDB", test, NULL, NULL, &(struct fixture)       \
		{                                                              \
			.is_mariadb = true                                     \
		}                                                              \
	}
#define BOTH(test) SQLITE(test), MARIADB(test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(test_twice),        cmocka_unit_test(test_no_store),
		BOTH(test_resumed),      BOTH(test_values),
		BOTH(test_order),        BOTH(test_hosts),
		BOTH(test_unknown),      BOTH(test_versions),
		BOTH(test_timeless),     BOTH(test_two_kernels),
		BOTH(test_writers),      BOTH(test_killed),
		MARIADB(test_restarted), MARIADB(test_gone),
		BOTH(test_pins),         BOTH(test_look),
		SQLITE(test_foreign),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
