/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: start, wait with a limit, end, and never the wrong one. */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/stop.h"

struct proc_spec {
	const char *const *argv; /* argv[0]: a path, or a name for PATH */
	const char *const *env;  /* "NAME=value" added to ours; NULL: none */
	const char *dir;         /* working folder; NULL: ours */
	int in_fd;               /* 0 or less: /dev/null */
	int out_fd;              /* 0 or less: /dev/null */
	int err_fd;              /* 0 or less: where out goes */
	int extra_fd;            /* becomes fd 3 in the child; 0: none */
	/*
	 * Runs in the child before exec (CPU mask, cgroup, filter), with the
	 * caller's fds still in their places; returns 0 or -errno, which makes
	 * proc_start() fail with it. An fd above 3 whose FD_CLOEXEC it clears
	 * is the program's too.
	 */
	int (*before_exec)(void *arg);
	void *arg;
	/*
	 * Runs in the parent while the child waits, with all of the above done,
	 * just before its exec: to watch it from its first instruction on.
	 */
	void (*held)(pid_t pid, void *arg);
	void *held_arg;
	/* proc_run() and proc_capture() end it at stop_asked(): -EINTR. */
	bool stops;
};

/*
 * Start a process in a session of its own, so that a Ctrl-C at the terminal
 * does not reach it, with PR_SET_PDEATHSIG = SIGKILL, default signals and no
 * fds but those above and what before_exec() keeps (FD_CLOEXEC cleared).
 * Returns its pid, or -errno (silent): an exec that fails is known here.
 */
pid_t proc_start(const struct proc_spec *spec);

/*
 * Run to its end with a time limit; on expiry SIGKILL and -ETIMEDOUT.
 * Returns 0 and *wstatus as of waitpid(), or -errno.
 */
int proc_run(const struct proc_spec *spec, uint64_t limit_ns, int *wstatus);

/*
 * The same, with stdout taken; free(*out), which is set on success only. A
 * grandchild that keeps stdout open is waited for too, within the limit.
 * stderr goes to err_fd if set.
 */
int proc_capture(const struct proc_spec *spec, uint64_t limit_ns, char **out,
		 int *wstatus);

/*
 * 1 ended (*wstatus set and reaped), 0 still there after limit_ns (UINT64_MAX:
 * no limit), -errno.
 */
int proc_wait(pid_t pid, uint64_t limit_ns, int *wstatus);

/*
 * SIGTERM, then SIGKILL to its group after grace_ns; reaped. wstatus may be
 * NULL.
 */
void proc_end(pid_t pid, uint64_t grace_ns, int *wstatus);

/* "exited with 1", "killed by SIGKILL". free() it. */
char *proc_status_text(int wstatus);

/*
 * The start time of a process in clock ticks since boot, from
 * /proc/PID/stat; 0 if there is no such process. A pid with its start time
 * is a name that is not used twice.
 */
uint64_t proc_start_time(pid_t pid);

/* Is name runnable: a path, or found in PATH and sbin? free(); NULL if not. */
char *proc_find_program(const char *name);

struct proc_children {
	pid_t *pids;
	size_t n;
};

/* The children of this process now, ended ones too. */
void proc_list_children(struct proc_children *out);
void proc_free_children(struct proc_children *c);

/*
 * SIGKILL and reap every descendant of this process (which must be a
 * PR_SET_CHILD_SUBREAPER) until none is left but the spared (NULL: none) and
 * theirs. Returns how many were killed.
 */
int proc_kill_children(const struct proc_children *spared);

#endif
