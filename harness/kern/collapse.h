/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MADV_COLLAPSE on another process by process_madvise(2), 2 MiB by 2 MiB: one
 * call over a large range stops at its first hole.
 */
#ifndef KERN_COLLAPSE_H
#define KERN_COLLAPSE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "kern/smaps.h"

/* A process whose memory is to be collapsed. */
struct collapse {
	int pid_fd;
	int pagemap_fd; /* tells empty ranges from refused ones */
	uint64_t huge_bytes;
};

/*
 * Does this kernel take MADV_COLLAPSE from process_madvise(2)? Tried on this
 * process with no range: nothing happens. 0; -ENOTSUP where root is not "/";
 * -EINVAL: it does not know the advice; -ENOSYS; -EPERM: no CAP_SYS_NICE.
 */
int collapse_probe(const struct root *root);

/*
 * Open a process by pid; collapse_close() it. Returns 0, -ESRCH if it is
 * gone, -ENOTSUP where root is not "/" or the kernel knows no
 * process_madvise(), or another -errno.
 */
int collapse_open(const struct root *root, pid_t pid, struct collapse *out);
void collapse_close(struct collapse *c);

/* What became of the whole huge-page-sized ranges of one mapping. */
struct collapse_result {
	uint64_t n_ranges;    /* tried: the sum of the following */
	uint64_t n_collapsed; /* the call succeeded; also if huge before */
	uint64_t n_empty;     /* EINVAL, and no page of it is there */
	uint64_t n_busy;      /* EAGAIN or EBUSY after one more try */
	uint64_t n_no_memory; /* ENOMEM: no huge page to be had, or a hole */
	uint64_t n_refused;   /* anything else, EINVAL with pages there too */
	int last_refused;     /* its errno */
	uint64_t longest_ns;  /* of one call */
};

/*
 * Collapse [vma->start, vma->end), in steps of a huge page. stopped(arg) (may
 * be NULL) is asked between steps; the result is then of what was tried. A
 * mapping without one whole aligned huge page has 0 ranges. Returns 0, or
 * -ESRCH if the process is gone, or -ENOSYS, -EPERM for all ranges alike; the
 * result is then of what went before.
 */
int collapse_vma(const struct collapse *c, const struct smaps_vma *vma,
		 int (*stopped)(void *arg), void *arg,
		 struct collapse_result *out);

#endif
