/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/server/place.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/mem.h"

enum { BITS = 8 * sizeof(unsigned long), MOST_NODES = 1024 };

static int check_cpus(const struct place *p)
{
	auto_free char *online = NULL;
	cpu_set_t want;
	cpu_set_t have;

	if (cpulist_parse(p->server->cpus, &want))
		return refuse(-EBADMSG,
			      "cpus = %s: not a list of CPUs such as 0-3,8",
			      p->server->cpus);
	if (root_read_word(p->root, "sys/devices/system/cpu/online", &online) ||
	    cpulist_parse(online, &have))
		return 0;
	CPU_AND(&have, &have, &want);
	if (CPU_EQUAL(&have, &want))
		return 0;
	return refuse(-ENODEV, "cpus = %s: this machine has CPUs %s",
		      p->server->cpus, online);
}

static int check_node(const struct place *p)
{
	static const char list[] = "sys/devices/system/node/online";
	int node = p->server->numa_node;
	auto_free char *path =
		xasprintf("sys/devices/system/node/node%d", node);
	auto_free char *online = NULL;

	if (node < MOST_NODES && root_exists(p->root, path))
		return 0;
	if (root_read_word(p->root, list, &online))
		return refuse(-ENODEV,
			      "numa_node = %d: this kernel knows no nodes",
			      node);
	return refuse(-ENODEV, "numa_node = %d: this machine has nodes %s",
		      node, online);
}

int place_check(const struct place *p)
{
	int ret = 0;

	if (p->server->cpus)
		ret = check_cpus(p);
	if (!ret && p->server->numa_node >= 0)
		ret = check_node(p);
	return ret;
}

static int bind_memory(int node)
{
	unsigned long mask[MOST_NODES / BITS] = { 0 };

	if (node >= MOST_NODES)
		return -EINVAL;
	mask[node / BITS] = 1UL << (node % BITS);
	/* One more than the bits: the kernel takes the last one off. */
	if (syscall(SYS_set_mempolicy, MPOL_BIND, mask, MOST_NODES + 1UL))
		return -errno;
	return 0;
}

int place_child(void *place)
{
	const struct place *p = place;
	int ret = 0;

	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	if (p->cgroup)
		ret = cgroup_enter(p->root, p->cgroup);
	if (!ret && p->server->cpus)
		ret = cpulist_bind(p->server->cpus);
	if (!ret && p->server->numa_node >= 0)
		ret = bind_memory(p->server->numa_node);
	return ret;
}
