/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of hardware events to their encoding, by libpfm4's tables. */
#ifndef KERN_PFM_H
#define KERN_PFM_H

#include <stdbool.h>

#include "kern/perf_code.h"

/* Whose work is counted. */
enum pfm_level {
	PFM_USER,        /* the program's own */
	PFM_USER_KERNEL, /* and the kernel's on its behalf */
};

/*
 * The encoding of a fully qualified event, "skx::ITLB_MISSES:WALK_COMPLETED",
 * whatever CPU this is: libpfm4 encodes for every PMU of its tables. An x86-64
 * library knows no PMU of arm64 and the other way round; "perf::" and
 * "perf_raw::r83d0" are known to all. exclude_guest and exclude_hv are as
 * libpfm4 sets them for the PMU; exclude_kernel is by the level.
 *
 * 0, or silently: -ENOENT if it has no such PMU or event, -EINVAL for what is
 * wrong with the rest of the name, -ENOSYS if the library does not start.
 * *why, if not NULL, is then what libpfm4 says (its own text, not freed).
 */
int pfm_encode(const char *name, enum pfm_level level, struct perf_code *out,
	       const char **why);

/* Does libpfm4 have the tables of this PMU: "skx", "arm_n1"? */
bool pfm_has_pmu(const char *pmu);

#endif
