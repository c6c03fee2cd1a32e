/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/guest_run.h among themselves. */
#ifndef BENCH_GUEST_RUN_PARTS_H
#define BENCH_GUEST_RUN_PARTS_H

#include "base/file.h"
#include "base/str.h"
#include "bench/guest_console.h"
#include "bench/guest_record.h"
#include "bench/guest_run.h"

struct guest_run {
	struct guest_set *set;
	struct guest_target *target;
	struct run_shared *shared;
	struct run *run;
	struct store_run *store;
	char *dir; /* of the run's folder */
	char *console;
	char *log;
	uint64_t memory_bytes;
	uint64_t hello_ns; /* when it had booted; 0: not yet */
	bool has_ended;    /* it said so itself */
};

/*
 * Make the archive, if it is not there yet, and size the guest. 0 or -errno,
 * printed.
 */
int guest_run_pack(struct guest_run *r);

/* What this run is to the guest. free() it. */
char *guest_run_cmdline(const struct guest_run *r);

/* guest.tsv: what we gave it, and what it said of itself in its hello. */
void guest_run_facts(struct guest_run *r, const char *hello);

#endif
