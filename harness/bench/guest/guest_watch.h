/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest from its start to its end, as its host sees it. */
#ifndef BENCH_GUEST_WATCH_H
#define BENCH_GUEST_WATCH_H

#include <stdbool.h>

#include "bench/guest/guest_console.h"
#include "bench/guest/guest_frame.h"
#include "bench/guest/guest_vm.h"

struct guest_watch {
	/* Where a guest's console and qemu's own words go: paths to read. */
	const char *console;
	const char *log;
	bool is_kept; /* the console has a name that others find it by */
	struct guest_memory memory;
	uint64_t boot_limit_ns; /* until it says hello */
	uint64_t limit_ns;      /* from then to its last record */
	/*
	 * Of each record; 0, or -errno, which ends the guest: -EPROTO for a
	 * record that is none.
	 */
	int (*take)(const struct guest_frame *frame, void *arg);
	void *arg;
	bool has_booted;  /* it said hello */
	bool has_ended;   /* it said so itself */
	bool has_hung;    /* it did not boot in time, having begun to */
	bool has_crashed; /* by an exception in its kernel */
	uint64_t boot_ns; /* from its start to its hello */
	int status;       /* its exit status, if it has ended */
};

/*
 * Take what the guest sends until it ends; it is gone afterwards. Returns 0
 * if it ended by itself; -EINTR if guard_stopped(); -EIO, silent, with *why
 * (free() it) if it did not boot, died, hung or sent what is no record; or
 * what take() returned.
 */
int guest_watch(struct guest_watch *w, struct guest_vm *vm, char **why);

#endif
