/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/counted.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/column.h"
#include "data/need.h"
#include "data/rule.h"

const char *counted_fact(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->n_counters; i++)
		if (str_eq(run->counters[i].kind, COUNTER_FACT) &&
		    str_eq(run->counters[i].role, name))
			return run->counters[i].text;
	return "";
}

static double limit_pct(const struct run *run)
{
	double limit;

	if (num_double(counted_fact(run, COUNTER_LIMIT), &limit))
		return COUNTED_LIMIT_PCT;
	return limit;
}

static bool is_event(const struct counter_record *r, const char *group,
		     const char *role)
{
	return str_eq(r->kind, COUNTER_EVENT) && str_eq(r->role, role) &&
	       (!group || str_eq(r->group, group));
}

static bool has_role(const struct run *run, const char *group, const char *role)
{
	for (size_t i = 0; i < run->n_counters; i++)
		if (is_event(&run->counters[i], group, role))
			return true;
	return false;
}

/* --- was it on the PMU? --- */

/* How long a group should have counted in the window, and how long it did. */
struct times {
	double enabled_ns;
	double running_ns;
};

static bool times_of(const struct window *w, const char *group,
		     struct value *out, struct times *times)
{
	auto_free char *enabled =
		xasprintf(COL_COUNTER "%s_" COL_ENABLED, group);
	auto_free char *running =
		xasprintf(COL_COUNTER "%s_" COL_RUNNING, group);
	struct ticks_span span;

	if (!ticks_delta(w, enabled, false, out, &span))
		return false;
	times->enabled_ns = span.delta;
	if (!ticks_delta(w, running, false, out, &span))
		return false;
	times->running_ns = span.delta;
	return true;
}

/* What a count of the group is to be multiplied with. */
static bool scale_of(const struct window *w, const char *group,
		     struct value *out, double *scale)
{
	double least = limit_pct(w->run);
	struct times t;
	double pct;

	if (!times_of(w, group, out, &t))
		return false;
	if (!(t.enabled_ns > 0)) {
		value_miss(out,
			   "group %s: nothing of what it counts had a CPU "
			   "in the window",
			   group);
		return false;
	}
	if (!(t.running_ns > 0)) {
		value_miss(out,
			   "group %s was never on the PMU: others hold "
			   "its counters, or it needs more than there are",
			   group);
		return false;
	}
	pct = 100 * t.running_ns / t.enabled_ns;
	if (pct < least) {
		value_miss(out,
			   "multiplexed: group %s was on the PMU %.1f %% "
			   "of the time, less than %g %%",
			   group, pct, least);
		return false;
	}
	*scale = t.enabled_ns / t.running_ns;
	return true;
}

double counted_running_pct(const struct run *run, const char *group)
{
	struct value none = { 0 };
	struct window w;
	struct times t;
	bool is_there;

	window_find(run, &w);
	is_there = times_of(&w, group, &none, &t);
	free(none.why);
	return is_there && t.enabled_ns > 0 ? 100 * t.running_ns / t.enabled_ns
					    : (double)NAN;
}

/* --- does the PMU have it? --- */

/* The last that a column of the run says; NAN: nothing. */
static double last_of(const struct run *run, const char *column)
{
	const struct series *s = &run->samples;
	int col = series_column(s, column);

	for (size_t i = s->n_rows; i-- > 0;) {
		double cell = series_at(s, i, col);

		if (isfinite(cell))
			return cell;
	}
	return NAN;
}

/* PERF_TYPE_SOFTWARE is 1 (linux/perf_event.h): these are the kernel's own. */
static bool is_software(const struct counter_record *r)
{
	return str_starts(r->code, "1:");
}

/* "dtlb_walk_2m": walks of one page size, of which there may be none. */
static bool is_part(const char *role)
{
	const char *size = strstr(role, "_walk_");

	return size && size[6] >= '0' && size[6] <= '9';
}

/* Did another event of the group count, so that the PMU was at work? */
static bool has_counted(const struct run *run, const char *group)
{
	for (size_t i = 0; i < run->n_counters; i++) {
		const struct counter_record *r = &run->counters[i];

		if (str_eq(r->kind, COUNTER_EVENT) && str_eq(r->group, group) &&
		    last_of(run, r->column) > 0)
			return true;
	}
	return false;
}

static bool is_supported(const struct run *run, const struct counter_record *r)
{
	return is_software(r) || last_of(run, r->column) > 0 ||
	       (is_part(r->role) && has_counted(run, r->group));
}

/* --- roles --- */

/* An event that was refused says why. */
static bool is_open(const struct run *run, const char *group, const char *role,
		    struct value *out)
{
	for (size_t i = 0; i < run->n_counters; i++) {
		const struct counter_record *r = &run->counters[i];

		if (!is_event(r, group, role) || *r->column)
			continue;
		value_miss(out, "%s", r->text);
		return false;
	}
	return true;
}

/* The events of a role in a group, added up and not yet scaled. */
static bool sum_up(const struct window *w, const char *group, const char *role,
		   struct value *out, struct counted *got)
{
	const struct run *run = w->run;

	got->number = 0;
	for (size_t i = 0; i < run->n_counters; i++) {
		const struct counter_record *r = &run->counters[i];
		struct ticks_span span;

		if (!is_event(r, group, role))
			continue;
		if (!ticks_delta(w, r->column, false, out, &span))
			return false;
		if (!is_supported(run, r)) {
			value_miss(out,
				   "unsupported: %s (%s) counted nothing "
				   "in the whole run",
				   r->event, r->code);
			return false;
		}
		got->number += span.delta;
		got->seconds =
			window_time(w, span.to) - window_time(w, span.from);
	}
	return true;
}

/* A group that has all that is asked for. */
static bool take_from(const struct window *w, const char *group,
		      const char *const roles[2], struct value *out,
		      struct counted got[2])
{
	double scale;

	for (size_t i = 0; i < 2 && roles[i]; i++)
		if (!is_open(w->run, group, roles[i], out))
			return false;
	/* What was never on the PMU has counted nothing: that first. */
	if (!scale_of(w, group, out, &scale))
		return false;
	for (size_t i = 0; i < 2 && roles[i]; i++) {
		if (!sum_up(w, group, roles[i], out, &got[i]))
			return false;
		got[i].number *= scale;
	}
	return true;
}

/* No group has them all. */
static void miss_role(const struct window *w, const char *const roles[2],
		      struct value *out)
{
	const struct run *run = w->run;

	for (size_t i = 0; i < 2 && roles[i]; i++) {
		auto_free char *column = xasprintf(COL_COUNTER "%s", roles[i]);

		if (has_role(run, NULL, roles[i]))
			continue;
		for (size_t j = 0; j < run->n_counters; j++)
			if (str_eq(run->counters[j].kind, COUNTER_MISSING) &&
			    str_eq(run->counters[j].role, roles[i]))
				value_miss(out, "%s", run->counters[j].text);
		value_miss_sampled(w, column, "was not counted", out);
		return;
	}
	value_miss(out, "no group counts both %s and %s", roles[0], roles[1]);
}

bool counted_take(const struct window *w, const char *role, const char *other,
		  struct value *out, struct counted got[2])
{
	const char *const roles[2] = { role, other };
	const struct run *run = w->run;
	const char *tried = NULL;

	for (size_t i = 0; i < run->n_counters; i++) {
		const struct counter_record *r = &run->counters[i];
		struct value first = { 0 };

		if (!is_event(r, NULL, role) || str_eq(tried, r->group) ||
		    (other && !has_role(run, r->group, other)))
			continue;
		tried = r->group;
		if (take_from(w, r->group, roles, &first, got)) {
			free(first.why);
			return true;
		}
		value_miss(out, "%s", first.why);
		free(first.why);
	}
	if (!tried)
		miss_role(w, roles, out);
	return false;
}
