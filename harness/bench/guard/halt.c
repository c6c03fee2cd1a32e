/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/halt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "kern/procstat.h"

/* Stopped, traced or ended; one that cannot be read has ended. */
static bool is_still(const struct root *root, pid_t pid, const char *tid)
{
	auto_free char *path = xasprintf("proc/%d/task/%s/stat", (int)pid, tid);
	auto_free char *text = NULL;
	struct procstat stat;

	if (root_read(root, path, &text) || procstat_parse(text, &stat))
		return true;
	return strchr("TtZX", stat.state) != NULL;
}

/* 1: all are still, 0: not yet, -errno. */
static int are_still(const struct root *root, pid_t pid)
{
	auto_free char *path = xasprintf("proc/%d/task", (int)pid);
	bool all = true;
	char **tids;
	size_t n;

	if (root_list(root, path, &tids, &n))
		return -ESRCH;
	for (size_t i = 0; i < n && all; i++)
		all = is_still(root, pid, tids[i]);
	root_list_free(tids, n);
	return all;
}

bool halt_is_still(const struct root *root, pid_t pid)
{
	return are_still(root, pid) > 0;
}

int halt(const struct root *root, pid_t pid, uint64_t limit_ns)
{
	uint64_t end = clock_ns() + limit_ns;
	int ret;

	if (halt_is_still(root, pid))
		return 1;
	if (kill(pid, SIGSTOP))
		return -errno;
	for (;;) {
		ret = are_still(root, pid);
		if (ret > 0)
			return 0;
		if (ret == 0 && clock_ns() >= end)
			ret = -ETIMEDOUT;
		if (ret < 0) {
			halt_end(pid);
			return ret;
		}
		clock_sleep_until(clock_ns() + NUM_NS_PER_MS);
	}
}

void halt_end(pid_t pid)
{
	kill(pid, SIGCONT);
}
