/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which CPU it is: CPUID's numbers on x86-64, MIDR_EL1's on arm64. */
#ifndef KERN_CPU_ID_H
#define KERN_CPU_ID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"

struct cpu_id {
	bool is_arm;
	char vendor[32]; /* "GenuineIntel"; "" on arm64 */
	uint64_t family;
	uint64_t model;
	uint64_t stepping;
	uint64_t implementer; /* 0x41: Arm */
	uint64_t part;        /* 0xd0c: Neoverse N1 */
};

/*
 * Of one CPU in the text of /proc/cpuinfo. 0, or -ENOENT if it does not have
 * that CPU with all of these numbers.
 */
int cpu_id_parse(const char *cpuinfo, unsigned int cpu, struct cpu_id *out);

/* By MIDR_EL1, "0x00000000481fd010\n". 0, or -EPROTO if it is none. */
int cpu_id_midr(const char *text, struct cpu_id *out);

/*
 * Of one CPU below the root: by midr_el1 in its folder
 * (Documentation/arch/arm64/cpu-feature-registers.rst), else by
 * /proc/cpuinfo. 0 or -errno (silent).
 */
int cpu_id_read(const struct root *root, unsigned int cpu, struct cpu_id *out);

/*
 * "GenuineIntel family 6 model 85 stepping 7", "implementer 0x48 part 0xd01".
 * free() it.
 */
char *cpu_id_text(const struct cpu_id *id);

#endif
