/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DAMON through sysfs: a set-up as a plain struct, and the ordered list of
 * writes that it becomes. Pure: nothing here opens a file.
 *
 * Files and their order: Documentation/admin-guide/mm/damon/usage.rst, and
 * Documentation/ABI/testing/sysfs-kernel-mm-damon. Everything lies below
 * DAMON_ROOT; "K" stands for the number of the kdamond.
 */
#ifndef KERN_DAMON_H
#define KERN_DAMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define DAMON_ROOT "sys/kernel/mm/damon/admin/kdamonds"

/* The widest limits: nothing is left out. */
#define DAMON_MOST UINT64_MAX

struct damon_range {
	uint64_t min;
	uint64_t max;
};

/* quotas/goals/N. */
struct damon_goal {
	char *metric;     /* "hugepage_mem_bp", "user_input", ... */
	uint64_t target;  /* in the metric's unit, never 0 (dropped silently) */
	uint64_t current; /* user_input only */
	int nid;          /* node metrics; -1: none */
	char *path;       /* memcg metrics; NULL: none */
};

/* ops_filters or filters/N, type addr. */
struct damon_filter {
	uint64_t start;
	uint64_t end;
	bool is_allow; /* pass what lies inside; else keep it out */
};

struct damon_scheme {
	const char *action;             /* sysfs' word: "collapse" */
	struct damon_range sz_bytes;    /* of a region */
	struct damon_range nr_accesses; /* sampled hits per aggregation */
	struct damon_range age;         /* in aggregation intervals */
	uint64_t apply_interval_us;     /* 0: at each aggregation */
	int target_nid; /* of migrate_hot and migrate_cold; -1: not written */
	uint64_t quota_ms;    /* 0: no limit by time */
	uint64_t quota_bytes; /* 0: no limit by size */
	uint64_t quota_reset_ms;
	bool has_fail_charge; /* 7.2: fail_charge_num, _denom */
	uint64_t fail_charge_num;
	uint64_t fail_charge_denom;
	uint64_t weight_sz_permil;
	uint64_t weight_accesses_permil;
	uint64_t weight_age_permil;
	char *tuner; /* "consist", "temporal"; NULL: as is */
	struct damon_goal *goals;
	size_t n_goals;
	struct damon_filter *filters;
	size_t n_filters;
	char *watermark_metric; /* "none", "free_mem_rate" */
	uint64_t watermark_interval_us;
	uint64_t watermark_high;
	uint64_t watermark_mid;
	uint64_t watermark_low;
};

struct damon_intervals_goal {
	uint64_t access_bp; /* 0: intervals are not tuned */
	uint64_t aggrs;
	uint64_t min_sample_us;
	uint64_t max_sample_us;
};

/* One kdamond: one context, one target, one scheme. */
struct damon_setup {
	const char *ops; /* "vaddr", "fvaddr", "paddr" */
	uint64_t sample_us;
	uint64_t aggr_us;
	uint64_t update_us;
	struct damon_intervals_goal intervals_goal;
	struct damon_range nr_regions;
	pid_t pid;                   /* 0: printed as PID (plan --writes) */
	struct damon_range *regions; /* fvaddr: [start, end) of the target */
	size_t n_regions;
	uint64_t refresh_ms; /* 6.17: the kernel refreshes stats; 0: not */
	bool has_refresh;
	struct damon_scheme scheme;
};

/* One write, in its order. */
struct damon_write {
	char *path; /* below the root */
	char *value;
	bool is_optional; /* a newer kernel's file: ENOENT is no error */
};

struct damon_writes {
	struct damon_write *list;
	size_t n;
};

/*
 * What sysfs starts from: intervals 5 ms, 100 ms, 60 s, regions 10..1000, no
 * limit left out (min 0, max DAMON_MOST), target_nid -1, vaddr, stat; but
 * stats that the kernel brings up to date by itself, each 250 ms: to ask for
 * them waits until a kdamond that is at work has done.
 */
void damon_setup_init(struct damon_setup *setup);
void damon_setup_free(struct damon_setup *setup); /* what it holds */

/*
 * The writes that set up and start n kdamonds (setups[0..n)): nr_kdamonds,
 * for each of them contexts, operations, intervals, regions, targets, scheme
 * with all six limits of its access pattern, quotas, goals, filters,
 * watermarks, and at last state = on of all. What is not known yet stands as
 * a word: PID, and N, START, END for ranges that fvaddr or paddr lacks.
 * Accesses and ages are written as 32 bits, which is what the kernel keeps.
 */
void damon_plan(const struct damon_setup *setups, size_t n,
		struct damon_writes *out);
/* The writes that stop n and take them away: state = off, nr_kdamonds = 0. */
void damon_plan_stop(size_t n, struct damon_writes *out);
void damon_writes_free(struct damon_writes *w);

/*
 * Our prediction of a goal tuner (mm/damon/core.c): the effective quota in
 * basis points of a byte after one more reset interval; it starts at 0.
 *   consist: esz_bp = F(max(esz_bp, 10000), score), where F(x, s) = x for
 *     s == 10000; 10000 for s >= 20000; else x * (2 - s / 10000), and at
 *     least 10000. So it begins with a byte, and at best doubles.
 *   temporal: 0 for score >= 10000, else quota_bytes * 10000 (UINT64_MAX, no
 *     limit, where quota_bytes is 0 or too much for that).
 * A tuner of NULL is consist, the only one there was. score_bp is that of the
 * goal that is nearest to being reached.
 */
uint64_t damon_tune_bp(const char *tuner, uint64_t esz_bp, uint64_t score_bp,
		       uint64_t quota_bytes);
/* current * 10000 / target, as integers; 0 for target 0. */
uint64_t damon_score_bp(uint64_t current, uint64_t target);
/* The effective quota that the kernel shows, where there is none by time. */
uint64_t damon_effective_bytes(uint64_t esz_bp, uint64_t quota_bytes);

#endif
