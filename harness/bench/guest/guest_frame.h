/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a guest sends to its host, record by record, over a serial port:
 *
 *   KIND NAME OFFSET LENGTH\n   and LENGTH bytes
 *
 * NAME is a file's or "-". Kinds:
 *   hello  facts of the guest, "name<tab>value" a line: it has booted
 *   file   bytes of NAME in the run's folder, from OFFSET on; at offset 0
 *          the file begins anew
 *   phase  the phase that begins
 *   tick   "TPS HUGE_BYTES" for the eye; nan: not known
 *   say    a line for the user
 *   out    bytes that a command wrote to stdout; err: to stderr
 *   end    OFFSET: an exit status, the last record of all
 */
#ifndef BENCH_GUEST_FRAME_H
#define BENCH_GUEST_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum guest_frame_kind {
	GUEST_HELLO,
	GUEST_FILE,
	GUEST_PHASE,
	GUEST_TICK,
	GUEST_SAY,
	GUEST_OUT,
	GUEST_ERR,
	GUEST_END,
};

enum { GUEST_NAME_MAX = 64, GUEST_DATA_MAX = 64 * 1024 };

struct guest_frame {
	enum guest_frame_kind kind;
	char name[GUEST_NAME_MAX + 1]; /* a bare file name; "-": none */
	uint64_t offset;
	const char *data; /* a NUL stands behind it */
	size_t n;
};

/* Records as they come, cut anywhere. Zeroed: empty. */
struct guest_frames {
	char *pending;
	size_t n;
};

/*
 * Take bytes; each whole record is handed to take(). 0, -EPROTO for what is
 * no record (silent; nothing may be fed after it), or what take() returned,
 * if that was not 0.
 */
int guest_frames_feed(struct guest_frames *f, const char *bytes, size_t n,
		      int (*take)(const struct guest_frame *frame, void *arg),
		      void *arg);
void guest_frames_free(struct guest_frames *f);

/*
 * Write data as records of at most GUEST_DATA_MAX bytes; offset grows with
 * them. 0 or -errno, silent; -EINVAL for a name that would not be taken.
 */
int guest_frame_send(int fd, enum guest_frame_kind kind, const char *name,
		     uint64_t offset, const char *data, size_t n);

#endif
