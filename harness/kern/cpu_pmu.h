/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of the CPUs, as sysfs tells: one PMU for each kind of core. */
#ifndef KERN_CPU_PMU_H
#define KERN_CPU_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

#define CPU_PMU_DIR "sys/bus/event_source/devices"

struct cpu_pmu {
	char *name;      /* its folder: "cpu", "cpu_core", "armv8_pmuv3_0" */
	uint32_t type;   /* perf_event_attr's */
	char *cpus;      /* "0-15"; NULL: all */
	uint64_t *codes; /* of its events/, "event=0x11": what it has */
	size_t n_codes;
};

struct cpu_pmus {
	struct cpu_pmu *list;
	size_t n;
};

/*
 * Those of the cores alone: cpu, cpu_core, cpu_atom, cpu_lowpower, armv8*,
 * armv9*. None is no error: out->n is 0. cpu_pmus_free() it.
 */
void cpu_pmus_read(const struct root *root, struct cpu_pmus *out);
void cpu_pmus_free(struct cpu_pmus *pmus);

bool cpu_pmu_has_code(const struct cpu_pmu *pmu, uint64_t code);

/*
 * The number behind "event=" of a file such as "event=0x11" or
 * "event=0x3c,umask=0x01"; 0 or -EPROTO.
 */
int cpu_pmu_parse_event(const char *text, uint64_t *code);

#endif
