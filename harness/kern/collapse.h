/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MADV_COLLAPSE on another process by process_madvise(2), 2 MiB by 2 MiB: one
 * call over a large range stops at its first hole.
 */
#ifndef KERN_COLLAPSE_H
#define KERN_COLLAPSE_H

#include <stdint.h>
#include <sys/types.h>

#include "kern/smaps.h"

/* What became of the whole huge-page-sized ranges of one mapping. */
struct collapse_result {
	uint64_t n_ranges;
	uint64_t n_collapsed; /* the call succeeded; also if huge before */
	uint64_t n_empty;     /* EINVAL, nothing of the mapping there */
	uint64_t n_busy;      /* EAGAIN or EBUSY after one more try */
	uint64_t n_no_memory; /* ENOMEM: no huge page to be had, or a hole */
	uint64_t n_refused;   /* anything else */
	int last_refused;     /* its errno */
	uint64_t longest_ns;  /* of one call */
};

/*
 * Collapse [vma->start, vma->end) of the process behind pidfd, in steps of
 * huge_bytes. stopped() (may be NULL) is asked between steps. Returns 0, or
 * -errno if the process is gone, or -ENOSYS, -EPERM for all ranges alike.
 */
int collapse_vma(int pidfd, const struct smaps_vma *vma, uint64_t huge_bytes,
		 int (*stopped)(void), struct collapse_result *out);

#endif
