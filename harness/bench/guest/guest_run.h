/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run in a guest of its own, seen from its host. */
#ifndef BENCH_GUEST_RUN_H
#define BENCH_GUEST_RUN_H

#include "bench/guest/guest_set.h"
#include "bench/run/run_one.h"

/*
 * As run_one(), in a fresh guest of its arm's kernel: the guest does run_one()
 * and sends the run's folder as it is written, so that what it had is kept
 * however it ends. Beside that the folder gets guest.tsv (facts of the guest),
 * console.log and qemu.log. A run whose kernel complained on its console is
 * marked. Nothing of the host is changed.
 */
int guest_run_one(struct guest_set *set, struct run_shared *shared,
		  struct run *run);

/*
 * What a guest of this experiment needs: twice the bytes that it boots with
 * (they are unpacked beside the archive), and the workload's memory.
 */
uint64_t guest_memory_bytes(const struct config *config, uint64_t archive_bytes,
			    uint64_t data_bytes);

/* How long a run may take from its guest's boot on. */
uint64_t guest_limit_ns(const struct config *config, enum guest_accel accel,
			uint64_t data_bytes);

#endif
