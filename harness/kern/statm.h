/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/PID/statm: resident memory for the price of a few counters. */
#ifndef KERN_STATM_H
#define KERN_STATM_H

#include <stdbool.h>
#include <stdint.h>

struct statm {
	uint64_t resident_bytes; /* anonymous, file and shmem pages */
	uint64_t shared_bytes;   /* of these: file and shmem */
};

/* 0 or -EPROTO. Pages become bytes by sysconf(_SC_PAGESIZE). */
int statm_parse(const char *text, struct statm *out);

/*
 * Are the counters summed up when they are read? Linux up to 6.1 keeps up to
 * 64 faults a thread back; from 6.2 to about 6.16 up to max(32, 2 * CPUs)
 * pages a CPU, which is 128 MiB on 128 CPUs; since "mm: fix the inaccurate
 * memory statistics issue for users" (backported here and there) the sum is
 * exact. Tried on this process: a few pages are touched one by one, and each
 * must be seen at once.
 */
bool statm_is_exact(void);

#endif
