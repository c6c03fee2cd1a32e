/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/metric.h"

#include "base/mem.h"
#include "base/str.h"

#define GAUGE(name, title, unit, better, source, help)                         \
	{                                                                      \
		name, title, unit, METRIC_##better, METRIC_GAUGE, source, help \
	}
#define COUNTER(name, title, unit, better, source, help)                       \
	{                                                                      \
		name, title, unit, METRIC_##better, METRIC_COUNTER, source,    \
			help                                                   \
	}

/* A new metric is a row here and a row of rules in data/summary.c. */
/* clang-format off */
const struct metric metrics[] = {
	GAUGE("tps", "TPS", "1/s", MORE, "load",
	      "transactions over the seconds of the load's lines in the window"),
	GAUGE("latency_p95_ms", "latency p95", "ms", LESS, "load",
	      "median over the window of each second's 95th percentile"),
	GAUGE("latency_avg_ms", "latency mean", "ms", LESS, "load",
	      "mean latency over the window, weighted by transactions"),
	GAUGE("latency_max_ms", "latency max", "ms", LESS, "load",
	      "longest transaction that ended in the window"),
	GAUGE("tx_per_server_cpu_s", "tx per CPU s", "1/s", MORE, "load, cpu",
	      "transactions per CPU second of the server, in the window"),
	GAUGE("rss_bytes", "total", "bytes", LESS, "memory",
	      "resident memory of the server, mean over the window"),
	GAUGE("huge_bytes", "huge", "bytes", NEITHER, "memory",
	      "of it mapped by whole PMDs, mean over the window"),
	GAUGE("huge_share_pct", "share", "%", NEITHER, "memory",
	      "huge_bytes in % of rss_bytes"),
	GAUGE("huge_end_bytes", "huge, end", "bytes", NEITHER, "memory",
	      "huge pages of the server at the last tick of the window"),
	COUNTER("origin_fault", "by fault (2 MiB)", "1", NEITHER, "vmstat",
		"huge pages by page fault, from the first tick to the window's "
		"end; whole system"),
	COUNTER("origin_khugepaged", "by khugepaged (2 MiB)", "1", NEITHER,
		"khugepaged",
		"huge pages by khugepaged, from the first tick to the window's "
		"end; whole system"),
	COUNTER("origin_collapse", "by madvise/DAMOS (2 MiB)", "1", NEITHER,
		"vmstat, khugepaged",
		"huge pages by MADV_COLLAPSE or DAMOS, from the first tick to "
		"the window's end; whole system"),
	COUNTER("origin_damos", "by DAMOS, traced (2 MiB)", "1", NEITHER,
		"trace",
		"huge pages by DAMOS alone, from the first tick to the "
		"window's end, by the kernel's tracepoint; whole system"),
	COUNTER("origin_madvise", "by madvise, traced (2 MiB)", "1", NEITHER,
		"trace",
		"huge pages by MADV_COLLAPSE alone, likewise"),
	GAUGE("half_s", "to 50 %", "s", LESS, "memory",
	      "from the start of load until half of huge_bytes was there"),
	GAUGE("most_s", "to 90 %", "s", LESS, "memory",
	      "from the start of load until 90 % of huge_bytes was there"),
	COUNTER("thp_fault_fallback", "fault fallback", "1", LESS, "vmstat",
		"page faults in the window that got no huge page although they "
		"might; whole system"),
	COUNTER("thp_collapse_failed", "collapse failed", "1", LESS, "vmstat",
		"collapses in the window that found no free huge page; whole "
		"system"),
	COUNTER("thp_split_page", "pages split", "1", LESS, "vmstat",
		"huge pages split in the window; whole system"),
	COUNTER("compact_stall", "compact stalls", "1", LESS, "vmstat",
		"allocations in the window that waited for compaction; whole "
		"system"),
	COUNTER("compact_success", "compact ok", "1", NEITHER, "vmstat",
		"compactions in the window that freed a page of the size; "
		"whole system"),
	COUNTER("compact_fail", "compact failed", "1", LESS, "vmstat",
		"compactions in the window that did not; whole system"),
	COUNTER("pgfault", "page faults", "1", LESS, "vmstat",
		"page faults in the window; whole system"),
	COUNTER("pgmajfault", "major faults", "1", LESS, "vmstat",
		"page faults in the window that read a disk; whole system"),
	COUNTER("psi_mem_some_ms", "PSI some", "ms", LESS, "psi",
		"time in the window in which a task waited for memory"),
	COUNTER("psi_mem_full_ms", "PSI full", "ms", LESS, "psi",
		"time in the window in which all tasks waited for memory"),
	COUNTER("server_cpu_s", "server CPU", "s", NEITHER, "cpu",
		"CPU seconds of the server in the window"),
	COUNTER("load_cpu_s", "load CPU", "s", NEITHER, "cpu",
		"CPU seconds of the load in the window"),
	COUNTER("khugepaged_cpu_s", "khugepaged CPU", "s", LESS, "cpu",
		"CPU seconds of khugepaged in the window"),
	COUNTER("khugepaged_run_cpu_s", "khugepaged CPU, run", "s", LESS, "cpu",
		"CPU seconds of khugepaged from the first tick to the window's "
		"end"),
	COUNTER("kdamond_cpu_s", "kdamond CPU", "s", LESS, "cpu",
		"CPU seconds of all kdamonds in the window"),
	COUNTER("kdamond_run_cpu_s", "kdamond CPU, run", "s", LESS, "cpu",
		"CPU seconds of all kdamonds from the first tick to the "
		"window's end"),
	COUNTER("damos_cpu_s", "DAMOS CPU", "s", LESS, "damos",
		"CPU seconds of the kdamonds of the arm's own scheme in the "
		"window"),
	COUNTER("collectors_cpu_s", "collectors CPU", "s", LESS, "own",
		"CPU seconds of the collectors in the window"),
	COUNTER("dtlb_access", "L1 DTLB", "1", NEITHER, "counters",
		"look-ups of the L1 data TLB in the window, by the server or what "
		"scope names; or what stands for them on this PMU"),
	COUNTER("itlb_access", "L1 ITLB", "1", NEITHER, "counters",
		"look-ups of the L1 instruction TLB in the window, likewise"),
	COUNTER("dtlb_walk", "DTLB walk", "1", LESS, "counters",
		"page table walks for data in the window"),
	COUNTER("itlb_walk", "ITLB walk", "1", LESS, "counters",
		"page table walks for instructions in the window"),
	GAUGE("dtlb_walk_share_pct", "DTLB misses", "%", LESS, "counters",
	      "dtlb_walk in % of dtlb_access; not comparable across vendors"),
	GAUGE("itlb_walk_share_pct", "ITLB misses", "%", LESS, "counters",
	      "itlb_walk in % of itlb_access; not comparable across vendors"),
	GAUGE("dtlb_walk_mpki", "DTLB MPKI", "1/kinst", LESS, "counters",
	      "walks for data per 1000 instructions"),
	GAUGE("itlb_walk_mpki", "ITLB MPKI", "1/kinst", LESS, "counters",
	      "walks for instructions per 1000 instructions"),
	GAUGE("dtlb_walk_per_tx", "DTLB walks/tx", "1", LESS, "counters",
	      "walks for data per transaction"),
	GAUGE("itlb_walk_per_tx", "ITLB walks/tx", "1", LESS, "counters",
	      "walks for instructions per transaction"),
	COUNTER("dtlb_walk_cycles", "DTLB walk cycles", "1", LESS, "counters",
		"cycles in which a walk for data was under way; loads and stores "
		"overlap"),
	COUNTER("itlb_walk_cycles", "ITLB walk cycles", "1", LESS, "counters",
		"cycles in which a walk for instructions was under way"),
	GAUGE("dtlb_walk_cycles_pct", "DTLB walk time", "%", LESS, "counters",
	      "dtlb_walk_cycles in % of cycles"),
	GAUGE("itlb_walk_cycles_pct", "ITLB walk time", "%", LESS, "counters",
	      "itlb_walk_cycles in % of cycles"),
	GAUGE("dtlb_walk_cycles_per_tx", "DTLB cycles/tx", "1", LESS, "counters",
	      "cycles in walks for data per transaction"),
	GAUGE("itlb_walk_cycles_per_tx", "ITLB cycles/tx", "1", LESS, "counters",
	      "cycles in walks for instructions per transaction"),
	COUNTER("dtlb_walk_4k", "DTLB walk 4K", "1", LESS, "counters",
		"walks for data that ended at a 4 KiB page"),
	COUNTER("dtlb_walk_2m", "DTLB walk 2M", "1", NEITHER, "counters",
		"walks for data that ended at a page of 2 MiB or 4 MiB"),
	COUNTER("dtlb_walk_1g", "DTLB walk 1G", "1", NEITHER, "counters",
		"walks for data that ended at a 1 GiB page"),
	COUNTER("itlb_walk_4k", "ITLB walk 4K", "1", LESS, "counters",
		"walks for instructions that ended at a 4 KiB page"),
	COUNTER("itlb_walk_2m", "ITLB walk 2M", "1", NEITHER, "counters",
		"walks for instructions that ended at a page of 2 MiB or 4 MiB"),
	COUNTER("dtlb_stlb_hit", "DTLB L2 hits", "1", NEITHER, "counters",
		"misses of the L1 data TLB that the second level had"),
	COUNTER("itlb_stlb_hit", "ITLB L2 hits", "1", NEITHER, "counters",
		"misses of the L1 instruction TLB that the second level had"),
	COUNTER("instructions", "instructions", "1", NEITHER, "counters",
		"instructions retired in the window"),
	COUNTER("cycles", "cycles", "1", NEITHER, "counters",
		"cycles of the CPUs in the window, while what is counted ran"),
	COUNTER("page_faults", "faults", "1", LESS, "counters",
		"page faults in the window, of the server or what scope "
		"names"),
	COUNTER("minor_faults", "minor faults", "1", LESS, "counters",
		"of them those that read no disk"),
	COUNTER("major_faults", "major faults", "1", LESS, "counters",
		"of them those that read a disk"),
	COUNTER("context_switches", "switches", "1", NEITHER, "counters",
		"context switches in the window, likewise"),
	COUNTER("cpu_migrations", "migrations", "1", NEITHER, "counters",
		"moves of threads to another CPU in the window, likewise"),
	COUNTER("task_clock_s", "task clock", "s", NEITHER, "counters",
		"time that threads had a CPU in the window, likewise, by the "
		"scheduler's clock; with scope = system the time of all CPUs, idle "
		"or not"),
	GAUGE("damos_monitored_bytes", "monitored", "bytes", NEITHER,
	      "/proc/PID/maps",
	      "address space that DAMON monitors for the scheme, gaps "
	      "included, as it starts"),
	GAUGE("damos_mapped_bytes", "mapped", "bytes", NEITHER,
	      "/proc/PID/maps", "of it what is mapped"),
	COUNTER("damos_tried_bytes", "tried", "bytes", NEITHER, "damos",
		"memory that the scheme was tried on by the window's end, as "
		"often as it was, gaps included; not huge pages"),
	COUNTER("damos_applied_bytes", "applied", "bytes", NEITHER, "damos",
		"of it where the kernel calls that a success, what was huge "
		"before included; not huge pages"),
	COUNTER("damos_qt_exceeds", "quota used up", "1", NEITHER, "damos",
		"quota intervals by the window's end in which there was more "
		"to do than the quota let"),
	GAUGE("damos_quota_bytes", "effective quota", "bytes", NEITHER,
	      "damos",
	      "what the scheme may act on in a quota interval, at the "
	      "window's end"),
	GAUGE("damos_goal_bp", "goal's metric", "bp", NEITHER, "damos",
	      "what the goal is about, in basis points, mean over the window"),
	GAUGE("damos_goal_target_bp", "goal's target", "bp", NEITHER, "damos",
	      "what it is to reach"),
	GAUGE("damos_error_pct", "quota from formula", "%", NEITHER, "damos",
	      "largest difference between the kernel's quota and the tuner's "
	      "formula in any quota interval, in % of the former"),
	GAUGE("pool_warm_pct", "pool warm", "%", MORE, "mariadb",
	      "pages of the tables in the buffer pool before the window"),
	COUNTER("pool_reads", "pool reads", "1", LESS, "mariadb",
		"pages that the server had to read from disk in the window"),
	GAUGE("server_thp_enabled", "THP allowed", "1", NEITHER,
	      "/proc/PID/status",
	      "THP_enabled of the server: 0 if it switched THP off for itself"),
	COUNTER("load_errors", "errors", "1", LESS, "load",
		"errors that the load reported, in all phases"),
	COUNTER("load_reconnects", "reconnects", "1", LESS, "load",
		"connections that the load had to open again, in all phases"),
};
/* clang-format on */
const size_t n_metrics = ARRAY_SIZE(metrics);

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < n_metrics; i++)
		if (str_eq(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

const char *metric_better_text(enum metric_better better)
{
	static const char *const texts[] = {
		[METRIC_NEITHER] = "neither",
		[METRIC_MORE] = "more",
		[METRIC_LESS] = "less",
	};

	return texts[better];
}
