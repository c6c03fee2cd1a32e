/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/summary.h"

#include <assert.h>
#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/column.h"
#include "data/stats/effect.h"
#include "data/extra.h"
#include "data/rule.h"
#include "data/stats/sample.h"
#include "data/stats/stats.h"

/*
 * Line rules: column and the weight beside it. Where huge pages come from:
 * Documentation/admin-guide/mm/transhuge.rst, "Monitoring usage".
 */
/* clang-format off */
static const struct rule rules[] = {
	{ "tps", rule_rate, COL_LOAD_TRANSACTIONS, COL_LOAD_INTERVAL, 1 },
	{ "latency_p95_ms", rule_line_median, COL_LOAD_P95,
	  COL_LOAD_INTERVAL, 1 },
	{ "latency_avg_ms", rule_line_mean, COL_LOAD_AVG,
	  COL_LOAD_TRANSACTIONS, 1 },
	{ "latency_max_ms", rule_line_max, COL_LOAD_MAX,
	  COL_LOAD_INTERVAL, 1 },
	{ "tx_per_server_cpu_s", rule_per_cpu, COL_CPU_SERVER, NULL, 1 },
	{ "rss_bytes", rule_mean, COL_RSS, NULL, 1 },
	{ "huge_bytes", rule_mean, COL_HUGE, NULL, 1 },
	{ "huge_share_pct", rule_share, COL_HUGE, COL_RSS, 100 },
	{ "huge_end_bytes", rule_last, COL_HUGE, NULL, 1 },
	{ "origin_fault", rule_run, "vm_thp_fault_alloc", NULL, 1 },
	{ "origin_khugepaged", rule_run, COL_KH_COLLAPSED, NULL, 1 },
	{ "origin_collapse", rule_run_without, "vm_thp_collapse_alloc",
	  COL_KH_COLLAPSED, 1 },
	{ "origin_damos", rule_run, COL_TRACE_DAMOS, NULL, 1 },
	{ "origin_madvise", rule_run, COL_TRACE_OTHER, NULL, 1 },
	{ "half_s", rule_reach, COL_HUGE, NULL, 0.5 },
	{ "most_s", rule_reach, COL_HUGE, NULL, 0.9 },
	{ "thp_fault_fallback", rule_delta, "vm_thp_fault_fallback", NULL, 1 },
	{ "thp_collapse_failed", rule_delta, "vm_thp_collapse_alloc_failed",
	  NULL, 1 },
	{ "thp_split_page", rule_delta, "vm_thp_split_page", NULL, 1 },
	{ "compact_stall", rule_delta, "vm_compact_stall", NULL, 1 },
	{ "compact_success", rule_delta, "vm_compact_success", NULL, 1 },
	{ "compact_fail", rule_delta, "vm_compact_fail", NULL, 1 },
	{ "pgfault", rule_delta, "vm_pgfault", NULL, 1 },
	{ "pgmajfault", rule_delta, "vm_pgmajfault", NULL, 1 },
	{ "psi_mem_some_ms", rule_delta, COL_PSI_SOME, NULL, 1e-3 },
	{ "psi_mem_full_ms", rule_delta, COL_PSI_FULL, NULL, 1e-3 },
	{ "server_cpu_s", rule_delta, COL_CPU_SERVER, NULL, 1 },
	{ "load_cpu_s", rule_delta, COL_CPU_LOAD, NULL, 1 },
	{ "khugepaged_cpu_s", rule_delta, COL_CPU_KHUGEPAGED, NULL, 1 },
	{ "khugepaged_run_cpu_s", rule_run, COL_CPU_KHUGEPAGED, NULL, 1 },
	{ "kdamond_cpu_s", rule_delta, COL_CPU_KDAMOND, NULL, 1 },
	{ "kdamond_run_cpu_s", rule_run, COL_CPU_KDAMOND, NULL, 1 },
	{ "damos_cpu_s", rule_delta, COL_DAMOS_CPU, NULL, 1 },
	{ "damos_tried_bytes", rule_last, COL_DAMOS_TRIED, NULL, 1 },
	{ "damos_applied_bytes", rule_last, COL_DAMOS_APPLIED, NULL, 1 },
	{ "damos_qt_exceeds", rule_last, COL_DAMOS_EXCEEDS, NULL, 1 },
	{ "damos_quota_bytes", rule_last, COL_DAMOS_QUOTA, NULL, 1 },
	{ "damos_goal_bp", rule_mean, COL_DAMOS_GOAL, NULL, 1 },
	{ "damos_goal_target_bp", rule_last, COL_DAMOS_TARGET, NULL, 1 },
	{ "damos_error_pct", rule_last, COL_DAMOS_ERROR, NULL, 1 },
	{ "collectors_cpu_s", rule_delta, COL_OWN_CPU, NULL, 1 },
	{ "dtlb_access", rule_counted, "dtlb_access", NULL, 1 },
	{ "itlb_access", rule_counted, "itlb_access", NULL, 1 },
	{ "dtlb_walk", rule_counted, "dtlb_walk", NULL, 1 },
	{ "itlb_walk", rule_counted, "itlb_walk", NULL, 1 },
	{ "dtlb_walk_share_pct", rule_counted_share, "dtlb_walk",
	  "dtlb_access", 100 },
	{ "itlb_walk_share_pct", rule_counted_share, "itlb_walk",
	  "itlb_access", 100 },
	{ "dtlb_walk_mpki", rule_counted_share, "dtlb_walk", "instructions",
	  1000 },
	{ "itlb_walk_mpki", rule_counted_share, "itlb_walk", "instructions",
	  1000 },
	{ "dtlb_walk_per_tx", rule_counted_per_tx, "dtlb_walk", NULL, 1 },
	{ "itlb_walk_per_tx", rule_counted_per_tx, "itlb_walk", NULL, 1 },
	{ "dtlb_walk_cycles", rule_counted, "dtlb_walk_cycles", NULL, 1 },
	{ "itlb_walk_cycles", rule_counted, "itlb_walk_cycles", NULL, 1 },
	{ "dtlb_walk_cycles_pct", rule_counted_share, "dtlb_walk_cycles",
	  "cycles", 100 },
	{ "itlb_walk_cycles_pct", rule_counted_share, "itlb_walk_cycles",
	  "cycles", 100 },
	{ "dtlb_walk_cycles_per_tx", rule_counted_per_tx, "dtlb_walk_cycles",
	  NULL, 1 },
	{ "itlb_walk_cycles_per_tx", rule_counted_per_tx, "itlb_walk_cycles",
	  NULL, 1 },
	{ "dtlb_walk_4k", rule_counted, "dtlb_walk_4k", NULL, 1 },
	{ "dtlb_walk_2m", rule_counted, "dtlb_walk_2m", NULL, 1 },
	{ "dtlb_walk_1g", rule_counted, "dtlb_walk_1g", NULL, 1 },
	{ "itlb_walk_4k", rule_counted, "itlb_walk_4k", NULL, 1 },
	{ "itlb_walk_2m", rule_counted, "itlb_walk_2m", NULL, 1 },
	{ "dtlb_stlb_hit", rule_counted, "dtlb_stlb_hit", NULL, 1 },
	{ "itlb_stlb_hit", rule_counted, "itlb_stlb_hit", NULL, 1 },
	{ "instructions", rule_counted, "instructions", NULL, 1 },
	{ "cycles", rule_counted, "cycles", NULL, 1 },
	{ "page_faults", rule_counted, "page_faults", NULL, 1 },
	{ "minor_faults", rule_counted, "minor_faults", NULL, 1 },
	{ "major_faults", rule_counted, "major_faults", NULL, 1 },
	{ "context_switches", rule_counted, "context_switches", NULL, 1 },
	{ "cpu_migrations", rule_counted, "cpu_migrations", NULL, 1 },
	{ "task_clock_s", rule_counted, "task_clock", NULL, 1e-9 },
	{ "pool_reads", rule_delta, "my_innodb_buffer_pool_reads", NULL, 1 },
	{ "damos_monitored_bytes", rule_recorded, NULL, NULL, 1 },
	{ "damos_mapped_bytes", rule_recorded, NULL, NULL, 1 },
	{ "pool_warm_pct", rule_recorded, NULL, NULL, 1 },
	{ "server_thp_enabled", rule_recorded, NULL, NULL, 1 },
	{ "load_errors", rule_line_sum, COL_LOAD_ERRORS, NULL, 1 },
	{ "load_reconnects", rule_line_sum, COL_LOAD_RECONNECTS, NULL, 1 },
};
/* clang-format on */

void summary_roles(const char *metric, const char *roles[2])
{
	roles[0] = roles[1] = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct rule *r = &rules[i];

		if (str_eq(r->metric, metric) &&
		    (r->compute == rule_counted ||
		     r->compute == rule_counted_share ||
		     r->compute == rule_counted_per_tx)) {
			roles[0] = r->column;
			roles[1] = r->other;
		}
	}
}

void summary_fill(struct run *run)
{
	struct window w;

	if (!run->values)
		run->values = xcalloc(n_metrics, sizeof(*run->values));
	window_find(run, &w);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const struct metric *m = metric_find(rules[i].metric);
		struct value *v;

		assert(m);
		v = &run->values[m - metrics];
		if (!v->is_there && !v->why)
			rules[i].compute(&w, &rules[i], v);
	}
}

/* --- from runs to arms --- */

struct arm_summary summary_arm(const struct experiment *e, size_t arm,
			       const char *metric)
{
	struct arm_summary out = { .least = NAN, .most = NAN };
	struct sample s;

	sample_take(e, arm, metric, &s);
	for (size_t i = 0; i < s.n; i++) {
		out.least = fmin(out.least, s.x[i]);
		out.most = fmax(out.most, s.x[i]);
	}
	out.n = s.n;
	out.mean = stats_mean(s.x, s.n);
	out.stddev = stats_stddev(s.x, s.n);
	out.why = s.why;
	sample_free(&s);
	return out;
}

/* n is 0, and so all else NAN, where a value has no logarithm. */
static struct effect compare(const struct experiment *e,
			     const struct sample *base,
			     const struct sample *arm, size_t *n)
{
	auto_free double *x = xcalloc(base->n + 1, sizeof(*x));
	auto_free double *y = xcalloc(arm->n + 1, sizeof(*y));

	*n = 0;
	if (sample_without_log(base) || sample_without_log(arm))
		return effect_paired(x, 0);
	if (!extra_is_imported(e)) {
		*n = sample_log_ratios(base, arm, x);
		return effect_paired(x, *n);
	}
	sample_logs(base, x);
	sample_logs(arm, y);
	*n = base->n < arm->n ? base->n : arm->n;
	return effect_welch(x, base->n, y, arm->n);
}

struct comparison summary_compare(const struct experiment *e, size_t arm,
				  const char *metric)
{
	struct comparison out = { 0 };
	struct stats_interval interval;
	struct effect effect;
	struct sample base;
	struct sample other;

	sample_take(e, e->baseline, metric, &base);
	sample_take(e, arm, metric, &other);
	effect = compare(e, &base, &other, &out.n);
	interval = effect_interval(&effect, 0.95);
	sample_free(&base);
	sample_free(&other);
	out.ratio = exp(interval.centre);
	out.low = exp(interval.low);
	out.high = exp(interval.high);
	return out;
}
