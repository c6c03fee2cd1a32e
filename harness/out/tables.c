/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of tables, and those that have a row an arm. */
#include "out/tables.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/num.h"
#include "out/arms.h"
#include "out/notes.h"

static void make_memory(const struct experiment *e, struct table *t)
{
	static const struct arms_column columns[] = {
		{ "rss_bytes", NULL, NULL, FIGURE_GIB },
		{ "huge_bytes", NULL, NULL, FIGURE_GIB },
		{ "huge_share_pct", NULL, NULL, FIGURE_PLAIN },
	};

	arms_table(e, t, columns, ARRAY_SIZE(columns));
	table_note(t, "Source: samples in the window, a mean a run; total is "
		      "RSS, huge what is mapped by whole PMDs.");
	note_thp_disable(e, t);
}

static void make_origin(const struct experiment *e, struct table *t)
{
	auto_free char *unit = NULL;
	struct arms_column columns[] = {
		{ "origin_fault", "page fault", NULL, FIGURE_COUNT },
		{ "origin_khugepaged", "khugepaged", NULL, FIGURE_COUNT },
		{ "origin_collapse", "madvise/DAMOS", NULL, FIGURE_COUNT },
		{ "origin_damos", "DAMOS alone", NULL, FIGURE_COUNT },
	};
	uint64_t bytes;

	if (num_u64(facts_get(&e->host, "huge_page_bytes"), &bytes) < 0)
		bytes = 2 * NUM_MIB;
	unit = xasprintf("x %" PRIu64 " MiB", bytes / NUM_MIB);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		columns[i].unit = unit;
	arms_table(e, t, columns, ARRAY_SIZE(columns));
	table_note(t, "Source: /proc/vmstat and khugepaged's counters; huge "
		      "pages made in the whole system from the first tick of "
		      "the run to the end of its window. DAMOS alone: "
		      "tracepoint mm_collapse_huge_page, by task.");
	/* alloc_charge_folio() of mm/khugepaged.c counts, then it may fail. */
	table_note(t, "madvise/DAMOS: thp_collapse_alloc less khugepaged's "
		      "pages_collapsed; a collapse that failed when it had "
		      "its page, whoever's, is in it.");
	note_thp_disable(e, t);
}

static void make_how_quickly(const struct experiment *e, struct table *t)
{
	static const struct arms_column columns[] = {
		{ "huge_bytes", "final", NULL, FIGURE_GIB },
		{ "half_s", NULL, NULL, FIGURE_SECONDS },
		{ "most_s", NULL, NULL, FIGURE_SECONDS },
	};

	arms_table(e, t, columns, ARRAY_SIZE(columns));
	table_note(t, "Source: samples of all phases; seconds from the start "
		      "of load; final is the mean over the window.");
	note_thp_disable(e, t);
}

static void make_cost(const struct experiment *e, struct table *t)
{
	static const struct arms_column columns[] = {
		{ "khugepaged_cpu_s", "khugepaged", NULL, FIGURE_PLAIN },
		{ "kdamond_cpu_s", "kdamonds", NULL, FIGURE_PLAIN },
		{ "collectors_cpu_s", "collectors", NULL, FIGURE_PLAIN },
		{ "server_cpu_s", "server", NULL, FIGURE_PLAIN },
		{ "load_cpu_s", "load", NULL, FIGURE_PLAIN },
		{ "khugepaged_run_cpu_s", "khugepaged run", NULL,
		  FIGURE_PLAIN },
		{ "kdamond_run_cpu_s", "kdamonds run", NULL, FIGURE_PLAIN },
	};

	arms_table(e, t, columns, ARRAY_SIZE(columns));
	table_note(t, "Source: CPU time of the processes and threads, in the "
		      "window; 'run': from the first tick to the end of the "
		      "window. Collectors are part of this program.");
	if (str_eq(facts_get(&e->workload, "program"), "memtouch"))
		table_note(t, "Server and load are one process: memtouch.");
}

#define TABLE(name_, help_, ...)                                               \
	{                                                                      \
		.name = name_, .help = help_, .make = __VA_ARGS__              \
	}

/* A new table is a row here and a function. */
/* clang-format off */
const struct table_maker table_makers[] = {
	TABLE("memory", "resident memory and huge pages of the server",
	      make_memory, .shows = "rss_bytes huge_bytes"),
	TABLE("tps", "transactions per second, and their change",
	      tables_tps, .shows = "tps"),
	TABLE("latency", "latency of a transaction, and its change",
	      tables_latency, .shows = "latency_p95_ms latency_avg_ms latency_max_ms"),
	TABLE("origin", "where huge pages came from",
	      make_origin, .shows = "origin_fault origin_khugepaged origin_collapse"),
	TABLE("how-quickly", "time until huge pages were there",
	      make_how_quickly, .shows = "half_s most_s"),
	TABLE("cost", "CPU seconds of the kernel's threads and of the collectors",
	      make_cost, .shows = "server_cpu_s khugepaged_cpu_s"),
	TABLE("points", "benchmarks: each of them in each arm, and its change",
	      tables_points, .is_optional = true),
	TABLE("benchmarks", "metrics that were imported with the runs",
	      tables_benchmarks, .is_optional = true),
	TABLE("medians", "medians and the U test, as benchstat judges",
	      tables_medians, .is_asked = true),
	TABLE("verdicts", "what differs, and how sure that is",
	      tables_verdicts),
	TABLE("hosts", "the primary metric's change on each host of the shards",
	      tables_hosts, .is_optional = true),
	TABLE("power", "what inconclusive comparisons could have shown",
	      tables_power, .is_optional = true),
	TABLE("diagnostics", "what may be wrong with the runs",
	      tables_diagnostics),
	TABLE("settings", "what was asked of the kernel and read back",
	      tables_settings),
	TABLE("mappings", "which mappings are huge at the end of the window",
	      tables_mappings),
	TABLE("collapse", "what MADV_COLLAPSE did with the server's mappings",
	      tables_collapse, .is_optional = true),
	TABLE("damos", "what the DAMOS schemes and their tuners say",
	      tables_damos, .is_optional = true),
	TABLE("counters", "look-ups of TLBs and page table walks, and their change",
	      tables_counters, .is_optional = true,
	      .shows = "dtlb_access itlb_access dtlb_walk itlb_walk "
		       "dtlb_walk_share_pct itlb_walk_share_pct"),
	TABLE("walks", "what walks cost: per transaction, in cycles, by page size",
	      tables_walks, .is_optional = true),
	TABLE("software", "page faults, context switches and task clock",
	      tables_software, .is_optional = true),
	TABLE("timeline", "total and huge memory over the seconds of a run",
	      tables_timeline),
};
/* clang-format on */
const size_t n_table_makers = ARRAY_SIZE(table_makers);
