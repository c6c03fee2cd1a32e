/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a child: in, out, err and fd 3, whatever their numbers here. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/tree.h"

/* Which fd of ours each is. 0: not given. */
struct row {
	int out_fd;
	int err_fd;
	int extra_fd;
};

static char *read_back(const char *dir, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	char *text = NULL;

	assert_int_equal(file_read(path, &text, NULL), 0);
	return text;
}

/* In a process of its own: the numbers are below what the tests need. */
static void run_as(const struct row *r, const char *dir)
{
	static const char *const argv[] = {
		"/bin/sh",
		"-c",
		"echo out; echo err >&2; echo extra >&3",
		NULL,
	};
	static const char *const names[] = { "out", "err", "extra" };
	const int fds[] = { r->out_fd, r->err_fd, r->extra_fd };
	const struct proc_spec spec = {
		.argv = argv,
		.out_fd = r->out_fd,
		.err_fd = r->err_fd,
		.extra_fd = r->extra_fd,
	};
	int wstatus = -1;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *path = xasprintf("%s/%s", dir, names[i]);
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		if (fd < 0)
			_exit(10);
		if (!fds[i]) {
			close(fd);
			continue;
		}
		/* High first, then all into place. */
		if (dup3(fd, 20 + (int)i, O_CLOEXEC) < 0)
			_exit(11);
		close(fd);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (fds[i] && dup3(20 + (int)i, fds[i], O_CLOEXEC) < 0)
			_exit(12);
		close(20 + (int)i);
	}
	if (proc_run(&spec, 10 * NUM_NS_PER_S, &wstatus))
		_exit(13);
	_exit(0);
}

static void check_row(void **state)
{
	const struct row *r = *state;
	char dir[] = "/tmp/thpbench-fds-XXXXXX";
	auto_free char *out = NULL;
	auto_free char *err = NULL;
	auto_free char *extra = NULL;
	int wstatus = -1;
	pid_t pid;

	assert_non_null(mkdtemp(dir));
	pid = fork();
	if (pid == 0)
		run_as(r, dir);
	assert_int_equal(proc_wait(pid, 20 * NUM_NS_PER_S, &wstatus), 1);
	assert_int_equal(wstatus, 0);
	out = read_back(dir, "out");
	err = read_back(dir, "err");
	extra = read_back(dir, "extra");
	tree_remove(dir);
	assert_string_equal(out, r->err_fd ? "out\n" : "out\nerr\n");
	assert_string_equal(err, r->err_fd ? "err\n" : "");
	assert_string_equal(extra, "extra\n");
}

static int open_proc(void *arg)
{
	auto_close int fd = openat(*(int *)arg, "proc", O_PATH | O_CLOEXEC);

	return fd < 0 ? -errno : 0;
}

/* A folder at the number that the child's fd 3 takes: still there in time. */
static void before_exec_sees_our_files(void **state)
{
	static const char *const argv[] = { "/bin/true", NULL };
	int root = 3;
	struct proc_spec spec = {
		.argv = argv,
		.extra_fd = 9,
		.before_exec = open_proc,
		.arg = &root,
	};
	int wstatus = -1;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		int ret;

		if (dup2(open("/", O_PATH), 3) < 0 ||
		    dup2(open("/dev/null", O_RDWR), 9) < 0)
			_exit(10);
		ret = proc_run(&spec, 10 * NUM_NS_PER_S, &wstatus);
		_exit(ret ? -ret : WEXITSTATUS(wstatus));
	}
	assert_int_equal(proc_wait(pid, 20 * NUM_NS_PER_S, &wstatus), 1);
	assert_int_equal(wstatus, 0);
}

static int keep(void *arg)
{
	return fcntl(*(int *)arg, F_SETFD, 0) < 0 ? -errno : 0;
}

/* One that it keeps is the program's, others of ours are not. */
static void before_exec_may_keep_a_file(void **state)
{
	static const char *const argv[] = {
		"/bin/sh",
		"-c",
		"test -e /proc/self/fd/21 && test ! -e /proc/self/fd/22",
		NULL,
	};
	int kept = 21;
	struct proc_spec spec = {
		.argv = argv,
		.before_exec = keep,
		.arg = &kept,
	};
	int wstatus = -1;
	pid_t pid;

	(void)state;
	pid = fork();
	if (pid == 0) {
		if (dup3(0, 21, O_CLOEXEC) < 0 || dup2(0, 22) < 0)
			_exit(10);
		if (proc_run(&spec, 10 * NUM_NS_PER_S, &wstatus))
			_exit(11);
		_exit(WEXITSTATUS(wstatus));
	}
	assert_int_equal(proc_wait(pid, 20 * NUM_NS_PER_S, &wstatus), 1);
	assert_int_equal(wstatus, 0);
}

#define ROW(name, out, err, extra)                                             \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			out, err, extra                                        \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("far from each other", 7, 8, 9),
		ROW("err goes where out goes", 7, 0, 9),
		ROW("out is 3, extra is not", 3, 0, 4),
		ROW("out is 3, err and extra are not", 3, 5, 4),
		ROW("err is 3", 5, 3, 4),
		ROW("extra is 3 already", 4, 5, 3),
		ROW("extra is 1", 4, 5, 1),
		ROW("extra is 2", 4, 5, 2),
		ROW("out and err crossed", 2, 1, 3),
		ROW("all turned round", 3, 1, 2),
		cmocka_unit_test(before_exec_sees_our_files),
		cmocka_unit_test(before_exec_may_keep_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
