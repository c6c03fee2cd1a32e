/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to the user, and what they mean as an exit status. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/*
 * Exit statuses: 0 to 3 speak of results, the rest are sysexits.h's.
 */
enum status {
	STATUS_OK = 0,
	STATUS_REGRESSION = 1, /* a regression, a claim not borne out */
	STATUS_INCONCLUSIVE = 2,
	STATUS_INVALID = 3, /* a run is marked invalid or failed */
	STATUS_USAGE = 64,
	STATUS_DATA = 65, /* the input is not what it should be */
	STATUS_NO_INPUT = 66,
	STATUS_UNAVAILABLE = 69, /* this machine cannot */
	STATUS_INTERNAL = 70,
	STATUS_IO = 74,
	STATUS_TRY_AGAIN = 75,
	STATUS_NO_PERMISSION = 77,
	STATUS_CONFIG = 78,
};

/*
 * Print "thpbench: MESSAGE: strerror(-err)" to stderr and return err.
 * err is a negative errno. Print once, where the name of the thing is known.
 */
int fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Like fail(), without strerror: for sentences that say all themselves. */
int refuse(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print "thpbench: warning: MESSAGE"; the work goes on. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The last message of fail() or refuse() without its prefix, for a run's
 * record; "" if there was none. Valid until the next message.
 */
const char *err_last(void);

/*
 * Keep quiet on stderr (fuzzing, probing); err_last() still works. Returns
 * what it was before.
 */
int err_quiet(int quiet);

/*
 * stderr shows a line that is rewritten in place (a terminal, progress.h):
 * messages clear it first. The line comes again when it is next drawn.
 */
void err_live(bool is_live);

/*
 * The exit status that fits a negative errno: EPERM, EACCES and EROFS 77,
 * names of no file (ENOENT, EISDIR, ELOOP and the like) and ENOEXEC 66, EBUSY
 * and EAGAIN 75, EILSEQ 65 (bad data), EBADMSG 78 (bad configuration), EINVAL
 * 64 (usage), ENOTSUP 69, EIO, ENOSPC and EBADF 74, else 70. A value >= 0 is
 * returned as it is.
 */
int err_status(int err);

#endif
