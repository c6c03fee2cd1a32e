/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of plots. */
#include "out/plots.h"

#include "base/mem.h"

/* A new plot is a row here and a function; see HACKING.md. */
/* clang-format off */
const struct plot_maker plot_makers[] = {
	{ "timeline", "huge pages and TPS over the seconds of a run",
	  "series.gp", plots_timeline },
	{ "tps", "transactions per second, run by run",
	  "dots.gp", plots_tps },
	{ "effect", "change of every metric against the baseline",
	  "effect.gp", plots_effect },
	{ "tuner", "what the tuner of a DAMOS quota does",
	  "series.gp", plots_tuner },
	{ "tlb", "TLB misses that walk the page table, run by run",
	  "dots.gp", plots_tlb },
	{ "mappings", "where the huge pages are, by mapping",
	  "mappings.gp", plots_mappings },
	{ "latency", "latency of a transaction, run by run",
	  "dots.gp", plots_latency },
};
/* clang-format on */
const size_t n_plot_makers = ARRAY_SIZE(plot_makers);
