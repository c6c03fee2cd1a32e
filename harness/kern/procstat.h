/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/PID/stat and status: CPU time, and whether THP is switched off. */
#ifndef KERN_PROCSTAT_H
#define KERN_PROCSTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct procstat {
	char comm[64];
	char state;
	pid_t ppid;
	bool is_kthread;    /* a thread of the kernel (PF_KTHREAD) */
	uint64_t cpu_ticks; /* utime + stime, of all threads */
	uint64_t start_ticks;
};

/* 0 or -EPROTO. The name may hold blanks and brackets. */
int procstat_parse(const char *text, struct procstat *out);

/* CPU seconds of a process so far (ticks / sysconf(_SC_CLK_TCK)). 0, -errno */
int procstat_cpu_s(const struct root *root, pid_t pid, double *seconds);

/*
 * The pids of kernel threads by their exact name ("khugepaged"), or, where
 * the name ends in a dot, by that prefix ("kdamond."). A user's program of
 * that name is none. pids has room for most; returns how many.
 */
size_t procstat_find_kthreads(const struct root *root, const char *name,
			      pid_t *pids, size_t most);

/*
 * THP_enabled of /proc/PID/status (pid 0: proc/self): 1, 0 (switched off by
 * prctl), -ENOENT where the kernel does not say, -ESRCH where there is no
 * such process, or another -errno.
 */
int procstat_thp_enabled(const struct root *root, pid_t pid);

#endif
