/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe.h"

#include "base/mem.h"

const struct probe probes[] = {
	{ "tlb", "do the TLB counters of this CPU mean what they say?",
	  probe_tlb },
};
const size_t n_probes = ARRAY_SIZE(probes);
