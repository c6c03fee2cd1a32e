/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data made once, by a real mariadbd and a real sysbench. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/str.h"
#include "server_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 2000 };

static struct fixture f;
static char *cache;

static int get(struct prepared *p)
{
	return prepared_get(&f.root, &f.config, &f.program, NULL, NULL, p);
}

/* How many names in the cache begin so. */
static int count(const char *prefix)
{
	auto_dir DIR *dir = opendir(cache);
	struct dirent *e;
	int n = 0;

	while (dir && (e = readdir(dir)))
		n += str_starts(e->d_name, prefix);
	return n;
}

static void check_twice(void)
{
	struct prepared first;
	struct prepared second;

	assert_int_equal(get(&first), 0);
	assert_false(first.was_cached);
	assert_true(first.data_bytes > UINT64_C(2) * ROWS * 180);
	assert_int_equal(get(&second), 0);
	assert_true(second.was_cached);
	assert_string_equal(first.key, second.key);
	assert_string_equal(first.dir, second.dir);
	assert_true(first.data_bytes == second.data_bytes);
	assert_int_equal(count("data-"), 1);
	assert_int_equal(count("thpbench-"), 0);
	prepared_free(&first);
	prepared_free(&second);
}

/* A run's copy: whole, warm in a pool of the size we choose, and its own. */
static void check_copy(void)
{
	static const char spoil[] = "DELETE FROM sbtest.sbtest1";
	struct prepared p;
	struct server_spec spec = fixture_spec(&f);
	char *dirs[2];
	double pct = -1;

	assert_int_equal(get(&p), 0);
	spec.pool_bytes = prepared_pool_bytes(&p);
	for (int i = 0; i < 2; i++) {
		struct server s;
		bool clean;

		assert_int_equal(prepared_copy(&p, NULL, &dirs[i]), 0);
		assert_int_equal(count("thpbench-run-"), i + 1);
		spec.data_dir = dirs[i];
		assert_int_equal(server_start(&spec, &s), 0);
		assert_int_equal(server_check_rows(&s, &f.config.workload), 0);
		assert_int_equal(server_warm(&s, &f.config.workload, &pct), 0);
		assert_true(pct > 99.9);
		assert_int_equal(server_exec(&s, spoil), 0);
		server_stop(&s, 20 * NUM_NS_PER_S, &clean);
		assert_true(clean);
		server_free(&s);
	}
	for (int i = 0; i < 2; i++) {
		tree_remove(dirs[i]);
		free(dirs[i]);
	}
	prepared_free(&p);
}

/* The key of a configuration with these lines. */
static char *key_of(unsigned int rows, const char *server, const char *options)
{
	struct facts parts = { 0 };
	char *key;

	assert_int_equal(fixture_config(&f, rows, server, ""), 0);
	if (options[0])
		facts_set(&f.config.workload.options, options, "7");
	assert_int_equal(prepared_parts(&f.config, &f.program, &parts), 0);
	key = prepared_key(&parts);
	facts_free(&parts);
	assert_int_equal(fixture_config(&f, ROWS, "", ""), 0);
	return key;
}

static void check_key(void)
{
	static const struct {
		const char *title;
		const char *server;
		const char *option;
		unsigned int rows;
		bool is_same;
	} rows[] = {
		{ "nothing else", "", "", ROWS, true },
		{ "more rows", "", "", ROWS + 1, false },
		{ "page size", "my.innodb_page_size = 4k\n", "", ROWS, false },
		{ "by dashes", "my.innodb-page-size = 4k\n", "", ROWS, false },
		{ "of the run", "my.sort_buffer_size = 1M\n", "", ROWS, true },
		{ "placement", "cpus = 0\n", "", ROWS, true },
		{ "pool", "buffer_pool = 1G\n", "", ROWS, true },
		{ "range size", "", "range_size", ROWS, true },
		{ "hot share", "", "hot_pct", ROWS, true },
		{ "auto_inc", "", "auto_inc", ROWS, false },
	};
	auto_free char *base = key_of(ROWS, "", "");

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		auto_free char *key =
			key_of(rows[i].rows, rows[i].server, rows[i].option);

		if (str_eq(key, base) != rows[i].is_same)
			fail_msg("key: %s", rows[i].title);
	}
}

/* The guess is no less than what it takes, and not far more. */
static void check_guess(void)
{
	auto_free char *data = NULL;
	struct prepared p;
	uint64_t bytes;
	uint64_t guess;

	assert_int_equal(get(&p), 0);
	data = xasprintf("%s/data", p.dir);
	assert_int_equal(tree_bytes(data, &bytes), 0);
	guess = prepared_guess_bytes(&f.config);
	prepared_free(&p);
	assert_true(guess >= bytes);
	assert_true(guess < 3 * bytes);
}

static void check_full(void)
{
	struct prepared p;

	/* 5 PB */
	f.config.workload.tables = 10000;
	f.config.workload.table_size = 2000000000;
	err_quiet(1);
	assert_int_equal(get(&p), -ENOSPC);
	err_quiet(0);
	assert_non_null(strstr(err_last(), "preparing the data needs about"));
	assert_non_null(strstr(err_last(), cache));
	assert_int_equal(count("thpbench-"), 0);
	assert_int_equal(fixture_config(&f, ROWS, "", ""), 0);
}

static pid_t fork_get(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct prepared p;
		int ret;

		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		ret = get(&p);
		_exit(ret ? 99 : p.was_cached);
	}
	return pid;
}

/* Killed in the middle: nothing counts, and the next try cleans up. */
static void check_interrupted(void)
{
	struct prepared p;
	int status;
	pid_t pid;

	assert_int_equal(fixture_config(&f, ROWS + 1, "", ""), 0);
	pid = fork_get();
	for (int i = 0; i < 1000 && !count("thpbench-making-"); i++)
		clock_sleep_until(clock_ns() + 10 * NUM_NS_PER_MS);
	clock_sleep_until(clock_ns() + 300 * NUM_NS_PER_MS);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	/* What it started would write on for a moment; restore ends it too. */
	proc_kill_children(NULL);
	assert_int_equal(count("thpbench-making-"), 1);
	assert_int_equal(count("data-"), 1);
	/* Of another key: swept as well. */
	assert_int_equal(fixture_config(&f, ROWS + 2, "", ""), 0);
	assert_int_equal(get(&p), 0);
	assert_false(p.was_cached);
	assert_int_equal(count("thpbench-making-"), 0);
	assert_int_equal(count("data-"), 2);
	prepared_free(&p);
}

/*
 * A folder without its record does not count, whatever is in it. Two at once
 * find it so: one makes it anew, the other waits.
 */
static void check_concurrent(void)
{
	auto_free char *record = NULL;
	auto_free char *mark = NULL;
	struct prepared p;
	int cached = 0;
	pid_t pids[2];

	assert_int_equal(fixture_config(&f, ROWS, "", ""), 0);
	assert_int_equal(get(&p), 0);
	assert_true(p.was_cached);
	mark = xasprintf("%s/of-the-old-one", p.dir);
	assert_int_equal(file_publish(mark, ""), 0);
	record = xasprintf("%s/prepared.tsv", p.dir);
	assert_int_equal(unlink(record), 0);
	for (int i = 0; i < 2; i++)
		pids[i] = fork_get();
	for (int i = 0; i < 2; i++) {
		int status = -1;

		waitpid(pids[i], &status, 0);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
		cached += WEXITSTATUS(status);
	}
	assert_int_equal(cached, 1);
	assert_int_equal(access(mark, F_OK), -1);
	prepared_free(&p);
}

static void check_cache_dir(void)
{
	auto_free char *here = getcwd(NULL, 0);
	auto_free char *want = xasprintf("%s/some/where", here);
	auto_free char *got = NULL;

	setenv("THPBENCH_CACHE", "some/where", 1);
	got = prepared_cache_dir();
	setenv("THPBENCH_CACHE", cache, 1);
	assert_string_equal(got, want);
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
#name, run_row, NULL, NULL, &(struct test)                     \
		{                                                              \
			name                                                   \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(check_twice),      TEST(check_copy),
		TEST(check_key),        TEST(check_guess),
		TEST(check_full),       TEST(check_interrupted),
		TEST(check_concurrent), TEST(check_cache_dir),
	};
	int ret;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fixture_open(&f);
	cache = xasprintf("%s/cache", f.dir);
	setenv("THPBENCH_CACHE", cache, 1);
	if (!f.why && fixture_config(&f, ROWS, "", ""))
		abort();
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(&f);
	free(cache);
	return ret;
}
