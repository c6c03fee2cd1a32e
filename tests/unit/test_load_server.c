/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sysbench against a real mariadbd: its tables, its counts, its failures. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/num.h"
#include "bench/load/load.h"
#include "server_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 1000 };

static struct fixture f;
static struct server server;

struct row {
	const char *script;
	const char *option; /* a name, then its value; NULL: none */
	const char *value;
	const char *want; /* part of the verdict; NULL: taken */
};

static double commits(void)
{
	static const char *const names[] = { "Com_commit" };
	double n;

	assert_int_equal(server_status(&server, names, 1, &n), 0);
	return n;
}

static char *log_path(void)
{
	return xasprintf("%s/load.log", f.dir);
}

static void start(const struct row *r, struct load *l)
{
	auto_free char *log = log_path();
	struct config config = f.config;
	const struct load_spec spec = {
		.config = &config,
		.socket = server.socket,
		.log = log,
	};

	config.workload.script = (char *)r->script;
	config.workload.options = (struct facts){ 0 };
	if (r->option)
		facts_set(&config.workload.options, r->option, r->value);
	assert_int_equal(load_start(&spec, l), 0);
	facts_free(&config.workload.options);
}

/* For 1.2 s or until a line came, at most 30 s. */
static int watch(struct load *l)
{
	uint64_t begin = clock_ns();
	int ret = 0;

	while (ret == 0 && clock_ns() < begin + 30 * NUM_NS_PER_S &&
	       (l->n_lines == 0 || clock_ns() < begin + 1200 * NUM_NS_PER_MS)) {
		clock_sleep_until(clock_ns() + 10 * NUM_NS_PER_MS);
		ret = load_read(l, NULL, 0);
	}
	return ret;
}

/*
 * The server counts as well: of scripts whose transactions end in COMMIT,
 * exactly as many as the load says.
 */
static void check_row(void **state)
{
	const struct row *r = *state;
	auto_free char *verdict = NULL;
	double before;
	struct load l;

	if (f.why)
		skip();
	before = commits();
	start(r, &l);
	err_quiet(1);
	watch(&l);
	load_stop(&l, NULL, 0, 10 * NUM_NS_PER_S);
	err_quiet(0);
	verdict = load_verdict(&l);
	if (r->want ? !verdict || !strstr(verdict, r->want) : !!verdict)
		fail_msg("%s", verdict ? verdict : "taken");
	if (!r->want && !r->option)
		assert_true(fabs(commits() - before - l.transactions) < 0.5);
	load_free(&l);
}

static void check_prepare(void **state)
{
	auto_free char *log = log_path();

	(void)state;
	if (f.why)
		skip();
	assert_int_equal(load_prepare(&f.config, server.socket, log), 0);
	assert_int_equal(server_check_rows(&server, &f.config.workload), 0);
}

/* sysbench exits with 0 here: its tables are there already. */
static void check_prepare_again(void **state)
{
	auto_free char *log = log_path();

	(void)state;
	if (f.why)
		skip();
	err_quiet(1);
	assert_int_equal(load_prepare(&f.config, server.socket, log), -EIO);
	err_quiet(0);
	assert_non_null(strstr(err_last(), "sysbench prepare exited with 0: "
					   "FATAL: "));
	assert_non_null(strstr(err_last(), "1050"));
}

static void check_prepare_nowhere(void **state)
{
	auto_free char *log = log_path();

	(void)state;
	if (f.why)
		skip();
	err_quiet(1);
	assert_int_equal(load_prepare(&f.config, "/no/such.sock", log), -EIO);
	err_quiet(0);
	assert_non_null(strstr(err_last(), "/no/such.sock"));
}

/* The last test: the server dies under the load. */
static void check_server_dies(void **state)
{
	static const struct row read_only = { .script = "oltp_read_only" };
	auto_free char *verdict = NULL;
	struct load l;
	int ret = 0;

	(void)state;
	if (f.why)
		skip();
	start(&read_only, &l);
	assert_int_equal(watch(&l), 0);
	kill(server.pid, SIGKILL);
	err_quiet(1);
	for (int i = 0; i < 1000 && ret == 0; i++) {
		clock_sleep_until(clock_ns() + 10 * NUM_NS_PER_MS);
		ret = load_read(&l, NULL, 0);
	}
	err_quiet(0);
	assert_int_equal(ret, -EIO);
	assert_non_null(strstr(err_last(), "FATAL: "));
	verdict = load_verdict(&l);
	assert_non_null(verdict);
	assert_non_null(strstr(verdict, "ended by itself: "));
	load_free(&l);
}

static int open_server(void **state)
{
	struct facts none = { 0 };
	auto_free char *log = NULL;
	struct server_spec spec;

	(void)state;
	fixture_open(&f);
	if (f.why)
		return 0;
	log = log_path();
	if (fixture_config(&f, ROWS, "", "") ||
	    prepared_install(&f.program, &none, f.data_dir, log))
		return -1;
	spec = fixture_spec(&f);
	return server_start(&spec, &server);
}

static int close_server(void **state)
{
	bool clean;

	(void)state;
	if (!f.why) {
		err_quiet(1);
		server_stop(&server, 20 * NUM_NS_PER_S, &clean);
		server_free(&server);
	}
	fixture_close(&f);
	return 0;
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
		ROW("no tables yet", "oltp_read_only", NULL, NULL, "FATAL: "),
		cmocka_unit_test(check_prepare),
		cmocka_unit_test(check_prepare_again),
		cmocka_unit_test(check_prepare_nowhere),
		ROW("read only", "oltp_read_only", NULL, NULL, NULL),
		ROW("hot range", "hot-range", NULL, NULL, NULL),
		ROW("point select", "oltp_point_select", "skip_trx", "on",
		    NULL),
		ROW("text protocol", "oltp_read_only", "db_ps_mode", "disable",
		    NULL),
		ROW("a rate", "oltp_read_only", "rate", "50", NULL),
		ROW("too high a rate", "oltp_read_only", "rate", "1000000",
		    "FATAL: The event queue is full"),
		cmocka_unit_test(check_server_dies),
	};

	return cmocka_run_group_tests(tests, open_server, close_server);
}
