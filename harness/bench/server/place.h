/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a program under test runs: its CPUs, memory node and cgroup. */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include "base/root.h"
#include "bench/config/config.h"
#include "kern/cgroup.h"

struct place {
	const struct root *root;
	const struct server_config *server; /* its cpus and numa_node */
	const struct cgroup *cgroup;        /* to start in; NULL: none */
};

/*
 * Can a program be placed so? 0, or printed: -EBADMSG for a list of CPUs that
 * is none, -ENODEV for a CPU or node that this machine does not have.
 */
int place_check(const struct place *p);

/*
 * For the child before its exec (base/proc.h); place is a struct place. Binds
 * memory by MPOL_BIND, which never falls back to another node
 * (Documentation/admin-guide/mm/numa_memory_policy.rst), and switches THP on
 * again should we have been started with it off: that flag is inherited.
 */
int place_child(void *place);

#endif
