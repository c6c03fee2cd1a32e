/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What DAMON's vaddr operations monitor of a process. */
#ifndef KERN_VADDR_H
#define KERN_VADDR_H

#include <stdint.h>

#include "kern/smaps.h"

struct vaddr {
	uint64_t monitored_bytes; /* three ranges, with the gaps in them */
	uint64_t mapped_bytes;    /* of these, what is mapped */
};

/*
 * All from the first mapping to the last but for the two largest gaps between
 * mappings (mm/damon/vaddr.c, __damon_va_three_regions()). The mappings are in
 * order, as /proc/PID/maps has them; vsyscall is none of the process.
 */
void vaddr_of(const struct smaps *maps, struct vaddr *out);

#endif
