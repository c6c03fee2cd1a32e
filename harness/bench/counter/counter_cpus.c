/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters by CPU: of a cgroup, or of all that runs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/mem.h"
#include "bench/counter/counter_set.h"
#include "kern/cgroup.h"

/* A file of the cgroup's folder; -1 with *why (free() it). */
static int open_cgroup(const struct counter_set *s, const struct cgroup *cg,
		       char **why)
{
	int fd;

	if (!cg) {
		*why = xstrdup("scope = cgroup: no cgroup was made for the "
			       "run: there is no program of its own, or no "
			       "memory controller");
		return -1;
	}
	fd = openat(s->root->fd, cg->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		*why = xasprintf("scope = cgroup: /%s: %s", cg->path,
				 strerror(errno));
	return fd;
}

/* Those of the list alone; how many are left. */
static size_t keep_listed(const char *list, int *cpus, size_t n)
{
	cpu_set_t set;
	size_t kept = 0;

	if (cpulist_parse(list, &set))
		return n;
	for (size_t i = 0; i < n; i++)
		if (CPU_ISSET(cpus[i], &set))
			cpus[kept++] = cpus[i];
	return kept;
}

static void open_some(struct counter_set *s, const struct perf_target *target,
		      bool is_software)
{
	for (size_t i = 0; i < s->plan.n_groups; i++)
		if (s->plan.groups[i].is_software == is_software)
			counter_set_open_group(s, i, target);
}

void counter_set_open_cpus(struct counter_set *s, const struct cgroup *cg)
{
	struct perf_target target = { .scope = PERF_SYSTEM };
	auto_close int dir = -1;
	auto_free int *cpus = NULL;
	char *why = NULL;
	int ret = perf_cpus(s->root, &cpus, &target.n_cpus);

	if (ret)
		why = xasprintf("not known which CPUs are online: "
				"/sys/devices/system/cpu/online: %s",
				strerror(-ret));
	if (!why && s->config->scope == COUNTERS_OF_CGROUP) {
		target.scope = PERF_CGROUP;
		dir = open_cgroup(s, cg, &why);
	}
	if (why) {
		counter_set_refuse(s, why);
		return;
	}
	target.cgroup_fd = dir;
	target.cpus = cpus;
	open_some(s, &target, true);
	/* A PMU refuses the CPUs of another (armpmu_event_init()). */
	if (s->plan.cpus)
		target.n_cpus = keep_listed(s->plan.cpus, cpus, target.n_cpus);
	open_some(s, &target, false);
}
