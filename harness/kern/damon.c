/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/damon.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

/* The kernel keeps these two in 32 bits, and cuts off what is above. */
static const uint64_t most_accesses = UINT32_MAX;
static const uint64_t most_age = UINT32_MAX;

/* Where writes go: a folder below DAMON_ROOT, and their list. */
struct folder {
	struct damon_writes *out;
	const char *path;
};

void damon_setup_init(struct damon_setup *setup)
{
	*setup = (struct damon_setup){
		.ops = "vaddr",
		.sample_us = 5000,
		.aggr_us = 100000,
		.update_us = 60000000,
		.nr_regions = { 10, 1000 },
		.has_refresh = true,
		.refresh_ms = 250,
		.scheme = {
			.action = "stat",
			.sz_bytes = { 0, DAMON_MOST },
			.nr_accesses = { 0, DAMON_MOST },
			.age = { 0, DAMON_MOST },
			.target_nid = -1,
		},
	};
}

void damon_setup_free(struct damon_setup *setup)
{
	struct damon_scheme *s = &setup->scheme;

	for (size_t i = 0; i < s->n_goals; i++) {
		free(s->goals[i].metric);
		free(s->goals[i].path);
	}
	free(s->goals);
	free(s->filters);
	free(s->tuner);
	free(s->watermark_metric);
	free(setup->regions);
	*setup = (struct damon_setup){ 0 };
}

static void put(const struct folder *f, const char *file, const char *value)
{
	struct damon_writes *w = f->out;

	XGROW(w->list, w->n);
	w->list[w->n++] = (struct damon_write){
		.path = xasprintf(DAMON_ROOT "/%s%s", f->path, file),
		.value = xstrdup(value),
	};
}

static void put_number(const struct folder *f, const char *file, uint64_t value)
{
	auto_free char *text = xasprintf("%" PRIu64, value);

	put(f, file, text);
}

/* What was put last asks for nothing but what older kernels do anyway. */
static void may_be_absent(const struct folder *f)
{
	f->out->list[f->out->n - 1].is_optional = true;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

static void put_range(const struct folder *f, const char *file,
		      const struct damon_range *r, uint64_t most)
{
	auto_free char *min = xasprintf("%s/min", file);
	auto_free char *max = xasprintf("%s/max", file);

	put_number(f, min, at_most(r->min, most));
	put_number(f, max, at_most(r->max, most));
}

static void put_monitoring(const struct folder *context,
			   const struct damon_setup *s)
{
	const struct damon_intervals_goal *g = &s->intervals_goal;
	auto_free char *path = xasprintf("%smonitoring_attrs/", context->path);
	struct folder f = { context->out, path };

	put_number(&f, "intervals/sample_us", s->sample_us);
	put_number(&f, "intervals/aggr_us", s->aggr_us);
	put_number(&f, "intervals/update_us", s->update_us);
	if (g->access_bp) {
		put_number(&f, "intervals/intervals_goal/access_bp",
			   g->access_bp);
		put_number(&f, "intervals/intervals_goal/aggrs", g->aggrs);
		put_number(&f, "intervals/intervals_goal/min_sample_us",
			   g->min_sample_us);
		put_number(&f, "intervals/intervals_goal/max_sample_us",
			   g->max_sample_us);
	}
	put_range(&f, "nr_regions", &s->nr_regions, DAMON_MOST);
}

static void put_regions(const struct folder *target,
			const struct damon_setup *s)
{
	for (size_t i = 0; i < s->n_regions; i++) {
		auto_free char *path =
			xasprintf("%sregions/%zu/", target->path, i);
		struct folder f = { target->out, path };

		put_number(&f, "start", s->regions[i].min);
		put_number(&f, "end", s->regions[i].max);
	}
}

static void put_target(const struct folder *context,
		       const struct damon_setup *s)
{
	bool is_physical = str_eq(s->ops, "paddr");
	bool has_regions = !str_eq(s->ops, "vaddr");
	auto_free char *path = xasprintf("%stargets/0/", context->path);
	auto_free char *pid =
		s->pid ? xasprintf("%d", (int)s->pid) : xstrdup("PID");
	struct folder f = { context->out, path };

	put(context, "targets/nr_targets", "1");
	if (!is_physical)
		put(&f, "pid_target", pid);
	if (has_regions && s->n_regions) {
		put_number(&f, "regions/nr_regions", s->n_regions);
		put_regions(&f, s);
	} else if (has_regions) {
		put(&f, "regions/nr_regions", "N");
		put(&f, "regions/0/start", "START");
		put(&f, "regions/0/end", "END");
	}
}

static void put_goals(const struct folder *scheme, const struct damon_scheme *s)
{
	if (s->n_goals)
		put_number(scheme, "quotas/goals/nr_goals", s->n_goals);
	for (size_t i = 0; i < s->n_goals; i++) {
		const struct damon_goal *g = &s->goals[i];
		auto_free char *path =
			xasprintf("%squotas/goals/%zu/", scheme->path, i);
		struct folder f = { scheme->out, path };

		put(&f, "target_metric", g->metric);
		/* In 6.8 user_input is all there is, and has no word. */
		if (str_eq(g->metric, "user_input"))
			may_be_absent(&f);
		put_number(&f, "target_value", g->target);
		if (str_eq(g->metric, "user_input"))
			put_number(&f, "current_value", g->current);
		if (g->nid >= 0)
			put_number(&f, "nid", (uint64_t)g->nid);
		if (g->path)
			put(&f, "path", g->path);
	}
}

static void put_quotas(const struct folder *scheme,
		       const struct damon_scheme *s)
{
	auto_free char *path = xasprintf("%squotas/", scheme->path);
	struct folder f = { scheme->out, path };

	put_number(&f, "ms", s->quota_ms);
	put_number(&f, "bytes", s->quota_bytes);
	put_number(&f, "reset_interval_ms", s->quota_reset_ms);
	if (s->has_fail_charge) {
		put_number(&f, "fail_charge_num", s->fail_charge_num);
		put_number(&f, "fail_charge_denom", s->fail_charge_denom);
	}
	if (s->tuner) {
		put(&f, "goal_tuner", s->tuner);
		if (str_eq(s->tuner, "consist"))
			may_be_absent(&f);
	}
	put_number(&f, "weights/sz_permil", s->weight_sz_permil);
	put_number(&f, "weights/nr_accesses_permil", s->weight_accesses_permil);
	put_number(&f, "weights/age_permil", s->weight_age_permil);
	put_goals(scheme, s);
}

static void put_filters(const struct folder *scheme,
			const struct damon_scheme *s)
{
	if (s->n_filters)
		put_number(scheme, "filters/nr_filters", s->n_filters);
	for (size_t i = 0; i < s->n_filters; i++) {
		const struct damon_filter *one = &s->filters[i];
		auto_free char *path =
			xasprintf("%sfilters/%zu/", scheme->path, i);
		struct folder f = { scheme->out, path };

		put(&f, "type", "addr");
		put(&f, "matching", "Y");
		put(&f, "allow", one->is_allow ? "Y" : "N");
		if (!one->is_allow)
			may_be_absent(&f);
		put_number(&f, "addr_start", one->start);
		put_number(&f, "addr_end", one->end);
	}
}

static void put_watermarks(const struct folder *scheme,
			   const struct damon_scheme *s)
{
	auto_free char *path = xasprintf("%swatermarks/", scheme->path);
	struct folder f = { scheme->out, path };

	if (!s->watermark_metric)
		return;
	put(&f, "metric", s->watermark_metric);
	put_number(&f, "interval_us", s->watermark_interval_us);
	put_number(&f, "high", s->watermark_high);
	put_number(&f, "mid", s->watermark_mid);
	put_number(&f, "low", s->watermark_low);
}

static void put_scheme(const struct folder *context,
		       const struct damon_scheme *s)
{
	auto_free char *path = xasprintf("%sschemes/0/", context->path);
	struct folder f = { context->out, path };

	put(context, "schemes/nr_schemes", "1");
	put(&f, "action", s->action);
	if (s->target_nid >= 0)
		put_number(&f, "target_nid", (uint64_t)s->target_nid);
	put_number(&f, "apply_interval_us", s->apply_interval_us);
	if (!s->apply_interval_us)
		may_be_absent(&f);
	put_range(&f, "access_pattern/sz", &s->sz_bytes, DAMON_MOST);
	put_range(&f, "access_pattern/nr_accesses", &s->nr_accesses,
		  most_accesses);
	put_range(&f, "access_pattern/age", &s->age, most_age);
	put_quotas(&f, s);
	put_filters(&f, s);
	put_watermarks(&f, s);
}

static void put_kdamond(struct damon_writes *out, const struct damon_setup *s,
			size_t k)
{
	auto_free char *path = xasprintf("%zu/", k);
	auto_free char *context_path = xasprintf("%zu/contexts/0/", k);
	struct folder kdamond = { out, path };
	struct folder context = { out, context_path };

	if (s->has_refresh) {
		put_number(&kdamond, "refresh_ms", s->refresh_ms);
		may_be_absent(&kdamond);
	}
	put(&kdamond, "contexts/nr_contexts", "1");
	put(&context, "operations", s->ops);
	put_monitoring(&context, s);
	put_target(&context, s);
	put_scheme(&context, &s->scheme);
}

static void put_state(const struct folder *root, size_t k, const char *state)
{
	auto_free char *file = xasprintf("%zu/state", k);

	put(root, file, state);
}

void damon_plan(const struct damon_setup *setups, size_t n,
		struct damon_writes *out)
{
	struct folder root = { out, "" };

	*out = (struct damon_writes){ 0 };
	put_number(&root, "nr_kdamonds", n);
	for (size_t k = 0; k < n; k++)
		put_kdamond(out, &setups[k], k);
	for (size_t k = 0; k < n; k++)
		put_state(&root, k, "on");
}

void damon_plan_stop(size_t n, struct damon_writes *out)
{
	struct folder root = { out, "" };

	*out = (struct damon_writes){ 0 };
	for (size_t k = 0; k < n; k++)
		put_state(&root, k, "off");
	put(&root, "nr_kdamonds", "0");
}

void damon_writes_free(struct damon_writes *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->list[i].path);
		free(w->list[i].value);
	}
	free(w->list);
	*w = (struct damon_writes){ 0 };
}
