/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_tlb() without a PMU, for its tests. */
#ifndef BENCH_PROBE_TLB_H
#define BENCH_PROBE_TLB_H

#include <stdint.h>

#include "bench/probe/probe.h"

/* What was counted while memory of one sort was touched. */
struct probe_tlb_side {
	uint64_t touches;
	uint64_t walks;
	uint64_t enabled_ns;
	uint64_t running_ns;
	const char *events; /* for the message */
};

void probe_tlb_judge(const struct probe_tlb_side *small,
		     const struct probe_tlb_side *huge, struct answer *out);

#endif
