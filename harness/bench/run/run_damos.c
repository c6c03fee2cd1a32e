/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arm's DAMOS scheme: from the start of settling to the window's end. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "bench/run/run_state.h"
#include "kern/vaddr.h"

static const char maps_source[] = "/proc/PID/maps when the scheme began";

/* Of fvaddr and paddr what is monitored is known from the event. */
static void record_vaddr(struct one *o, const char *text)
{
	struct smaps maps;
	struct vaddr v;

	if (!str_eq(o->arm->scheme.setup.ops, "vaddr")) {
		store_total_missing(o->store, "damos_monitored_bytes",
				    "only vaddr monitors gaps");
		store_total_missing(o->store, "damos_mapped_bytes",
				    "only vaddr monitors gaps");
		return;
	}
	if (smaps_parse(text, &maps))
		return;
	vaddr_of(&maps, &v);
	smaps_free(&maps);
	store_total(o->store, "damos_monitored_bytes",
		    (double)v.monitored_bytes, maps_source);
	store_total(o->store, "damos_mapped_bytes", (double)v.mapped_bytes,
		    maps_source);
}

/* By where mappings happen to lie, the same scheme does much or nothing. */
static void record_maps(struct one *o)
{
	auto_free char *path =
		xasprintf("proc/%d/maps", (int)o->target.server_pid);
	auto_free char *to = store_run_path(o->store, "maps.txt");
	auto_free char *text = NULL;
	int ret = root_read(o->shared->root, path, &text);

	if (!ret)
		ret = file_publish(to, text);
	if (!ret)
		record_vaddr(o, text);
	else
		warn("%s: %s", to, strerror(-ret));
}

static bool has_goal(const struct damos_config *c)
{
	return c->goal != DAMOS_GOAL_NONE;
}

static bool has_quota(const struct damos_config *c)
{
	return has_goal(c) || c->setup.scheme.quota_bytes ||
	       c->setup.scheme.quota_ms;
}

/* Something that we read, or the kernel shows. */
static bool is_goal_seen(const struct damos_config *c)
{
	return c->goal == DAMOS_GOAL_SYSTEM || c->goal == DAMOS_GOAL_PROCESS;
}

static bool is_predicted(const struct damos_config *c)
{
	return is_goal_seen(c) && !c->setup.scheme.quota_ms &&
	       c->by == DAMOS_BY_SYSFS;
}

/* What a scheme of this kind has no figure of, and why. The first counts. */
static void record_missing(struct one *o)
{
	static const struct {
		const char *metric;
		bool (*is_there)(const struct damos_config *c);
		const char *why;
	} rows[] = {
		{ "damos_quota_bytes", has_quota, "the scheme has no quota" },
		{ "damos_goal_bp", has_goal, "the scheme has no goal" },
		{ "damos_goal_bp", is_goal_seen,
		  "the kernel does not show what its metric is" },
		{ "damos_goal_target_bp", has_goal, "the scheme has no goal" },
		{ "damos_error_pct", has_goal, "the scheme has no goal" },
		{ "damos_error_pct", is_predicted,
		  "not known to us: the score of the kernel's own metric, or "
		  "the speed that a quota by time is made of" },
	};
	const char *last = "";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (str_eq(last, rows[i].metric) ||
		    rows[i].is_there(&o->arm->scheme))
			continue;
		last = rows[i].metric;
		store_total_missing(o->store, last, rows[i].why);
	}
}

int one_scheme_start(struct one *o)
{
	auto_free char *how = NULL;
	int ret;

	if (!o->target.server_pid)
		return 0;
	record_maps(o);
	record_missing(o);
	ret = damos_start(o->shared->root, &o->arm->scheme,
			  o->target.server_pid, o->shared->journal, &o->damos,
			  &how);
	if (ret)
		return ret;
	o->target.damos = o->damos;
	one_event(o, "damos", how);
	return 0;
}

int one_scheme_feed(struct one *o)
{
	return clock_ns() >= damos_next_ns(o->damos) ? damos_feed(o->damos) : 0;
}

static void record_regions(struct one *o)
{
	auto_free char *to = store_run_path(o->store, "tried-regions.tsv");
	auto_str struct str text = { 0 };
	int ret = damos_tried_regions(o->damos, &text);

	if (!ret)
		ret = file_publish(to, text.text);
	if (ret)
		warn("%s: %s", to, strerror(-ret));
}

void one_scheme_stop(struct one *o)
{
	struct damos_sample last = { 0 };
	auto_free char *text = NULL;

	if (!o->damos)
		return;
	o->target.damos = NULL;
	if (o->arm->scheme.wants_regions)
		record_regions(o);
	if (damos_stop(o->damos, &last))
		one_event(o, "damos", err_last());
	o->damos = NULL;
	text = xasprintf("stopped: %.0f regions tried, %.0f applied",
			 (double)last.stats.nr_tried,
			 (double)last.stats.nr_applied);
	one_event(o, "damos", text);
}
