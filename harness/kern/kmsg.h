/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /dev/kmsg: what the kernel says while something is tried. */
#ifndef KERN_KMSG_H
#define KERN_KMSG_H

#include "base/str.h"

/* From now on. Returns an fd, or -errno (-EPERM: CAP_SYSLOG is wanted). */
int kmsg_open(void);

/*
 * Add what the kernel said since the last call, a line a record as dmesg shows
 * it: "[    5.140900] text". Returns 0, or -EPIPE if some was overwritten
 * before it was read, or another -errno.
 */
int kmsg_read(int fd, struct str *out);

/*
 * Add one record, "6,339,5140900,-;text\n KEY=value\n", as a line; what is no
 * record adds nothing, nor what a program has put there, which the number in
 * front tells (a facility above 0). Documentation/ABI/testing/dev-kmsg.
 */
void kmsg_line(const char *record, struct str *out);

#endif
