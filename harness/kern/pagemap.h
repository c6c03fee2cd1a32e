/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PAGEMAP_SCAN ioctl (Linux 6.7): huge pages without smaps' price. */
#ifndef KERN_PAGEMAP_H
#define KERN_PAGEMAP_H

#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

/*
 * Open /proc/PID/pagemap for scanning. Returns an fd, or -errno; -ENOTSUP if
 * the kernel has no PAGEMAP_SCAN (tried by a scan of one page).
 */
int pagemap_open(const struct root *root, pid_t pid);

/*
 * Bytes mapped by PMD in the whole address space (PAGE_IS_HUGE: anonymous,
 * file, shmem and hugetlb alike). 0 or -errno (-ESRCH: the process is gone).
 */
int pagemap_huge_bytes(int fd, uint64_t *bytes);

#endif
