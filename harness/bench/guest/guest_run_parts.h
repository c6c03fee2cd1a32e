/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/guest/guest_run.h among themselves. */
#ifndef BENCH_GUEST_RUN_PARTS_H
#define BENCH_GUEST_RUN_PARTS_H

#include "base/file.h"
#include "base/str.h"
#include "bench/guest/guest_console.h"
#include "bench/guest/guest_record.h"
#include "bench/guest/guest_run.h"

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
	uint64_t hello_ns;  /* when it had booted; 0: not yet */
	uint64_t oom_kills; /* of this machine before: host_oom_kills() */
	bool has_ended;     /* it said so itself */
};

/* Since it had booted; 0 until then. */
double guest_run_now_s(const struct guest_run *r);

/* What the run is worth, and why. Takes the text. */
void guest_run_state(struct guest_run *r, enum run_state state, char *reason);

/*
 * Behind what guest_watch() found: was it this machine that ran out of memory?
 * Takes the text; free() what is returned.
 */
char *guest_run_why(const struct guest_run *r, const struct guest_vm *vm,
		    char *why);

/* Its console may tell why it failed, or put what it measured in doubt. */
void guest_run_judge(struct guest_run *r);

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
