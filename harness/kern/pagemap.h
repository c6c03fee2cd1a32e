/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/PID/pagemap: huge pages without smaps' price (Linux 6.7). */
#ifndef KERN_PAGEMAP_H
#define KERN_PAGEMAP_H

#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/*
 * Open /proc/PID/pagemap for scanning. It belongs to the address space that
 * the process has now: open it after its exec. Returns an fd, or -errno;
 * -ENOTSUP if the kernel has no PAGEMAP_SCAN (tried by a scan of one page),
 * -ESRCH if there is no such process.
 */
int pagemap_open(const struct root *root, pid_t pid);

/*
 * Bytes of anonymous memory mapped by PMD in the whole address space
 * (PAGE_IS_HUGE without PAGE_IS_FILE), as smaps' AnonHugePages; private pages
 * of hugetlb, which the scan cannot tell, are counted too. 0 or -errno
 * (-ESRCH: gone).
 */
int pagemap_huge_bytes(int fd, uint64_t *bytes);

/*
 * The same of [start, end) alone, whole pages. 0 or -errno; an address space
 * that is gone has none.
 */
int pagemap_huge_in(int fd, uint64_t start, uint64_t end, uint64_t *bytes);

/*
 * Is any page of [start, end) there or in swap? 1, 0, or -errno. fd is any
 * open pagemap; no PAGEMAP_SCAN is needed.
 */
int pagemap_has_pages(int fd, uint64_t start, uint64_t end);

#endif
