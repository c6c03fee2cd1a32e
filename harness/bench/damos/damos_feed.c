/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme while it runs: feeding its goal, and what it says. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"
#include "kern/procstat.h"

uint64_t damos_next_ns(const struct damos *d)
{
	return d ? d->next_ns : UINT64_MAX;
}

static bool has_goal(const struct damos *d)
{
	return d->config->goal != DAMOS_GOAL_NONE;
}

static bool has_quota(const struct damos *d)
{
	const struct damon_scheme *s = &d->config->setup.scheme;

	return s->quota_ms || s->quota_bytes || has_goal(d);
}

/* Has any stopped by itself? Printed, with what can be known of why. */
static int check_alive(const struct damos *d)
{
	auto_free char *path = xasprintf("proc/%d", (int)d->target);

	if (d->module.dir)
		return damos_module_check_alive(d);
	for (size_t k = 0; k < d->owned.n; k++) {
		int is_on = damon_is_on(d->root, k);

		/* Somebody reads along: it is looked at again. */
		if (is_on == 1 || is_on == -EBUSY)
			continue;
		if (is_on == -ENOENT)
			return refuse(-ESRCH,
				      "kdamond %zu is gone: somebody else set "
				      "up DAMON anew",
				      k);
		return refuse(-ESRCH, "kdamond %zu stopped by itself: %s", k,
			      root_exists(d->root, path)
				      ? "the process that it watched is still "
					"there; see the kernel's log"
				      : "the process that it watched has "
					"ended");
	}
	return 0;
}

/* --- the tuner --- */

static void saw_quota(struct damos *d, struct kdamond *one, uint64_t t_ns,
		      uint64_t bytes)
{
	if (!d->is_predicted) {
		one->tune.observed = bytes;
		one->tune.has_observed = true;
		one->tune.n_windows++;
		return;
	}
	damos_tune_window(&one->tune, &d->scores, t_ns, bytes);
	if (!d->is_fed)
		damos_tune_follow(&one->tune);
}

static void on_event(void *arg, const struct trace_event *e)
{
	struct damos *d = arg;
	uint64_t bytes;

	for (size_t k = 0; k < d->owned.n; k++) {
		if (d->list[k].pid != e->pid)
			continue;
		if (!str_eq(e->name, "damos_esz"))
			damos_tune_quiet(&d->list[k].tune, &d->scores, e->t_ns);
		else if (!trace_event_u64(e, "esz", &bytes))
			saw_quota(d, &d->list[k], e->t_ns, bytes);
	}
}

/* How many windows can have begun since the quota was last asked for. */
static unsigned int most_windows(const struct damos *d, uint64_t until_ns)
{
	return until_ns <= d->asked_ns
		       ? 0
		       : (unsigned int)((until_ns - d->asked_ns) /
					d->period_ns) +
				 1;
}

static int ask_one(struct damos *d, size_t k, uint64_t now)
{
	struct damos_tune *tune = &d->list[k].tune;
	uint64_t bytes;
	int ret = damos_command(d->root, k, "update_schemes_effective_quotas");

	/* Up to 6.8 the kernel does not know the word. */
	if (ret == -EINVAL)
		return 0;
	if (!ret)
		ret = damon_effective_read(d->root, k, &bytes);
	if (ret)
		return ret;
	if (d->is_predicted) {
		damos_tune_poll(tune, &d->scores,
				most_windows(d, d->scores.to_ns),
				most_windows(d, now), bytes);
		if (!d->is_fed)
			damos_tune_follow(tune);
		return 0;
	}
	tune->observed = bytes;
	tune->has_observed = true;
	return 0;
}

/*
 * Of a quota that has not changed since the first window the tracepoint may
 * say nothing (up to Linux 7.1): it is asked for then, once.
 */
static int look_by_trace(struct damos *d)
{
	uint64_t n_lost = d->trace.n_lost;
	uint64_t now = clock_ns();
	bool is_late = now > d->asked_ns + 2 * d->period_ns;
	int ret = tracefs_read(&d->trace, on_event, d);

	for (size_t k = 0; k < d->owned.n && !ret; k++) {
		struct damos_tune *tune = &d->list[k].tune;

		if (!d->sees_applies)
			damos_tune_quiet(tune, &d->scores, now);
		if (d->trace.n_lost > n_lost)
			damos_tune_follow(tune);
		if (is_late && !tune->has_observed)
			ret = ask_one(d, k, now);
	}
	return ret;
}

static int look_by_asking(struct damos *d)
{
	uint64_t now = clock_ns();
	int ret = 0;

	for (size_t k = 0; k < d->owned.n && !ret; k++)
		ret = ask_one(d, k, now);
	d->asked_ns = now;
	return ret;
}

int damos_look(struct damos *d)
{
	if (d->module.dir)
		return 0;
	if (d->trace.fd >= 0)
		return look_by_trace(d);
	return has_quota(d) ? look_by_asking(d) : 0;
}

/* Tell the kernel where the goal's metric is now. */
static int feed_all(struct damos *d, uint64_t bp)
{
	auto_free char *value = xasprintf("%" PRIu64, bp);
	uint64_t from = clock_ns();
	int ret = 0;

	for (size_t k = 0; k < d->owned.n && !ret; k++) {
		auto_free char *path =
			xasprintf(DAMON_ROOT "/%zu/contexts/0/schemes/0/quotas/"
					     "goals/0/current_value",
				  k);

		ret = damos_put(d->root, path, value);
		if (!ret)
			ret = damos_command(d->root, k,
					    "commit_schemes_quota_goals");
	}
	if (!ret)
		damos_scores_set(&d->scores, damon_score_bp(bp, d->goal.target),
				 from, clock_ns());
	return ret;
}

/* *took_ns: from reading the metric until the kernel had it. */
static int feed_once(struct damos *d, uint64_t *took_ns)
{
	uint64_t from = clock_ns();
	uint64_t bp;
	int ret = damos_goal_read(d->root, d->config->goal, d->target, &bp);

	*took_ns = 0;
	if (ret)
		return fail(ret, "read the goal's metric");
	d->current_bp = (double)bp;
	if (!d->is_fed) {
		damos_scores_set(&d->scores, damon_score_bp(bp, d->goal.target),
				 0, 0);
		return 0;
	}
	ret = feed_all(d, bp);
	*took_ns = clock_ns() - from;
	if (*took_ns > d->feed_ns)
		d->feed_ns = *took_ns;
	if (ret == -ECANCELED && check_alive(d))
		return -ESRCH; /* printed */
	return ret ? fail(ret, "feed the goal of DAMON's scheme") : 0;
}

/*
 * A kdamond that is at work takes the value when it has done, and what it did
 * is not in it: then once more, before the next window takes the old one.
 */
static int feed_goal(struct damos *d)
{
	enum { MOST_FEEDS = 3 };
	uint64_t took_ns;
	int ret = feed_once(d, &took_ns);

	for (unsigned int i = 1;
	     i < MOST_FEEDS && !ret && took_ns > d->period_ns / 4; i++) {
		/* Windows under the score that is forgotten now. Where that
		 * fails the next period says why. */
		if (damos_look(d))
			break;
		ret = feed_once(d, &took_ns);
	}
	return ret;
}

/*
 * Once a period; where it is known when the kernel's windows begin, half way
 * between them, so that it is certain which score each of them had.
 */
static void set_next(struct damos *d)
{
	uint64_t window_ns = d->list[0].tune.window_ns;
	uint64_t now = clock_ns();

	d->next_ns += d->period_ns;
	if (window_ns)
		d->next_ns = window_ns + d->period_ns + d->period_ns / 2;
	while (d->next_ns < now + d->period_ns / 4)
		d->next_ns += d->period_ns;
}

int damos_feed(struct damos *d)
{
	int ret = check_alive(d);

	if (!ret && has_goal(d))
		ret = damos_look(d);
	set_next(d);
	if (!has_goal(d) || ret == -ESRCH)
		return ret;
	if (ret == -ECANCELED && check_alive(d))
		return -ESRCH; /* printed */
	if (ret)
		return fail(ret, "read the quota of DAMON's scheme");
	return d->goal.metric ? feed_goal(d) : 0;
}

/* --- samples --- */

static void add_stats(struct damon_stats *sum, const struct damon_stats *one)
{
	sum->nr_tried += one->nr_tried;
	sum->sz_tried_bytes += one->sz_tried_bytes;
	sum->nr_applied += one->nr_applied;
	sum->sz_applied_bytes += one->sz_applied_bytes;
	sum->qt_exceeds += one->qt_exceeds;
	sum->nr_snapshots += one->nr_snapshots;
	sum->effective_bytes += one->effective_bytes;
	sum->has_snapshots |= one->has_snapshots;
	sum->has_effective |= one->has_effective;
}

static int sample_stats(const struct damos *d, struct damon_stats *sum)
{
	int ret = 0;

	*sum = (struct damon_stats){ 0 };
	for (size_t k = 0; k < d->owned.n && !ret; k++) {
		struct damon_stats one;

		if (!d->is_refreshed)
			ret = damos_command(d->root, k, "update_schemes_stats");
		else if (damon_is_on(d->root, k) == 0)
			ret = -ECANCELED;
		if (!ret)
			ret = damon_stats_read(d->root, k, &one);
		if (!ret)
			add_stats(sum, &one);
	}
	return ret;
}

static void sample_quota(const struct damos *d, struct damos_sample *out)
{
	out->quota_bytes = 0;
	out->predicted_bytes = d->is_predicted ? 0 : NAN;
	out->worst_error_pct =
		d->is_predicted && d->list[0].tune.has_observed ? 0 : NAN;
	out->n_windows = has_goal(d) && !d->module.dir ? 0 : NAN;
	for (size_t k = 0; k < d->owned.n; k++) {
		const struct damos_tune *t = &d->list[k].tune;
		double nothing = t->has_observed ? 0 : NAN;

		out->quota_bytes += nothing + (double)t->observed;
		out->predicted_bytes += nothing + (double)t->predicted;
		if (out->worst_error_pct + nothing < t->worst_error_pct)
			out->worst_error_pct = t->worst_error_pct;
		out->n_windows += (double)t->n_windows;
	}
}

static void sample_goal(const struct damos *d, struct damos_sample *out)
{
	const struct damon_scheme *s = &d->config->setup.scheme;

	out->goal_current_bp = d->current_bp;
	out->goal_target_bp = NAN;
	if (d->goal.metric)
		out->goal_target_bp = (double)d->goal.target;
	else if (s->n_goals)
		out->goal_target_bp = (double)s->goals[0].target;
}

static double cpu_seconds(const struct damos *d)
{
	double sum = 0;

	for (size_t k = 0; k < d->owned.n; k++) {
		double seconds;

		if (!d->list[k].pid)
			return NAN; /* a module that does not tell */
		if (procstat_cpu_s(d->root, d->list[k].pid, &seconds))
			return NAN;
		sum += seconds;
	}
	return sum;
}

int damos_sample(struct damos *d, struct damos_sample *out)
{
	struct damos_sample now = {
		.has_stats = !d->module.dir,
		.kdamond_cpu_s = cpu_seconds(d),
	};
	int ret = now.has_stats ? sample_stats(d, &now.stats) : 0;

	/* To ask costs time: with a goal that is done once an interval. */
	if (!ret && (!has_goal(d) || d->trace.fd >= 0))
		ret = damos_look(d);
	if (ret)
		return ret;
	sample_quota(d, &now);
	sample_goal(d, &now);
	now.feed_s = d->is_fed ? (double)d->feed_ns / (double)NUM_NS_PER_S
			       : (double)NAN;
	d->last = now;
	*out = now;
	return 0;
}
