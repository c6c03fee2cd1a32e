/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/perf_sys.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
		  int group_fd, unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	return fd < 0 ? -errno : (int)fd;
}

ssize_t perf_sys_read(int fd, void *buf, size_t n)
{
	ssize_t got = read(fd, buf, n);

	return got < 0 ? -errno : got;
}
