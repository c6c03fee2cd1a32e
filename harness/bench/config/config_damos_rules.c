/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources: mm/damon/core.c (damon_set_attrs(), damon_valid_intervals_goal()),
 * mm/damon/sysfs.c (damon_sysfs_set_regions()), mm/damon/sysfs-schemes.c,
 * mm/damon/vaddr.c and paddr.c (which actions each knows), and
 * Documentation/admin-guide/mm/damon/usage.rst.
 */
#include "bench/config/config_damos_rules.h"

#include "base/mem.h"
#include "base/str.h"

enum {
	LEAST_REGIONS = 3,    /* damon_set_attrs() */
	PAGE_BYTES = 4096,    /* DAMON_MIN_REGION_SZ */
	MOST_PERMIL = 1000,   /* of watermarks */
	MOST_KDAMONDS = 1024, /* ours */
};

static bool is_vaddr(const struct damos_config *c)
{
	return str_eq(c->setup.ops, "vaddr");
}

static bool is_paddr(const struct damos_config *c)
{
	return str_eq(c->setup.ops, "paddr");
}

static bool is_migration(const struct damos_config *c)
{
	return str_starts(c->setup.scheme.action, "migrate_");
}

bool damos_has_quota(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	return s->quota_bytes || s->quota_ms || c->goal != DAMOS_GOAL_NONE;
}

static bool is_used(const struct damos_config *c)
{
	return c->is_used;
}

static bool has_addresses(const struct damos_config *c)
{
	return !is_vaddr(c);
}

static bool has_goal(const struct damos_config *c)
{
	return c->goal != DAMOS_GOAL_NONE;
}

static bool is_by_sysfs(const struct damos_config *c)
{
	return c->by == DAMOS_BY_SYSFS;
}

/* All that the sample module decides by itself. */
#define BY_SYSFS(key)                                                          \
	{                                                                      \
		"damos." key, is_by_sysfs, "damos.by = sysfs"                  \
	}

/* The first that is not met is named: the widest stand first. */
const struct damos_need damos_needs[] = {
	{ NULL, is_used, "damos = an action of DAMON's" },
	BY_SYSFS("ops"),
	BY_SYSFS("addresses"),
	BY_SYSFS("intervals"),
	BY_SYSFS("intervals_goal"),
	BY_SYSFS("regions"),
	BY_SYSFS("size"),
	BY_SYSFS("access_rate"),
	BY_SYSFS("age"),
	BY_SYSFS("apply_interval"),
	BY_SYSFS("weights"),
	BY_SYSFS("fail_charge"),
	BY_SYSFS("tuner"),
	BY_SYSFS("filter"),
	BY_SYSFS("watermarks"),
	BY_SYSFS("kdamonds"),
	BY_SYSFS("tried_regions"),
	{ "damos.addresses", has_addresses, "damos.ops = fvaddr or paddr" },
	{ "damos.kdamonds", has_addresses, "damos.ops = fvaddr or paddr" },
	{ "damos.target_node", is_migration,
	  "damos = migrate_hot or migrate_cold" },
	{ "damos.quota_interval", damos_has_quota,
	  "damos.quota_bytes, damos.quota_ms or damos.goal" },
	{ "damos.weights", damos_has_quota,
	  "damos.quota_bytes, damos.quota_ms or damos.goal" },
	{ "damos.fail_charge", damos_has_quota,
	  "damos.quota_bytes, damos.quota_ms or damos.goal" },
	{ "damos.tuner", has_goal, "damos.goal" },
};
const size_t n_damos_needs = ARRAY_SIZE(damos_needs);

/* Which operations do something for an action; the others pass it over. */
static const struct {
	const char *action;
	bool vaddr; /* fvaddr too */
	bool paddr;
} actions[] = {
	{ "willneed", true, false },   { "cold", true, false },
	{ "pageout", true, true },     { "hugepage", true, false },
	{ "nohugepage", true, false }, { "collapse", true, false },
	{ "lru_prio", false, true },   { "lru_deprio", false, true },
	{ "migrate_hot", true, true }, { "migrate_cold", true, true },
	{ "stat", true, true },
};

static bool does_action(const struct damos_config *c, bool with_paddr)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (str_eq(actions[i].action, c->setup.scheme.action))
			return with_paddr ? actions[i].paddr : actions[i].vaddr;
	return true;
}

static bool vaddr_does(const struct damos_config *c)
{
	return is_paddr(c) || does_action(c, false);
}

static bool paddr_does(const struct damos_config *c)
{
	return !is_paddr(c) || does_action(c, true);
}

/* damos_get_node_eligible_mem_bp(): 0 for all others, so never reached. */
static bool has_eligible_ops(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	return is_paddr(c) || !s->n_goals ||
	       !str_eq(s->goals[0].metric, "node_eligible_mem_bp");
}

static bool has_target_node(const struct damos_config *c)
{
	return !is_migration(c) || c->setup.scheme.target_nid >= 0;
}

/* paddr's target is what it is told, and nothing by itself. */
static bool has_ranges(const struct damos_config *c)
{
	return !is_paddr(c) || c->setup.n_regions;
}

static bool is_aligned(uint64_t start, uint64_t end)
{
	return start < end && start % PAGE_BYTES == 0 && end % PAGE_BYTES == 0;
}

static bool are_ranges_sound(const struct damos_config *c)
{
	for (size_t i = 0; i < c->setup.n_regions; i++) {
		const struct damon_range *r = &c->setup.regions[i];

		if (!is_aligned(r->min, r->max) || (i && r[-1].max > r->min))
			return false;
	}
	return true;
}

static bool are_filters_sound(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	for (size_t i = 0; i < s->n_filters; i++)
		if (!is_aligned(s->filters[i].start, s->filters[i].end))
			return false;
	return true;
}

static bool is_sampled_often(const struct damos_config *c)
{
	return c->setup.sample_us && c->setup.sample_us <= c->setup.aggr_us;
}

static bool is_goal_complete(const struct damos_config *c)
{
	const struct damon_intervals_goal *g = &c->setup.intervals_goal;

	return (!g->aggrs && !g->access_bp) ||
	       (g->aggrs && g->access_bp && g->access_bp <= 10000);
}

static bool is_sample_in_goal(const struct damos_config *c)
{
	const struct damon_intervals_goal *g = &c->setup.intervals_goal;

	return !g->aggrs || (g->min_sample_us <= c->setup.sample_us &&
			     c->setup.sample_us <= g->max_sample_us);
}

static bool has_regions(const struct damos_config *c)
{
	return c->setup.nr_regions.min >= LEAST_REGIONS;
}

static bool is_range(const struct damon_range *r)
{
	return r->min <= r->max;
}

static bool is_regions_range(const struct damos_config *c)
{
	return is_range(&c->setup.nr_regions);
}

static bool is_size_range(const struct damos_config *c)
{
	return is_range(&c->setup.scheme.sz_bytes);
}

static bool is_rate_range(const struct damos_config *c)
{
	return is_range(&c->setup.scheme.nr_accesses);
}

static bool is_age_range(const struct damos_config *c)
{
	return is_range(&c->setup.scheme.age);
}

/* The kernel would begin anew at each look, and limit nothing. */
static bool has_window(const struct damos_config *c)
{
	return !damos_has_quota(c) || c->setup.scheme.quota_reset_ms;
}

static bool are_weights_sound(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	return s->weight_sz_permil <= MOST_PERMIL &&
	       s->weight_accesses_permil <= MOST_PERMIL &&
	       s->weight_age_permil <= MOST_PERMIL;
}

/* A denominator of 0 switches the charging of failures off. */
static bool is_fraction(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	return !s->has_fail_charge ||
	       (s->fail_charge_denom && s->fail_charge_denom <= UINT32_MAX &&
		s->fail_charge_num <= s->fail_charge_denom);
}

/* An interval below a sample's, or between two, is cut to whole samples. */
static bool is_applied_in_time(const struct damos_config *c)
{
	return c->setup.scheme.apply_interval_us % c->setup.sample_us == 0;
}

static bool are_watermarks_sound(const struct damos_config *c)
{
	const struct damon_scheme *s = &c->setup.scheme;

	return !s->watermark_metric ||
	       (s->watermark_interval_us && s->watermark_high <= MOST_PERMIL &&
		s->watermark_mid <= s->watermark_high &&
		s->watermark_low <= s->watermark_mid);
}

static bool are_kdamonds_few(const struct damos_config *c)
{
	return c->n_kdamonds >= 1 && c->n_kdamonds <= MOST_KDAMONDS;
}

static bool does_module(const struct damos_config *c)
{
	return is_by_sysfs(c) || (str_eq(c->setup.scheme.action, "collapse") &&
				  c->goal == DAMOS_GOAL_SYSTEM);
}

const struct damos_rule damos_rules[] = {
	{ "damos.by", DAMOS_STAGE_ALONE, does_module,
	  "the sample module collapses for a share of huge pages and does "
	  "nothing else; damos = collapse and damos.goal = hugepage_mem_bp" },
	{ "damos", DAMOS_STAGE_ALONE, vaddr_does,
	  "vaddr and fvaddr pass it over without a word; damos.ops = paddr" },
	{ "damos", DAMOS_STAGE_ALONE, paddr_does,
	  "paddr passes it over without a word; damos.ops = vaddr or fvaddr" },
	{ "damos.goal", DAMOS_STAGE_ALONE, has_eligible_ops,
	  "0 at all times for vaddr and fvaddr, so that the quota only grows; "
	  "damos.ops = paddr" },
	{ "damos", DAMOS_STAGE_ALONE, has_target_node,
	  "migrates nowhere; damos.target_node, the number of a node" },
	{ "damos.ops", DAMOS_STAGE_ALONE, has_ranges,
	  "monitors nothing by itself; damos.addresses, ranges of physical "
	  "memory" },
	{ "damos.addresses", DAMOS_STAGE_ALONE, are_ranges_sound,
	  "ranges of whole pages of 4096 bytes, in order, that do not overlap; "
	  "such as 0x100000-0x200000" },
	{ "damos.filter", DAMOS_STAGE_ALONE, are_filters_sound,
	  "a range that is not of whole pages of 4096 bytes; such as reject "
	  "0x1000-0x2000" },
	{ "damos.intervals", DAMOS_STAGE_ALONE, is_sampled_often,
	  "an aggregation without a sample; sampling above 0 and at most the "
	  "aggregation interval" },
	{ "damos.intervals_goal", DAMOS_STAGE_ALONE, is_goal_complete,
	  "not a share, or of no aggregation; 1 to 10000 basis points of "
	  "accesses in 1 or more" },
	{ "damos.intervals_goal", DAMOS_STAGE_ALONE, is_sample_in_goal,
	  "the sampling interval of damos.intervals does not lie within; the "
	  "least and the most around it" },
	{ "damos.regions", DAMOS_STAGE_ALONE, has_regions,
	  "fewer than the kernel takes; 3 at the least" },
	{ "damos.regions", DAMOS_STAGE_ALONE, is_regions_range,
	  "more at the least than at the most; the smaller first" },
	{ "damos.size", DAMOS_STAGE_ALONE, is_size_range,
	  "more at the least than at the most; the smaller first" },
	{ "damos.access_rate", DAMOS_STAGE_CONVERTED, is_rate_range,
	  "more at the least than at the most; the smaller first" },
	{ "damos.age", DAMOS_STAGE_CONVERTED, is_age_range,
	  "more at the least than at the most; the smaller first" },
	{ "damos.quota_interval", DAMOS_STAGE_ALONE, has_window,
	  "a quota that is never used up; 1ms at the least" },
	{ "damos.weights", DAMOS_STAGE_ALONE, are_weights_sound,
	  "more than a thousand; 0 to 1000 each" },
	{ "damos.fail_charge", DAMOS_STAGE_ALONE, is_fraction,
	  "not a share of what failed; such as 1/4096" },
	{ "damos.apply_interval", DAMOS_STAGE_CONVERTED, is_applied_in_time,
	  "not a whole number of sampling intervals, which the kernel cuts it "
	  "to; a multiple of the first of damos.intervals" },
	{ "damos.watermarks", DAMOS_STAGE_ALONE, are_watermarks_sound,
	  "an interval above 0, then high, mid and low in thousandths; the "
	  "larger first, at most 1000" },
	{ "damos.kdamonds", DAMOS_STAGE_ALONE, are_kdamonds_few,
	  "not a number of kdamonds; 1 to 1024" },
};
const size_t n_damos_rules = ARRAY_SIZE(damos_rules);
