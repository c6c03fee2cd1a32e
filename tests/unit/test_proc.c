/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/proc: processes start, end in time, and leave nothing behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

#define LONG (20 * NUM_NS_PER_S) /* more than anything here takes */

/* sh -c SCRIPT with stdout taken; what it printed, or its error as text. */
static char *shell(struct proc_spec *spec, const char *script,
		   uint64_t limit_ns, int *wstatus)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	char *out;
	int ret;

	spec->argv = argv;
	ret = proc_capture(spec, limit_ns, &out, wstatus);
	return ret ? xasprintf("%s", strerrorname_np(-ret)) : out;
}

struct capture_row {
	const char *script;
	const char *out;
	int wstatus;
};

static void check_capture(void **state)
{
	const struct capture_row *row = *state;
	struct proc_spec spec = { 0 };
	int wstatus = -1;
	auto_free char *out = shell(&spec, row->script, LONG, &wstatus);

	assert_string_equal(out, row->out);
	assert_int_equal(wstatus, row->wstatus);
}

static void captures_much(void **state)
{
	struct proc_spec spec = { 0 };
	int wstatus = -1;
	auto_free char *out =
		shell(&spec, "head -c 3000000 /dev/zero | tr '\\0' x", LONG,
		      &wstatus);

	(void)state;
	assert_int_equal(wstatus, 0);
	assert_int_equal(strlen(out), 3000000);
}

struct limit_row {
	const char *script;
};

/* In time, and with the whole session killed. */
static void check_limit(void **state)
{
	const struct limit_row *row = *state;
	struct proc_spec spec = { 0 };
	int wstatus = -1;
	uint64_t begin = clock_ns();
	auto_free char *out =
		shell(&spec, row->script, 200 * NUM_NS_PER_MS, &wstatus);

	assert_true(clock_ns() - begin >= 200 * NUM_NS_PER_MS);
	assert_true(clock_ns() - begin < 5 * NUM_NS_PER_S);
	assert_string_equal(out, "ETIMEDOUT");
	assert_true(WIFSIGNALED(wstatus) || WIFEXITED(wstatus));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

struct start_row {
	const char *program;
	const char *dir;
	int ret;
};

static void check_start(void **state)
{
	const struct start_row *row = *state;
	const char *const argv[] = { row->program, NULL };
	struct proc_spec spec = { .argv = argv, .dir = row->dir };

	assert_int_equal(proc_start(&spec), row->ret);
	/* What could not be started is not left as a zombie. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static int say_no(void *arg)
{
	return *(int *)arg;
}

static void before_exec_may_refuse(void **state)
{
	const char *const argv[] = { "true", NULL };
	int ret = -EXDEV;
	struct proc_spec spec = { .argv = argv,
				  .before_exec = say_no,
				  .arg = &ret };
	int wstatus = -1;

	(void)state;
	assert_int_equal(proc_start(&spec), -EXDEV);
	ret = 0;
	assert_int_equal(proc_run(&spec, LONG, &wstatus), 0);
	assert_int_equal(wstatus, 0);
}

static void passes_env_dir_and_fds(void **state)
{
	const char *const env[] = { "TEST_A=one two", "HOME=/nowhere", NULL };
	struct proc_spec spec = { .env = env, .dir = "/usr" };
	int extra[2];
	int wstatus = -1;
	auto_free char *out = NULL;

	(void)state;
	assert_int_equal(pipe2(extra, O_CLOEXEC), 0);
	assert_int_equal(file_write_fd(extra[1], "x\n", 2), 0);
	spec.extra_fd = extra[0];
	out = shell(&spec,
		    "echo \"$TEST_A $HOME $PWD\"; read -r a <&3; echo $a; "
		    "cat; ls /proc/self/fd | tr '\\n' ' '",
		    LONG, &wstatus);
	close(extra[0]);
	close(extra[1]);
	/* ls opens one itself, the folder: nothing else came along. */
	assert_string_equal(out, "one two /nowhere /usr\nx\n0 1 2 3 4 ");
}

/* Where our own fds are 0 to 3, they must not overwrite one another. */
static void fds_do_not_collide(void **state)
{
	int wstatus;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid) {
		struct proc_spec spec = { 0 };
		char *out;
		int extra[2];

		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		for (int fd = 0; fd < 20; fd++)
			close(fd);
		/* /dev/null as 0; then the pipes are 1 to 4. */
		if (open("/dev/null", O_RDWR) != 0 || pipe2(extra, O_CLOEXEC) ||
		    file_write_fd(extra[1], "x\n", 2))
			_exit(2);
		spec.extra_fd = extra[0];
		out = shell(&spec, "read -r a <&3; echo $a; echo e >&2", LONG,
			    &wstatus);
		_exit(str_eq(out, "x\ne\n") && wstatus == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	assert_int_equal(wstatus, 0);
}

/* glibc's own 32 and 33, which no program may set, come ignored from spawn. */
static void starts_with_default_signals(void **state)
{
	const uint64_t ours = ~(UINT64_C(3) << 31);
	struct proc_spec spec = { 0 };
	int wstatus = -1;
	auto_free char *out = NULL;
	sigset_t set;
	sigset_t old;
	uint64_t masks[2];

	(void)state;
	signal(SIGUSR1, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &old);
	out = shell(&spec,
		    "sed -n 's/Sig\\(Blk\\|Ign\\):.//p' /proc/self/status",
		    LONG, &wstatus);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGUSR1, SIG_DFL);
	assert_int_equal(sscanf(out, "%" SCNx64 " %" SCNx64, &masks[0],
				&masks[1]),
			 2);
	assert_int_equal(masks[0], 0);
	assert_int_equal(masks[1] & ours, 0);
}

/* A pipe that it was not given ends when we close it. */
static void keeps_our_fds_to_ourselves(void **state)
{
	const char *const argv[] = { "sleep", "60", NULL };
	struct proc_spec spec = { .argv = argv };
	int fds[2];
	char byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0); /* without O_CLOEXEC */
	pid = proc_start(&spec);
	close(fds[1]);
	assert_int_equal(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
	assert_int_equal(read(fds[0], &byte, 1), 0);
	proc_end(pid, 0, NULL);
	close(fds[0]);
}

static void waits_and_ends(void **state)
{
	const char *const argv[] = { "sleep", "60", NULL };
	struct proc_spec spec = { .argv = argv };
	int wstatus = -1;
	pid_t pid = proc_start(&spec);

	(void)state;
	assert_true(pid > 0);
	assert_int_equal(getsid(pid), pid);
	assert_int_equal(proc_wait(pid, 0, &wstatus), 0);
	assert_int_equal(proc_wait(pid, 5 * NUM_NS_PER_MS, &wstatus), 0);
	proc_end(pid, LONG, &wstatus);
	assert_true(WIFSIGNALED(wstatus));
	assert_int_equal(WTERMSIG(wstatus), SIGTERM);
	assert_int_equal(proc_wait(pid, 0, &wstatus), -ECHILD);
	/* No limit is no limit, not one that has passed. */
	pid = fork();
	if (!pid) {
		usleep(20000);
		_exit(3);
	}
	assert_int_equal(proc_wait(pid, UINT64_MAX, &wstatus), 1);
	assert_int_equal(WEXITSTATUS(wstatus), 3);
	proc_end(pid, 0, NULL); /* gone already */
}

/* SIGKILL after the grace, to it and to what is in its group. */
static void ends_the_stubborn_with_its_group(void **state)
{
	char path[] = "/tmp/thpbench-proc-XXXXXX";
	int fd = mkstemp(path);
	auto_free char *script = xasprintf(
		"trap '' TERM; sleep 60 & echo $! >%s; wait; wait; sleep 60",
		path);
	const char *const argv[] = { "sh", "-c", script, NULL };
	struct proc_spec spec = { .argv = argv };
	auto_free char *text = NULL;
	const char *p;
	uint64_t inner = 0;
	int wstatus = -1;
	pid_t pid = proc_start(&spec);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (int i = 0; i < 1000 && !inner; i++) {
		usleep(5000);
		free(text);
		text = NULL;
		assert_int_equal(file_read(path, &text, NULL), 0);
		p = text;
		if (!strchr(text, '\n') || num_scan_u64(&p, &inner))
			inner = 0;
	}
	unlink(path);
	assert_true(inner > 1);
	proc_end(pid, 50 * NUM_NS_PER_MS, &wstatus);
	assert_true(WIFSIGNALED(wstatus));
	assert_int_equal(WTERMSIG(wstatus), SIGKILL);
	/* Init, or who stands for it, has to bury that one. */
	for (int i = 0; i < 1000 && proc_start_time((pid_t)inner); i++) {
		auto_free char *stat = xasprintf("/proc/%d/stat", (int)inner);
		auto_free char *line = NULL;

		if (!file_read(stat, &line, NULL) && strstr(line, ") Z "))
			break;
		usleep(5000);
		assert_true(i < 999);
	}
}

static void names_statuses(void **state)
{
	static const struct {
		int wstatus;
		const char *text;
	} rows[] = {
		{ 0, "exited with 0" },
		{ 7 << 8, "exited with 7" },
		{ SIGKILL, "killed by SIGKILL" },
		{ SIGSEGV | 0x80, "killed by SIGSEGV" },
		{ 0x7f, "wait status 0x7f" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		auto_free char *text = proc_status_text(rows[i].wstatus);

		assert_string_equal(text, rows[i].text);
	}
}

static void knows_start_times(void **state)
{
	uint64_t mine = proc_start_time(getpid());
	uint64_t other;
	pid_t pid;

	(void)state;
	assert_true(mine > 0);
	assert_int_equal(proc_start_time(getpid()), mine);
	assert_int_equal(proc_start_time(0x3fffffff), 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "a) R 1 (b");
		pause();
		_exit(0);
	}
	usleep(30000);
	other = proc_start_time(pid);
	kill(pid, SIGKILL);
	assert_true(other >= mine && other < mine + 100000);
	waitpid(pid, NULL, 0);
	assert_int_equal(proc_start_time(pid), 0);
}

static void finds_programs(void **state)
{
	char dir[] = "/tmp/thpbench-path-XXXXXX";
	auto_free char *old = xstrdup(getenv("PATH"));
	auto_free char *path = NULL;
	auto_free char *tool = NULL;
	auto_free char *sub = NULL;
	auto_free char *plain = NULL;
	char *found;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = xasprintf("/no/such:%s", dir);
	tool = xasprintf("%s/thptool", dir);
	sub = xasprintf("%s/thpdir", dir);
	plain = xasprintf("%s/thpplain", dir);
	assert_int_equal(file_publish(tool, "#!/bin/sh\n"), 0);
	assert_int_equal(chmod(tool, 0755), 0);
	assert_int_equal(file_publish(plain, ""), 0);
	assert_int_equal(mkdir(sub, 0755), 0);
	setenv("PATH", path, 1);
	found = proc_find_program("thptool");
	assert_string_equal(found, tool);
	free(found);
	found = proc_find_program(tool);
	assert_string_equal(found, tool);
	free(found);
	assert_null(proc_find_program("thpdir"));
	assert_null(proc_find_program(sub));
	assert_null(proc_find_program("thpplain"));
	assert_null(proc_find_program(plain));
	assert_null(proc_find_program(""));
	assert_null(proc_find_program("thp no such"));
	unsetenv("PATH");
	found = proc_find_program("sh");
	assert_non_null(found);
	free(found);
	setenv("PATH", old, 1);
	unlink(tool);
	unlink(plain);
	rmdir(sub);
	rmdir(dir);
}

static void *start_one(void *arg)
{
	pid_t *pid = arg;

	*pid = fork();
	if (!*pid) {
		for (;;)
			pause();
	}
	/* The thread stays: its child is in its own list of children. */
	for (;;)
		pause();
	return NULL;
}

/* A subreaper of its own, so that the test program's children are not at. */
static _Noreturn void kill_a_family(void)
{
	const char *const argv[] = {
		"sh",
		"-c",
		"setsid sh -c 'setsid sleep 60 & sleep 60' & sleep 60 & exit 0",
		NULL,
	};
	struct proc_spec spec = { .argv = argv };
	pthread_t thread;
	pid_t pid = 0;
	int wstatus;
	int killed;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (proc_kill_children(NULL) != 0)
		_exit(2);
	if (proc_run(&spec, LONG, &wstatus) || wstatus)
		_exit(3);
	if (pthread_create(&thread, NULL, start_one, &pid))
		_exit(4);
	usleep(300000);
	/* One that has ended by itself is buried and not counted. */
	if (fork() == 0)
		_exit(0);
	usleep(20000);
	killed = proc_kill_children(NULL);
	/* sleep, sh, its two sleeps, the thread's child. */
	if (killed != 5)
		_exit(100 + killed);
	_exit(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : 5);
}

static void kills_grandchildren_in_sessions_of_their_own(void **state)
{
	int wstatus;
	pid_t pid;

	(void)state;
	pid = fork();
	if (!pid)
		kill_a_family();
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), 0);
}

/* The child dies with us, even by SIGKILL. */
static void dies_with_its_parent(void **state)
{
	int report[2];
	pid_t inner = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(report), 0);
	pid = fork();
	if (!pid) {
		const char *const argv[] = { "sleep", "60", NULL };
		struct proc_spec spec = { .argv = argv };

		inner = proc_start(&spec);
		(void)!write(report[1], &inner, sizeof(inner));
		for (;;)
			pause();
	}
	assert_int_equal(read(report[0], &inner, sizeof(inner)), sizeof(inner));
	assert_true(inner > 1);
	assert_true(proc_start_time(inner) > 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 1000 && kill(inner, 0) == 0; i++) {
		auto_free char *stat = xasprintf("/proc/%d/stat", (int)inner);
		auto_free char *line = NULL;

		if (!file_read(stat, &line, NULL) && strstr(line, ") Z "))
			break;
		usleep(5000);
		assert_true(i < 999);
	}
	close(report[0]);
	close(report[1]);
}

#define CAPTURE(name, ...)                                                     \
	{                                                                      \
		"capture: " name, check_capture, NULL, NULL,                   \
			&(struct capture_row)                                  \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define LIMIT(name, ...)                                                       \
	{                                                                      \
		"limit: " name, check_limit, NULL, NULL, &(struct limit_row)   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define START(name, ...)                                                       \
	{                                                                      \
		"start: " name, check_start, NULL, NULL, &(struct start_row)   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CAPTURE("output", "echo a; echo b", "a\nb\n", 0),
		CAPTURE("nothing", "true", "", 0),
		CAPTURE("stderr goes the same way", "echo e >&2", "e\n", 0),
		CAPTURE("no stdin", "cat", "", 0),
		CAPTURE("exit status", "echo a; exit 7", "a\n", 7 << 8),
		CAPTURE("a signal", "kill -9 $$", "", SIGKILL),
		CAPTURE("closed early, then ended",
			"exec >&- 2>&-; sleep 0.05; exit 3", "", 3 << 8),
		cmocka_unit_test(captures_much),
		LIMIT("silent", "sleep 60"),
		LIMIT("talking", "while :; do echo x; done"),
		LIMIT("deaf", "trap '' TERM; while :; do sleep 60; done"),
		LIMIT("output closed", "exec >&- 2>&-; sleep 60"),
		LIMIT("a grandchild keeps the pipe", "sleep 60 & exit 0"),
		START("no such program", "/no/such", NULL, -ENOENT),
		START("no such name in PATH", "thp no such", NULL, -ENOENT),
		START("not executable", "/etc/passwd", NULL, -EACCES),
		START("a folder", "/usr", NULL, -EACCES),
		START("no such folder", "true", "/no/such", -ENOENT),
		cmocka_unit_test(before_exec_may_refuse),
		cmocka_unit_test(passes_env_dir_and_fds),
		cmocka_unit_test(fds_do_not_collide),
		cmocka_unit_test(starts_with_default_signals),
		cmocka_unit_test(keeps_our_fds_to_ourselves),
		cmocka_unit_test(waits_and_ends),
		cmocka_unit_test(ends_the_stubborn_with_its_group),
		cmocka_unit_test(names_statuses),
		cmocka_unit_test(knows_start_times),
		cmocka_unit_test(finds_programs),
		cmocka_unit_test(kills_grandchildren_in_sessions_of_their_own),
		cmocka_unit_test(dies_with_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
