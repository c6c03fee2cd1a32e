/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "kern/perf_sys.h"

/* The group once for each thread, or each CPU: sets of n files. */
struct perf {
	int *fds;
	size_t n_fds;
	size_t n; /* events, and files of a set; the first one leads */
};

/* Where one set of files is opened. */
struct place {
	pid_t pid; /* or the fd of a cgroup */
	int cpu;
	unsigned long flags;
};

/* A soft limit that can be raised, as perf(1) does it. */
static bool raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) ||
	    limit.rlim_cur == limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static struct perf_event_attr
attr_of(enum perf_scope scope, const struct perf_code *code, bool is_leader)
{
	bool is_exec = scope == PERF_EXEC;

	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = code->type,
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.exclude_kernel = code->exclude_kernel,
		.exclude_hv = code->exclude_hv,
		.exclude_guest = code->exclude_guest,
		.read_format = PERF_FORMAT_GROUP |
			       PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = is_exec || scope == PERF_TASKS,
		/*
		 * A leader that is merely disabled would be left out when the
		 * kernel asks whether a group fits (armpmu: validate_group()):
		 * a group too large would open, and never run.
		 */
		.disabled = is_exec && is_leader,
		.enable_on_exec = is_exec && is_leader,
	};
}

static int open_one(const struct perf_target *t, const struct place *where,
		    const struct perf_code *code, int leader)
{
	struct perf_event_attr attr = attr_of(t->scope, code, leader < 0);
	int fd = perf_sys_open(&attr, where->pid, where->cpu, leader,
			       where->flags | PERF_FLAG_FD_CLOEXEC);

	if (fd == -EMFILE && raise_limit())
		fd = perf_sys_open(&attr, where->pid, where->cpu, leader,
				   where->flags | PERF_FLAG_FD_CLOEXEC);
	return fd;
}

/* A member is refused: is it the event, or is it the group? */
static int blame(const struct perf_target *t, const struct place *where,
		 const struct perf_code *code)
{
	auto_close int alone = open_one(t, where, code, -1);

	return alone >= 0 ? -E2BIG : -EINVAL;
}

/*
 * -ENOENT is said of an event that no PMU has, and of a cgroup whose hierarchy
 * is another controller's (css_tryget_online_from_dir()). Which is it?
 */
static int blame_cgroup(const struct perf_target *t, const struct place *where,
			const struct perf_code *code)
{
	const struct place all = { .pid = -1, .cpu = where->cpu };
	auto_close int alone = open_one(t, &all, code, -1);

	return alone >= 0 ? -EBADF : -ENOENT;
}

static void close_all(int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}

/* One set; 0 with its files behind those that are there. */
static int open_set(const struct perf_target *t, const struct place *where,
		    const struct perf_code *codes, struct perf *p, size_t *at)
{
	int fds[PERF_MOST_EVENTS];
	int ret = 0;
	size_t i;

	for (i = 0; i < p->n && !ret; i++) {
		fds[i] = open_one(t, where, &codes[i], i ? fds[0] : -1);
		if (fds[i] >= 0)
			continue;
		ret = fds[i];
		*at = i;
		if (ret == -EINVAL && i)
			ret = blame(t, where, &codes[i]);
		if (ret == -ENOENT && where->flags)
			ret = blame_cgroup(t, where, &codes[i]);
		close_all(fds, i);
	}
	for (i = 0; i < p->n && !ret; i++) {
		XGROW(p->fds, p->n_fds);
		p->fds[p->n_fds++] = fds[i];
	}
	return ret;
}

static int open_tasks(const struct perf_target *t,
		      const struct perf_code *codes, struct perf *p, size_t *at)
{
	int gone = -ESRCH;

	for (size_t i = 0; i < t->n_tids; i++) {
		struct place where = { .pid = t->tids[i], .cpu = -1 };
		int ret = open_set(t, &where, codes, p, at);

		if (ret == -ESRCH || ret == -ENODEV)
			gone = ret; /* it ended, or is about to */
		else if (ret)
			return ret;
	}
	return p->n_fds ? 0 : gone;
}

static int open_cpus(const struct perf_target *t, const struct perf_code *codes,
		     struct perf *p, size_t *at)
{
	bool is_cgroup = t->scope == PERF_CGROUP;
	int ret = t->n_cpus ? 0 : -ENODEV;

	for (size_t i = 0; i < t->n_cpus && !ret; i++) {
		struct place where = {
			.pid = is_cgroup ? t->cgroup_fd : -1,
			.cpu = t->cpus[i],
			.flags = is_cgroup ? PERF_FLAG_PID_CGROUP : 0,
		};

		ret = open_set(t, &where, codes, p, at);
	}
	return ret;
}

static int open_sets(const struct perf_target *t, const struct perf_code *codes,
		     struct perf *p, size_t *at)
{
	struct place where = { .cpu = -1 };

	switch (t->scope) {
	case PERF_TASKS:
		return open_tasks(t, codes, p, at);
	case PERF_CGROUP:
	case PERF_SYSTEM:
		return open_cpus(t, codes, p, at);
	case PERF_EXEC:
		where.pid = t->pid;
		break;
	case PERF_THREAD:
		break;
	}
	return open_set(t, &where, codes, p, at);
}

int perf_open(const struct perf_target *target, const struct perf_code *codes,
	      size_t n, struct perf **out, size_t *at)
{
	struct perf *p;
	int ret;

	*at = 0;
	if (n == 0)
		return -EINVAL;
	if (n > PERF_MOST_EVENTS) {
		*at = PERF_MOST_EVENTS;
		return -E2BIG;
	}
	p = xcalloc(1, sizeof(*p));
	p->n = n;
	ret = open_sets(target, codes, p, at);
	if (ret)
		perf_close(p);
	else
		*out = p;
	return ret;
}

int perf_read(const struct perf *p, struct perf_count *out)
{
	*out = (struct perf_count){ 0 };
	for (size_t i = 0; i < p->n_fds; i += p->n) {
		/* PERF_FORMAT_GROUP: nr, enabled, running, values */
		uint64_t got[3 + PERF_MOST_EVENTS];
		size_t bytes = (3 + p->n) * sizeof(*got);
		ssize_t ret = perf_sys_read(p->fds[i], got, bytes);

		if (ret < 0)
			return (int)ret;
		if ((size_t)ret != bytes || got[0] != p->n)
			return -EIO;
		out->enabled_ns += got[1];
		out->running_ns += got[2];
		for (size_t j = 0; j < p->n; j++)
			out->values[j] += got[3 + j];
	}
	return 0;
}

size_t perf_fds(const struct perf *p)
{
	return p->n_fds;
}

void perf_close(struct perf *p)
{
	if (!p)
		return;
	close_all(p->fds, p->n_fds);
	free(p->fds);
	free(p);
}
