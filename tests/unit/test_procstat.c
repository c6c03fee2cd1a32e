/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/procstat: names with brackets, kernel threads, THP_enabled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "kern/procstat.h"

/* Fields 5 to 22: flags are the fifth, then utime 14, stime 15, start 22. */
#define REST(flags, utime, stime, start)                                       \
	" 1 1 0 -1 " flags " 5 6 7 8 " utime " " stime " 1 2 20 0 1 0 " start

struct row {
	const char *text;
	int ret;
	struct procstat out;
};

static void check_parse(void **state)
{
	const struct row *row = *state;
	struct procstat st = { .cpu_ticks = 4711 };

	assert_int_equal(procstat_parse(row->text, &st), row->ret);
	if (row->ret) {
		assert_int_equal(st.cpu_ticks, 4711);
		return;
	}
	assert_string_equal(st.comm, row->out.comm);
	assert_int_equal(st.state, row->out.state);
	assert_int_equal(st.ppid, row->out.ppid);
	assert_int_equal(st.is_kthread, row->out.is_kthread);
	assert_int_equal(st.cpu_ticks, row->out.cpu_ticks);
	assert_int_equal(st.start_ticks, row->out.start_ticks);
}

static struct root open_tree(const char *tree)
{
	auto_free char *path = xasprintf("tests/roots/%s", tree);
	struct root root;

	assert_int_equal(root_open(path, &root), 0);
	return root;
}

struct find_row {
	const char *tree;
	const char *name;
	size_t most;
	size_t n;
	pid_t first;
};

static void check_find(void **state)
{
	const struct find_row *row = *state;
	struct root root = open_tree(row->tree);
	pid_t pids[4] = { 0 };

	assert_int_equal(procstat_find_kthreads(&root, row->name, pids,
						row->most),
			 row->n);
	assert_int_equal(pids[0], row->first);
	root_close(&root);
}

struct thp_row {
	const char *tree;
	pid_t pid;
	int ret;
};

static void check_thp(void **state)
{
	const struct thp_row *row = *state;
	struct root root = open_tree(row->tree);

	assert_int_equal(procstat_thp_enabled(&root, row->pid), row->ret);
	root_close(&root);
}

static void reads_cpu_seconds_of_trees(void **state)
{
	struct root root = open_tree("host-6.18");
	double hz = (double)sysconf(_SC_CLK_TCK);
	double seconds = -1;

	(void)state;
	assert_int_equal(procstat_cpu_s(&root, 4242, &seconds), 0);
	assert_true(seconds * hz > 206.9 && seconds * hz < 207.1);
	seconds = -1;
	assert_int_equal(procstat_cpu_s(&root, 4243, &seconds), -ENOENT);
	root_close(&root);
	root = open_tree("broken");
	assert_int_equal(procstat_cpu_s(&root, 4242, &seconds), -EPROTO);
	assert_int_equal(procstat_cpu_s(&root, 4243, &seconds), -EPROTO);
	root_close(&root);
	assert_true(seconds < 0);
}

/* On this machine: we use CPU time, and it is ours. */
static void counts_our_own_cpu(void **state)
{
	double before;
	double after;
	struct root root;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(procstat_cpu_s(&root, getpid(), &before), 0);
	for (uint64_t end = clock_cpu_ns() + 60 * NUM_NS_PER_MS;
	     clock_cpu_ns() < end;)
		;
	assert_int_equal(procstat_cpu_s(&root, getpid(), &after), 0);
	assert_true(after - before > 0.02 && after - before < 5);
	root_close(&root);
}

/* A program that calls itself khugepaged is none. */
static void tells_programs_from_threads(void **state)
{
	struct root root;
	pid_t pids[16];
	int ready[2];
	char byte;
	pid_t pid;
	size_t n;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_NAME, "khugepaged");
		(void)!write(ready[1], "r", 1);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	assert_int_equal(root_open("/", &root), 0);
	n = procstat_find_kthreads(&root, "khugepaged", pids, 16);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (size_t i = 0; i < n; i++)
		assert_int_not_equal(pids[i], pid);
	root_close(&root);
}

static void says_when_thp_is_off(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid) {
		struct root root;
		int on;
		int off;

		signal(SIGABRT, SIG_DFL);
		if (root_open("/", &root) ||
		    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0))
			_exit(9);
		on = procstat_thp_enabled(&root, 0);
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
		off = procstat_thp_enabled(&root, getpid());
		root_close(&root);
		if (on == -ENOENT && off == -ENOENT)
			_exit(2); /* before Linux 5.0 */
		_exit(on == 1 && off == 0 ? 0 : 1);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 2)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		"parse: " name, check_parse, NULL, NULL, &(struct row)         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define FIND(name, ...)                                                        \
	{                                                                      \
		"find: " name, check_find, NULL, NULL, &(struct find_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define THP(name, ...)                                                         \
	{                                                                      \
		"thp: " name, check_thp, NULL, NULL, &(struct thp_row)         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("plain", "7 (sh) S 3" REST("0", "40", "2", "99") " 0 0\n",
		    0, { "sh", 'S', 3, false, 42, 99 }),
		ROW("kernel thread",
		    "7 (kdamond.0) I 2" REST("2129984", "0", "562", "226"), 0,
		    { "kdamond.0", 'I', 2, true, 562, 226 }),
		ROW("blanks and brackets",
		    "7 (a) R (b) c) S 3" REST("0", "1", "1", "9") "\n", 0,
		    { "a) R (b) c", 'S', 3, false, 2, 9 }),
		ROW("newline in the name",
		    "7 (a\nb) S 3" REST("0", "1", "1", "9"), 0,
		    { "a\nb", 'S', 3, false, 2, 9 }),
		ROW("empty name", "7 () Z 1" REST("0", "0", "0", "9"), 0,
		    { "", 'Z', 1, false, 0, 9 }),
		ROW("a name longer than its room",
		    "7 (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) S 1" REST("0", "0", "0",
							       "9"),
		    0,
		    { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		      "aaaaaaaa",
		      'S', 1, false, 0, 9 }),
		ROW("empty", "", -EPROTO, { .ppid = 0 }),
		ROW("cut in the name", "7 (sh", -EPROTO, { .ppid = 0 }),
		ROW("cut behind the name", "7 (sh)", -EPROTO, { .ppid = 0 }),
		ROW("cut behind the state", "7 (sh) S", -EPROTO, { .ppid = 0 }),
		ROW("cut before the start time",
		    "7 (sh) S 3 1 1 0 -1 0 5 6 7 8 1 2 1 2 20 0 1 0", -EPROTO,
		    { .ppid = 0 }),
		ROW("brackets the wrong way", "7 )sh( S 3 1", -EPROTO,
		    { .ppid = 0 }),
		ROW("a word for a number",
		    "7 (sh) S x" REST("0", "1", "1", "9"), -EPROTO,
		    { .ppid = 0 }),
		ROW("ppid that is no pid",
		    "7 (sh) S 4294967296" REST("0", "1", "1", "9"), -EPROTO,
		    { .ppid = 0 }),
		ROW("times that do not add up",
		    "7 (sh) S 3" REST("0", "18446744073709551615", "1", "9"),
		    -EPROTO, { .ppid = 0 }),
		FIND("khugepaged", "host-6.18", "khugepaged", 4, 1, 37),
		FIND("kdamonds by prefix", "host-6.18", "kdamond.", 4, 1, 77),
		FIND("a prefix without a dot is a name", "host-6.18", "kdamond",
		     4, 0, 0),
		FIND("not a kernel thread", "host-6.18", "mariadbd", 4, 0, 0),
		FIND("no room", "host-6.18", "khugepaged", 0, 0, 0),
		FIND("of the arm64 server", "arm64-6.12", "khugepaged", 4, 1,
		     611),
		FIND("none on the arm64 server", "arm64-6.12", "kdamond.", 4, 0,
		     0),
		FIND("broken stat files", "broken", "khugepaged", 4, 0, 0),
		THP("on", "host-6.18", 4242, 1),
		THP("switched off", "arm64-6.12", 4242, 0),
		THP("ours", "arm64-6.12", 0, 1),
		THP("the kernel does not say", "broken", 4242, -ENOENT),
		THP("no value", "broken", 0, -ENOENT),
		THP("no such process", "host-6.18", 1, -ESRCH),
		cmocka_unit_test(reads_cpu_seconds_of_trees),
		cmocka_unit_test(counts_our_own_cpu),
		cmocka_unit_test(tells_programs_from_threads),
		cmocka_unit_test(says_when_thp_is_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
