/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of samples.tsv and sysbench.tsv by name: what collectors and
 * loads write, and what the summary looks for. A column that a collector
 * cannot fill is left out, or NAN tick by tick; it is never 0.
 *
 * samples.tsv, behind "t_s" (seconds on the run's clock) and "phase" (text):
 *
 *   rss_bytes huge_bytes       memory of the server, as Rss and AnonHugePages
 *                              of smaps: anonymous, mapped by whole PMDs
 *   vm_<name>                  a line of /proc/vmstat: vm_thp_fault_alloc
 *   kh_<name>                  a file of khugepaged: kh_pages_collapsed,
 *                              kh_full_scans
 *   mthp_<size>_<stat>         hugepages-64kB/stats: mthp_64kB_nr_anon
 *   cg_<name>                  memory.stat: cg_anon_bytes cg_anon_thp_bytes
 *                              cg_file_bytes cg_fault_alloc cg_collapse_alloc
 *   cpu_<who>_s                CPU seconds so far: server, load, khugepaged,
 *                              kdamond (all kdamonds together)
 *   damos_<name>               a DAMOS scheme of ours, while it runs:
 *                              damos_nr_tried damos_tried_bytes
 *                              damos_nr_applied damos_applied_bytes
 *                              damos_qt_exceeds damos_snapshots
 *                              damos_quota_bytes damos_predicted_bytes
 *                              damos_error_pct damos_windows damos_feed_s
 *                              damos_goal_bp damos_goal_target_bp
 *                              damos_cpu_s; feed: longest so far from reading
 *                              a goal's metric until the kernel had it
 *   ctr_<group>_<role>         a counter of the PMU or of the kernel, as it
 *                              counted; with _2, _3 where a role is a sum
 *   ctr_<group>_enabled_ns ctr_<group>_running_ns
 *                              how long the group should have counted and did,
 *                              summed over threads or CPUs
 *   tr_collapse_<who>          successful collapses by the tracepoint
 *                              mm_collapse_huge_page: damos, khugepaged,
 *                              other (madvise)
 *   psi_mem_some_us psi_mem_full_us   total= of /proc/pressure/memory
 *   my_<name>                  SHOW GLOBAL STATUS in lower case:
 *                              my_innodb_buffer_pool_reads
 *   own_cpu_s                  CPU seconds of all collectors so far
 *
 * All are running totals or levels, in the unit that the name ends in.
 *
 * sysbench.tsv, behind "t_s" (the end of what the line covers): COL_LOAD_*
 * below. Counts are those of the interval.
 */
#ifndef DATA_COLUMN_H
#define DATA_COLUMN_H

#define COL_TIME "t_s"
#define COL_PHASE "phase"

#define COL_RSS "rss_bytes"
#define COL_HUGE "huge_bytes"
#define COL_KH_COLLAPSED "kh_pages_collapsed"
#define COL_KH_SCANS "kh_full_scans"
#define COL_CPU_SERVER "cpu_server_s"
#define COL_CPU_LOAD "cpu_load_s"
#define COL_CPU_KHUGEPAGED "cpu_khugepaged_s"
#define COL_CPU_KDAMOND "cpu_kdamond_s"
#define COL_DAMOS_NR_TRIED "damos_nr_tried"
#define COL_DAMOS_TRIED "damos_tried_bytes"
#define COL_DAMOS_NR_APPLIED "damos_nr_applied"
#define COL_DAMOS_APPLIED "damos_applied_bytes"
#define COL_DAMOS_EXCEEDS "damos_qt_exceeds"
#define COL_DAMOS_SNAPSHOTS "damos_snapshots"
#define COL_DAMOS_QUOTA "damos_quota_bytes"
#define COL_DAMOS_PREDICTED "damos_predicted_bytes"
#define COL_DAMOS_ERROR "damos_error_pct"
#define COL_DAMOS_WINDOWS "damos_windows"
#define COL_DAMOS_FEED "damos_feed_s"
#define COL_DAMOS_GOAL "damos_goal_bp"
#define COL_DAMOS_TARGET "damos_goal_target_bp"
#define COL_DAMOS_CPU "damos_cpu_s"
#define COL_COUNTER "ctr_" /* what these begin with, and how the two end */
#define COL_ENABLED "enabled_ns"
#define COL_RUNNING "running_ns"
#define COL_TRACE_DAMOS "tr_collapse_damos"
#define COL_TRACE_KHUGEPAGED "tr_collapse_khugepaged"
#define COL_TRACE_OTHER "tr_collapse_other"
#define COL_PSI_SOME "psi_mem_some_us"
#define COL_PSI_FULL "psi_mem_full_us"
#define COL_OWN_CPU "own_cpu_s"

#define COL_LOAD_INTERVAL "interval_s" /* seconds that the line covers */
#define COL_LOAD_THREADS "threads"
#define COL_LOAD_TRANSACTIONS "transactions"
#define COL_LOAD_READS "reads" /* queries */
#define COL_LOAD_WRITES "writes"
#define COL_LOAD_OTHERS "others"
#define COL_LOAD_P95 "latency_p95_ms" /* missing if nothing ended */
#define COL_LOAD_AVG "latency_avg_ms"
#define COL_LOAD_MAX "latency_max_ms"
#define COL_LOAD_ERRORS "errors"
#define COL_LOAD_RECONNECTS "reconnects"

/*
 * The collector that fills a column of samples.tsv, as collectors.tsv names
 * it: "memory", "vmstat", "khugepaged", "mthp", "cgroup", "cpu", "psi",
 * "mariadb", "damos", "trace", "counters"; "" for the harness's own (t_s,
 * phase, own_cpu_s) and for what nobody is known to fill.
 */
const char *column_owner(const char *column);

#endif
