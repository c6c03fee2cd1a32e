/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of events counted by the kernel: perf_event_open(2). The members of a
 * group are on the PMU together or not at all, so that their ratio is exact.
 */
#ifndef KERN_PERF_H
#define KERN_PERF_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "kern/perf_code.h"

enum perf_scope {
	PERF_THREAD, /* the calling thread alone, from now on */
	PERF_EXEC,   /* a process from its next exec on, and all it begins */
	PERF_TASKS,  /* threads as they are, from now on, and all they begin */
	PERF_CGROUP, /* what runs in a cgroup, on every CPU, from now on */
	PERF_SYSTEM, /* what runs at all: the kernel's own threads too */
};

/* Who is counted. Only what the scope asks for is read. */
struct perf_target {
	enum perf_scope scope;
	pid_t pid;         /* PERF_EXEC: a child that has one thread */
	const pid_t *tids; /* PERF_TASKS: perf_tasks() */
	size_t n_tids;
	int cgroup_fd;   /* PERF_CGROUP: its folder, opened */
	const int *cpus; /* PERF_CGROUP and PERF_SYSTEM: perf_cpus() */
	size_t n_cpus;
};

enum { PERF_MOST_EVENTS = 16 }; /* in a group */

/*
 * Sums since the group was opened, over all threads and CPUs that it counts,
 * those that ended too. Take differences. Where running_ns is less than
 * enabled_ns the group had to share the PMU: for the rest of the time nothing
 * was counted.
 */
struct perf_count {
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t values[PERF_MOST_EVENTS]; /* as counted, not scaled */
};

/* A group while it is counted. */
struct perf;

/*
 * Open the n events as a group, the first one leads. The whole group is open
 * before anything is counted. Where files run out, the soft limit of
 * RLIMIT_NOFILE is raised to the hard one (processes started later have it
 * too). PERF_TASKS: threads that ended meanwhile are left out.
 *
 * Returns 0 with *out, to be closed; or -errno (silent), with the index of the
 * event that was refused in *at:
 *   -ENOENT, -ENODEV, -EOPNOTSUPP   no PMU here knows such an event
 *   -EINVAL                         the event's encoding is refused
 *   -E2BIG                          each opens, the group has no room on the
 *                                   PMU's counters; or n > PERF_MOST_EVENTS
 *   -EACCES, -EPERM                 not permitted
 *   -EMFILE                         files ran out, raised limit or not
 *   -ESRCH                          the process, or all threads, ended
 *   -EBADF                          not a cgroup of the perf controller
 * A group that opened may still never run: running_ns stays 0 then.
 */
int perf_open(const struct perf_target *target, const struct perf_code *codes,
	      size_t n, struct perf **out, size_t *at);

/* 0, or -errno (silent). *out has the sums of all that the group counts. */
int perf_read(const struct perf *p, struct perf_count *out);

size_t perf_fds(const struct perf *p); /* how many files it has open */
void perf_close(struct perf *p);       /* NULL is fine */

/*
 * A sentence for an -errno of perf_open(): what is in the way, and what would
 * help. event: the name of the one refused. free() it.
 */
char *perf_why(const struct root *root, int err, const char *event);

/*
 * The threads of a process, by one look at its folder: stop it first, or
 * threads that begin meanwhile are missed, and by a second look counted twice.
 * free() *tids. 0 or -errno (silent).
 */
int perf_tasks(const struct root *root, pid_t pid, pid_t **tids, size_t *n);
/* The CPUs that are online. free() *cpus. 0 or -errno (silent). */
int perf_cpus(const struct root *root, int **cpus, size_t *n);

#endif
