/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From fork to exec. */
#include "base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void default_signals(void)
{
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A copy above the fds that the child gets: none is then in another's way. */
static int lift_fd(int fd)
{
	if (fd <= 0)
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (fd > 0 && fd <= 3)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	return fd;
}

static int set_fds(const struct proc_spec *spec)
{
	int fds[4] = { lift_fd(spec->in_fd), lift_fd(spec->out_fd), -1, -1 };

	fds[2] = spec->err_fd > 0 ? lift_fd(spec->err_fd) : fds[1];
	if (spec->extra_fd > 0)
		fds[3] = lift_fd(spec->extra_fd);
	for (int i = 0; i < 4; i++) {
		if (i == 3 && spec->extra_fd <= 0)
			continue;
		if (fds[i] < 0 || dup2(fds[i], i) < 0)
			return -errno;
	}
	return 0;
}

static int prepare_child(const struct proc_spec *spec, pid_t parent)
{
	int ret;

	setsid();
	default_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		return -ESRCH;
	/*
	 * What we inherited (a jobserver's pipe, a log) would be held open by
	 * a server that outlives us. Before Linux 5.11: as it is.
	 */
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	/* While our fds are where the caller knows them: a root may be 3. */
	ret = spec->before_exec ? spec->before_exec(spec->arg) : 0;
	if (!ret)
		ret = set_fds(spec);
	if (ret)
		return ret;
	if (spec->dir && chdir(spec->dir))
		return -errno;
	for (size_t i = 0; spec->env && spec->env[i]; i++)
		putenv((char *)spec->env[i]);
	return 0;
}

/* What parent and child tell each other between fork and exec. */
struct line {
	int report[2]; /* the child's -errno; its end by exec */
	int go[2];     /* -1: it need not wait */
};

/* Ready to exec: say so by a 0, and wait until the parent has seen to us. */
static void wait_held(const struct line *line)
{
	int ready = 0;

	close(line->go[1]);
	(void)!write(line->report[1], &ready, sizeof(ready));
	(void)!read(line->go[0], &ready, 1);
}

static _Noreturn void run_child(const struct proc_spec *spec,
				const struct line *line, pid_t parent)
{
	int err = prepare_child(spec, parent);

	if (!err) {
		if (spec->held)
			wait_held(line);
		execvp(spec->argv[0], (char *const *)spec->argv);
		err = -errno;
	}
	(void)!write(line->report[1], &err, sizeof(err));
	_exit(127);
}

/* A pipe whose ends are out of the way of the child's own fds 0 to 3. */
static int open_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	for (int i = 0; i < 2; i++) {
		int high = fds[i] > 3 ? fds[i]
				      : fcntl(fds[i], F_DUPFD_CLOEXEC, 10);

		if (high != fds[i])
			close(fds[i]);
		fds[i] = high;
	}
	return 0;
}

/* What the child says: 0 at its exec, or when it is ready if it is held. */
static int hear(int fd, int *err)
{
	ssize_t got;

	*err = 0;
	do
		got = read(fd, err, sizeof(*err));
	while (got < 0 && errno == EINTR);
	return got > 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The parent's part, until the exec. Returns what went wrong in the child. */
static int see_off(const struct proc_spec *spec, struct line *line, pid_t pid)
{
	int err;

	if (spec->held && hear(line->report[0], &err)) {
		if (err)
			return err;
		spec->held(pid, spec->held_arg);
	}
	close_fd(&line->go[1]); /* it goes on */
	hear(line->report[0], &err);
	return err;
}

pid_t proc_start(const struct proc_spec *spec)
{
	struct line line = { .go = { -1, -1 } };
	pid_t parent = getpid();
	int err = open_pipe(line.report);
	pid_t pid;

	if (err)
		return err;
	if (spec->held)
		err = open_pipe(line.go);
	if (err) {
		close_fd(&line.report[0]);
		close_fd(&line.report[1]);
		return err;
	}
	pid = fork();
	if (pid == 0)
		run_child(spec, &line, parent);
	err = pid < 0 ? -errno : 0;
	close_fd(&line.report[1]);
	close_fd(&line.go[0]);
	if (!err)
		err = see_off(spec, &line, pid);
	close_fd(&line.go[1]);
	close_fd(&line.report[0]);
	if (pid > 0 && err)
		waitpid(pid, NULL, 0);
	return err ? err : pid;
}
