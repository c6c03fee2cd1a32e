/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What machine this is, as facts for the record. */
#ifndef KERN_HOST_H
#define KERN_HOST_H

#include <stdint.h>

#include "base/facts.h"
#include "base/root.h"

/*
 * Facts of the machine below the root; what cannot be found is left out:
 * hostname, kernel (release), kernel_version, kernel_cmdline, arch, cpu
 * (model), cpus (online), cpu_list, numa_nodes, memory_bytes, swap_bytes,
 * page_bytes, huge_page_bytes, hypervisor (from DMI or the CPU flags: its
 * name, "unknown" for one that does not say, "none"), os (PRETTY_NAME),
 * governor (each word once), smt, mitigations ("name: text; ..."), buddyinfo
 * ("Node 0, zone DMA 1 2 3; Node ..."), thp_enabled_self (THP_enabled of
 * this process).
 */
void host_facts(const struct root *root, struct facts *out);

/* Bytes of a PMD huge page (hpage_pmd_size); 2 MiB if it does not say. */
uint64_t host_huge_page_bytes(const struct root *root);

/* MemAvailable in bytes, 0 if not known. */
uint64_t host_available_bytes(const struct root *root);

/*
 * How many processes this kernel has killed for want of memory since it booted
 * (oom_kill of vmstat, those of a cgroup's limit too), 0 if not known.
 */
uint64_t host_oom_kills(const struct root *root);

#endif
