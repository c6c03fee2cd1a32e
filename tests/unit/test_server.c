/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A real mariadbd: started, asked, killed, stopped. */
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "kern/procstat.h"
#include "server_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct fixture f;
static pid_t running; /* a failed test leaves it */
static const uint64_t stop_ns = 20 * NUM_NS_PER_S;

static void start(struct server *s)
{
	struct server_spec spec = fixture_spec(&f);

	assert_int_equal(server_start(&spec, s), 0);
	running = s->pid;
}

/* One that stays would keep its files locked, for 30 s of the next start. */
static int end_running(void **state)
{
	(void)state;
	if (running && waitpid(running, NULL, WNOHANG) == 0)
		proc_end(running, 0, NULL);
	running = 0;
	return 0;
}

static void stop(struct server *s)
{
	bool clean = false;

	server_stop(s, stop_ns, &clean);
	assert_true(clean);
	assert_int_equal(s->pid, 0);
	assert_int_not_equal(access(s->socket, F_OK), 0);
	server_free(s);
}

static void check_find(void)
{
	struct server_config c = f.config.server;
	struct server_program p;

	char absent[] = "/no/such/mariadbd";
	char other[] = "/bin/true";

	assert_non_null(strstr(f.program.version, "MariaDB"));
	assert_int_equal(access(f.program.install_db, X_OK), 0);
	err_quiet(1);
	c.mariadbd = absent;
	assert_int_equal(server_find(&c, &p), -ENOENT);
	assert_non_null(strstr(err_last(), "/no/such/mariadbd"));
	c.mariadbd = other;
	assert_true(server_find(&c, &p) < 0);
	err_quiet(0);
}

static void expect_answer(struct server *s, const char *sql, const char *want)
{
	auto_free char *text = server_query(s, sql);

	assert_string_equal(text, want);
}

/* THP stays on, nothing listens on TCP, the pool is pinned. */
static void check_block(void)
{
	struct server s;

	start(&s);
	assert_int_not_equal(procstat_thp_enabled(&f.root, s.pid), 0);
	expect_answer(&s, "SELECT @@skip_networking", "1");
	assert_true(s.pool_bytes == UINT64_C(64) << 20);
	if (f.program.has_pool_size_max)
		expect_answer(&s, "SELECT @@innodb_buffer_pool_size_max",
			      "67108864");
	if (f.program.has_pool_auto_min)
		expect_answer(&s, "SELECT @@innodb_buffer_pool_size_auto_min",
			      "67108864");
	stop(&s);
}

/* The server does what it does in the field; 10.5 leaves THP alone. */
static void check_keep(void)
{
	struct server s;
	int enabled;

	assert_int_equal(fixture_config(&f, 1000, "thp_disable = keep\n", ""),
			 0);
	start(&s);
	enabled = procstat_thp_enabled(&f.root, s.pid);
	if (enabled >= 0 && strncmp(f.program.version, "10.5", 4) != 0)
		assert_int_equal(enabled, 0);
	stop(&s);
	assert_int_equal(fixture_config(&f, 1000, "", ""), 0);
}

/* Of one process: its text in /proc/PID/NAME. */
static char *proc_text(pid_t pid, const char *name)
{
	auto_free char *path = xasprintf("/proc/%d/%s", (int)pid, name);
	char *text = NULL;
	size_t n = 0;

	assert_int_equal(file_read(path, &text, &n), 0);
	for (size_t i = 0; i + 1 < n; i++)
		if (!text[i])
			text[i] = '\n';
	return text;
}

static void check_place(void)
{
	bool has_node = access("/sys/devices/system/node/node0", F_OK) == 0;
	auto_free char *status = NULL;
	auto_free char *env = NULL;
	auto_free char *maps = NULL;
	struct server s;

	assert_int_equal(fixture_config(&f, 1000,
					has_node ? "cpus = 0\nnuma_node = 0\n"
						 : "cpus = 0\n",
					"env.MALLOC_ARENA_MAX = 2\n"
					"env.LD_PRELOAD = libm.so.6\n"),
			 0);
	start(&s);
	status = proc_text(s.pid, "status");
	env = proc_text(s.pid, "environ");
	maps = proc_text(s.pid, "numa_maps");
	assert_non_null(strstr(status, "Cpus_allowed_list:\t0\n"));
	assert_non_null(strstr(env, "\nMALLOC_ARENA_MAX=2"));
	assert_non_null(strstr(env, "libthpkeep.so:libm.so.6"));
	if (has_node)
		assert_non_null(strstr(maps, " bind:0 "));
	stop(&s);
	assert_int_equal(fixture_config(&f, 1000, "", ""), 0);
}

static void make_tables(struct server *s)
{
	assert_int_equal(server_exec(s, "CREATE DATABASE sbtest"), 0);
	for (int i = 1; i <= 2; i++) {
		auto_free char *make = xasprintf(
			"CREATE TABLE sbtest.sbtest%d (id INT PRIMARY KEY, "
			"k INT NOT NULL, c CHAR(120), KEY k_%d (k))",
			i, i);
		auto_free char *fill = xasprintf(
			"INSERT INTO sbtest.sbtest%d SELECT seq, seq %% 97, "
			"'x' FROM sbtest.seq_1_to_1000",
			i);

		assert_int_equal(server_exec(s, make), 0);
		assert_int_equal(server_exec(s, fill), 0);
	}
}

static void check_rows(void)
{
	static const char delete[] = "DELETE FROM sbtest.sbtest2 WHERE id = 9";
	const struct workload_config *w = &f.config.workload;
	struct server s;

	start(&s);
	make_tables(&s);
	assert_int_equal(server_check_rows(&s, w), 0);
	assert_int_equal(server_exec(&s, delete), 0);
	err_quiet(1);
	assert_int_equal(server_check_rows(&s, w), -EPROTO);
	assert_non_null(strstr(err_last(), "sbtest2"));
	assert_non_null(strstr(err_last(), "999 rows"));
	err_quiet(0);
	stop(&s);
}

/* Cold after a start; warm by the scan, which the counters must prove. */
static void check_warm(void)
{
	static const char *const names[] = { "Innodb_pages_read", "no_such" };
	double before[2];
	double after[2];
	double pct = -1;
	struct server s;

	start(&s);
	assert_int_equal(server_warm(&s, &f.config.workload, &pct), 0);
	assert_true(pct > 99.9 && pct <= 100);
	assert_int_equal(server_status(&s, names, 2, before), 0);
	assert_true(isnan(before[1]));
	expect_answer(&s, "SELECT COUNT(DISTINCT k) FROM sbtest.sbtest1", "97");
	expect_answer(&s, "SELECT COUNT(c) FROM sbtest.sbtest2", "999");
	assert_int_equal(server_status(&s, names, 2, after), 0);
	assert_true(after[0] - before[0] < 1);
	stop(&s);
}

static void check_variables(void)
{
	/* All that an option file could take for something else. */
	static const char odd[] = "SELECT ' a # \"b\\n;'";
	struct facts facts = { 0 };
	struct server s;

	facts_set(&f.config.server.variables, "init_connect", odd);
	start(&s);
	assert_int_equal(server_variables(&s, &facts), 0);
	assert_string_equal(facts_get(&facts, "innodb_buffer_pool_size"),
			    "67108864");
	assert_string_equal(facts_get(&facts, "innodb_log_file_size"),
			    "8388608");
	assert_non_null(strstr(facts_get(&facts, "version"), "MariaDB"));
	facts_free(&facts);
	expect_answer(&s, "SELECT @@init_connect", odd);
	err_quiet(1);
	assert_null(server_query(&s, "SELECT no_such_column"));
	assert_non_null(strstr(err_last(), "no_such_column"));
	err_quiet(0);
	stop(&s);
	assert_int_equal(fixture_config(&f, 1000, "", ""), 0);
}

/* Ended by somebody else's hand: seen, named, its traces removed. */
static void check_killed(int sig, const char *named)
{
	struct server s;
	bool clean = true;

	start(&s);
	assert_int_equal(server_check(&s), 0);
	kill(s.pid, sig);
	err_quiet(1);
	for (int i = 0; i < 200 && server_check(&s) == 0; i++)
		clock_sleep_until(clock_ns() + 20 * NUM_NS_PER_MS);
	assert_int_equal(server_check(&s), -EIO);
	assert_non_null(strstr(err_last(), named));
	assert_null(server_query(&s, "SELECT 1"));
	err_quiet(0);
	server_stop(&s, stop_ns, &clean);
	assert_false(clean);
	assert_int_not_equal(access(s.socket, F_OK), 0);
	server_free(&s);
}

static void check_sigkill(void)
{
	check_killed(SIGKILL, "SIGKILL");
}

static void check_sigsegv(void)
{
	check_killed(SIGSEGV, "got signal 11");
}

static void check_hung(void)
{
	struct server s;
	uint64_t begin;
	bool clean = true;

	start(&s);
	kill(s.pid, SIGSTOP);
	begin = clock_ns();
	server_stop(&s, 300 * NUM_NS_PER_MS, &clean);
	assert_false(clean);
	assert_int_equal(s.pid, 0);
	assert_true(clock_ns() - begin < 5 * NUM_NS_PER_S);
	server_free(&s);
}

/* A start that must not succeed, and a word of why. */
static void refuse_start(const struct server_spec *spec, int err,
			 const char *word)
{
	struct server s = { 0 };

	err_quiet(1);
	assert_int_equal(server_start(spec, &s), err);
	err_quiet(0);
	if (!strstr(err_last(), word))
		fail_msg("\"%s\" is not in \"%s\"", word, err_last());
	assert_int_equal(s.pid, 0);
}

static void check_bad_variable(void)
{
	struct server_spec spec;

	assert_int_equal(fixture_config(&f, 1000, "my.innodb_fooo = 1\n", ""),
			 0);
	spec = fixture_spec(&f);
	refuse_start(&spec, -EIO, "unknown variable 'innodb_fooo=1'");
	assert_non_null(strstr(err_last(), "exited with 7"));
	assert_int_equal(fixture_config(&f, 1000, "", ""), 0);
}

static void check_no_data(void)
{
	auto_free char *empty = xasprintf("%s/empty", f.dir);
	struct server_spec spec = fixture_spec(&f);

	assert_int_equal(file_mkdirs(empty), 0);
	spec.data_dir = empty;
	refuse_start(&spec, -EIO, "[ERROR]");
}

static void check_long_socket(void)
{
	auto_free char *dir = xasprintf("%s/%0100d", f.dir, 1);
	struct server_spec spec = fixture_spec(&f);

	spec.dir = dir;
	refuse_start(&spec, -ENAMETOOLONG, "at most 107 bytes");
}

static void check_big_pool(void)
{
	struct server_spec spec = fixture_spec(&f);

	spec.pool_bytes = UINT64_C(1) << 50;
	refuse_start(&spec, -ENOMEM, "a buffer pool of 1024T does not fit");
}

static void check_bad_place(void)
{
	struct server_spec spec;

	assert_int_equal(fixture_config(&f, 1000, "cpus = 0,1000\n", ""), 0);
	spec = fixture_spec(&f);
	refuse_start(&spec, -ENODEV, "cpus = 0,1000: this machine has CPUs");
	assert_int_equal(fixture_config(&f, 1000, "numa_node = 99\n", ""), 0);
	spec = fixture_spec(&f);
	refuse_start(&spec, -ENODEV, "numa_node = 99");
	assert_int_equal(fixture_config(&f, 1000, "", ""), 0);
}

static int close_fixture(void **state)
{
	(void)state;
	fixture_close(&f);
	return 0;
}

static int install(void **state)
{
	struct facts none = { 0 };
	auto_free char *log = xasprintf("%s/install.log", f.dir);

	(void)state;
	if (f.why)
		return 0;
	return prepared_install(&f.program, &none, f.data_dir, log);
}

struct test {
	void (*run)(void);
};

static void run_row(void **state)
{
	const struct test *test = *state;

	if (f.why)
		skip();
	test->run();
}

#define TEST(name)                                                             \
	{                                                                      \
#name, run_row, NULL, end_running, &(struct test)              \
		{                                                              \
			name                                                   \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(check_find),         TEST(check_block),
		TEST(check_keep),         TEST(check_place),
		TEST(check_rows),         TEST(check_warm),
		TEST(check_variables),    TEST(check_sigkill),
		TEST(check_sigsegv),      TEST(check_hung),
		TEST(check_bad_variable), TEST(check_no_data),
		TEST(check_long_socket),  TEST(check_big_pool),
		TEST(check_bad_place),
	};

	fixture_open(&f);
	return cmocka_run_group_tests(tests, install, close_fixture);
}
