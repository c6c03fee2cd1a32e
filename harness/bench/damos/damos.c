/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/damos/damos.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"
#include "bench/guard/journal.h"

#define NATIVE "hugepage_mem_bp"
#define ESZ_EVENT "damon/damos_esz"
#define APPLY_EVENT "damon/damos_stat_after_apply_interval"

/* How often to look whether kdamonds live, where nothing else is to do. */
static const uint64_t idle_period_ns = NUM_NS_PER_S;
/* A goal is not fed more often than this, however short its interval. */
static const uint64_t least_period_ns = 50 * NUM_NS_PER_MS;

static bool is_ours_to_read(enum damos_goal goal)
{
	return goal == DAMOS_GOAL_SYSTEM || goal == DAMOS_GOAL_PROCESS;
}

static void damos_free(struct damos *d)
{
	tracefs_close(&d->trace);
	damon_module_free(&d->module);
	settings_free(&d->module_before);
	free(d->goal.metric);
	free(d->list);
	free(d);
}

static struct damos *make(const struct root *root, const struct damos_config *c,
			  pid_t pid)
{
	const struct damon_scheme *s = &c->setup.scheme;
	size_t n = c->n_kdamonds ? c->n_kdamonds : 1;
	struct damos *d = xcalloc(1, sizeof(*d));

	*d = (struct damos){
		.root = root,
		.config = c,
		.target = pid,
		.owned = { n, pid, c->setup.ops },
		.list = xcalloc(n, sizeof(*d->list)),
		.is_predicted = is_ours_to_read(c->goal) && !s->quota_ms,
		.current_bp = NAN,
		.trace = TRACEFS_CLOSED,
		.period_ns = idle_period_ns,
	};
	if (c->goal != DAMOS_GOAL_NONE)
		d->period_ns = s->quota_reset_ms * NUM_NS_PER_MS;
	if (d->period_ns < least_period_ns)
		d->period_ns = least_period_ns;
	for (size_t k = 0; k < n; k++)
		d->list[k].tune = (struct damos_tune){
			.tuner = s->tuner,
			.quota_bytes = s->quota_bytes,
			.reset_ns = s->quota_reset_ms * NUM_NS_PER_MS,
			.start_ns = clock_ns(),
		};
	return d;
}

/* Does the kernel have the metric itself? Tried on a kdamond of its own. */
static int ask_native(struct damos *d)
{
	int ret = damos_stage(d->root);

	if (ret)
		return fail(ret, "set up DAMON to try its metrics");
	ret = damos_try(d->root, "quotas/goals/0/target_metric", NATIVE);
	if (ret && ret != -EINVAL && ret != -ENOENT)
		return fail(ret, "try " NATIVE " as a metric of DAMON's");
	d->is_fed = ret != 0;
	return 0;
}

static int choose_goal(struct damos *d)
{
	const struct damos_config *c = d->config;
	uint64_t bp;
	int ret = 0;

	if (!is_ours_to_read(c->goal))
		return 0;
	d->is_fed = true;
	if (c->goal == DAMOS_GOAL_SYSTEM)
		ret = ask_native(d);
	if (ret)
		return ret;
	ret = damos_goal_read(d->root, c->goal, d->target, &bp);
	if (ret)
		return fail(ret, "read the goal's metric");
	d->current_bp = (double)bp;
	d->goal = (struct damon_goal){
		.metric = xstrdup(d->is_fed ? "user_input" : NATIVE),
		.target = c->goal_bp,
		.current = bp,
		.nid = -1,
	};
	damos_scores_set(&d->scores, damon_score_bp(bp, c->goal_bp), 0, 0);
	return 0;
}

/* A tracepoint tells every quota; without, the kernel is asked for it. */
static void open_trace(struct damos *d, struct journal *journal)
{
	enum { BUFFER_KB = 256 };
	auto_free char *path = xasprintf(TRACEFS_INSTANCES "/thpbench.%d.damos",
					 (int)getpid());

	if (d->config->goal == DAMOS_GOAL_NONE || tracefs_probe(d->root) ||
	    !tracefs_has(d->root, ESZ_EVENT) || journal_trace(journal, path) ||
	    tracefs_open(d->root, path, BUFFER_KB, &d->trace))
		return;
	if (tracefs_enable(&d->trace, ESZ_EVENT))
		tracefs_close(&d->trace);
	else
		d->sees_applies = !tracefs_enable(&d->trace, APPLY_EVENT);
}

static int write_plan(const struct damos *d, const struct damon_setup *setups)
{
	struct damon_writes w;
	int ret = 0;

	damon_plan(setups, d->owned.n, &w);
	for (size_t i = 0; i < w.n && !ret; i++) {
		const struct damon_write *one = &w.list[i];

		ret = damos_put(d->root, one->path, one->value);
		if (ret == -ENOENT && one->is_optional)
			ret = 0;
		if (ret) {
			auto_free char *why = damos_refusal(one, ret);

			refuse(ret, "%s", why);
		}
	}
	damon_writes_free(&w);
	return ret;
}

static int set_up(struct damos *d, struct journal *journal,
		  struct damon_setup **setups)
{
	int ret =
		journal_kdamonds(journal, d->owned.n, d->target, d->owned.ops);

	if (!ret)
		ret = choose_goal(d);
	if (!ret)
		ret = damos_setups(d, setups);
	if (ret)
		return ret;
	open_trace(d, journal);
	return write_plan(d, *setups);
}

/* The module knows the metric; what it is now is read by us. */
static int start_module(struct damos *d, struct journal *journal, char **how)
{
	uint64_t bp;
	int ret = damos_module_start(d, journal);

	if (ret)
		return ret;
	d->is_predicted = false;
	d->goal = (struct damon_goal){
		.metric = xstrdup(NATIVE),
		.target = d->config->goal_bp,
		.nid = -1,
	};
	if (!damos_goal_read(d->root, d->config->goal, d->target, &bp))
		d->current_bp = (double)bp;
	*how = xasprintf("collapse by the module of /%s on pid %d; goal " NATIVE
			 " %" PRIu64 " by the module",
			 d->module.dir, (int)d->target, d->goal.target);
	return 0;
}

static void tell_goal(const struct damos *d, struct str *out)
{
	static const char *const names[] = {
		[DAMOS_GOAL_NONE] = "",
		[DAMOS_GOAL_SYSTEM] = NATIVE,
		[DAMOS_GOAL_PROCESS] = "process_huge_bp",
		[DAMOS_GOAL_KERNEL] = "",
	};
	const struct damon_scheme *s = &d->config->setup.scheme;

	if (d->config->goal == DAMOS_GOAL_NONE)
		return;
	if (!d->goal.metric && s->n_goals)
		str_addf(out, "; goal %s %" PRIu64 " by the kernel",
			 s->goals[0].metric, s->goals[0].target);
	else if (d->is_fed)
		str_addf(out,
			 "; goal %s %" PRIu64 " by user_input, fed each "
			 "%" PRIu64 " ms",
			 names[d->config->goal], d->goal.target,
			 d->period_ns / NUM_NS_PER_MS);
	else
		str_addf(out, "; goal " NATIVE " %" PRIu64 " by the kernel",
			 d->goal.target);
	str_addf(out, "; tuner %s", s->tuner ? s->tuner : "of the kernel");
	str_add(out, d->trace.fd >= 0 ? "; quotas by the tracepoint " ESZ_EVENT
				      : "; quotas by asking for them");
}

static char *tell(const struct damos *d, const struct damon_setup *setups)
{
	struct str text = { 0 };
	uint64_t bytes = 0;
	size_t n_ranges = 0;

	for (size_t k = 0; k < d->owned.n; k++)
		for (size_t i = 0; i < setups[k].n_regions; i++) {
			const struct damon_range *r = &setups[k].regions[i];

			bytes += r->max - r->min;
			n_ranges++;
		}
	str_addf(&text, "%s by %zu kdamond%s, %s of pid %d",
		 d->config->setup.scheme.action, d->owned.n,
		 d->owned.n == 1 ? "" : "s", d->owned.ops, (int)d->target);
	if (n_ranges)
		str_addf(&text, ", %.1f MiB in %zu range%s",
			 (double)bytes / (double)NUM_MIB, n_ranges,
			 n_ranges == 1 ? "" : "s");
	tell_goal(d, &text);
	return str_steal(&text);
}

static int start_sysfs(struct damos *d, struct journal *journal, char **how)
{
	struct damon_setup *setups = NULL;
	int ret = set_up(d, journal, &setups);

	if (ret) {
		damos_take_away(d->root, &d->owned);
	} else {
		for (size_t k = 0; k < d->owned.n; k++)
			d->list[k].pid = damon_pid(d->root, k);
		d->is_refreshed =
			setups[0].has_refresh && setups[0].refresh_ms &&
			root_exists(d->root, DAMON_ROOT "/0/refresh_ms");
		*how = tell(d, setups);
	}
	damos_setups_free(setups, d->owned.n);
	return ret;
}

int damos_start(const struct root *root, const struct damos_config *c,
		pid_t pid, struct journal *journal, struct damos **out,
		char **how)
{
	bool is_module = c->by == DAMOS_BY_MODULE;
	auto_free char *why = NULL;
	struct damos *d;
	int ret = is_module ? damos_module_probe(root, &why)
			    : damos_free_to_use(root, &why);

	*out = NULL;
	*how = NULL;
	if (ret)
		return refuse(ret, "%s", why);
	d = make(root, c, pid);
	ret = is_module ? start_module(d, journal, how)
			: start_sysfs(d, journal, how);
	if (ret) {
		damos_module_stop(d);
		damos_free(d);
		return ret;
	}
	d->asked_ns = clock_ns();
	d->next_ns = d->asked_ns + d->period_ns;
	*out = d;
	return 0;
}

int damos_stop(struct damos *d, struct damos_sample *last)
{
	int ret;

	if (!d)
		return 0;
	/* What can be had: it may have stopped by itself. */
	d->is_refreshed = false;
	damos_look(d);
	damos_sample(d, &d->last);
	if (last)
		*last = d->last;
	ret = d->module.dir ? damos_module_stop(d)
			    : damos_take_away(d->root, &d->owned);
	damos_free(d);
	return ret < 0 ? ret : 0;
}
