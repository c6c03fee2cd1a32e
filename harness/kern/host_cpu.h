/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processors of a machine, as facts: a part of host_facts(). */
#ifndef KERN_HOST_CPU_H
#define KERN_HOST_CPU_H

#include <stddef.h>

#include "base/facts.h"
#include "base/root.h"

/* arch, cpu, cpus, cpu_list, numa_nodes, hypervisor, governor. */
void host_cpu_facts(const struct root *root, struct facts *out);

/*
 * How many numbers a list such as "0-3,8,10-11" names (the files online and
 * possible of /sys/devices/system/{cpu,node}); 0 if it is none.
 */
size_t host_count_list(const char *text);

#endif
