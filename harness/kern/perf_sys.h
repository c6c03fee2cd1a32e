/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The system calls of kern/perf.c, one function each: tests put their own. */
#ifndef KERN_PERF_SYS_H
#define KERN_PERF_SYS_H

#include <stddef.h>
#include <sys/types.h>

struct perf_event_attr;

/* perf_event_open(2): a file, or -errno. */
int perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		  int group_fd, unsigned long flags);
/* read(2): bytes, or -errno. */
ssize_t perf_sys_read(int fd, void *buf, size_t n);

#endif
