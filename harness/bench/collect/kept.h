/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A kernel file that is read again and again: kept open and read from its
 * start each time, into a buffer that stays.
 */
#ifndef BENCH_KEPT_H
#define BENCH_KEPT_H

#include <stddef.h>
#include <sys/types.h>

#include "base/root.h"

struct kept {
	int fd;     /* -1: not open */
	char *text; /* of the last read, NUL-terminated */
	size_t room;
};

#define KEPT_CLOSED ((struct kept){ .fd = -1 })

/* What was open before is closed. 0 or -errno; silent. kept_close() it. */
int kept_open(struct kept *k, const struct root *root, const char *path);
/* proc/PID/NAME */
int kept_open_proc(struct kept *k, const struct root *root, pid_t pid,
		   const char *name);

/*
 * Read it from its start to its end into k->text. Returns 0 or -errno: -EBADF
 * if it is not open, -ESRCH if it spoke of a process that is gone.
 */
int kept_read(struct kept *k);

void kept_close(struct kept *k);

#endif
