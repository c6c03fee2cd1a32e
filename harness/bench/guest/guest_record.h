/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result folder of a run in a guest, as it comes in: files that the guest
 * writes are written at the same place of the same file here.
 */
#ifndef BENCH_GUEST_RECORD_H
#define BENCH_GUEST_RECORD_H

#include "bench/guest/guest_frame.h"

/*
 * Write a GUEST_FILE frame into a folder. -EPROTO, silent, for what no run
 * sends: a file that is written here, a hole, more than 4 GiB; else 0 or
 * -errno, printed.
 */
int guest_record_take(const char *dir, const struct guest_frame *frame);

/* What the guest's folder holds, as far as it was sent. */
struct guest_sent {
	char *name;
	unsigned long inode;
	uint64_t bytes;
};

struct guest_sender {
	const char *dir;
	int fd; /* where records go */
	struct guest_sent *files;
	size_t n;
};

/*
 * Send what has come since the last call. Of *.tsv whole lines only, unless
 * is_last. 0 or -errno, silent.
 */
int guest_record_send(struct guest_sender *s, int is_last);
void guest_sender_free(struct guest_sender *s);

#endif
