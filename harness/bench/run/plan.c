/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/plan.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guard/settings.h"
#include "bench/load/settle.h"
#include "kern/damon_module.h"
#include "kern/knobs.h"

void plan_make(unsigned int blocks, size_t n_arms, uint64_t seed,
	       struct plan *out)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	auto_free size_t *order = xcalloc(n_arms + 1, sizeof(*order));

	/* mt19937 looks at 32 bits of a seed: let all 64 count. */
	gsl_rng_set(rng, (uint32_t)(seed ^ seed >> 32));
	*out = (struct plan){ 0 };
	for (size_t i = 0; i < n_arms; i++)
		order[i] = i;
	for (unsigned int block = 1; block <= blocks; block++) {
		gsl_ran_shuffle(rng, order, n_arms, sizeof(*order));
		for (size_t i = 0; i < n_arms; i++) {
			XGROW(out->runs, out->n);
			out->runs[out->n] = (struct planned){
				.number = (unsigned int)out->n + 1,
				.block = block,
				.arm = order[i],
			};
			out->n++;
		}
	}
	gsl_rng_free(rng);
}

void plan_keep_shard(struct plan *plan, const struct shard *shard)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n; i++)
		if (shard_has(shard, plan->runs[i].block))
			plan->runs[n++] = plan->runs[i];
	plan->n = n;
}

void plan_free(struct plan *plan)
{
	free(plan->runs);
	*plan = (struct plan){ 0 };
}

uint64_t plan_run_least_ns(const struct config *c)
{
	const struct workload_config *w = &c->workload;
	uint64_t settle = SETTLE_WINDOW_S * NUM_NS_PER_S;

	if (!w->settle_until_stable || settle > w->settle_ns)
		settle = w->settle_ns;
	return w->load_ns + settle + w->measure_ns + points_least_ns(c);
}

uint64_t plan_run_most_ns(const struct config *c)
{
	const struct workload_config *w = &c->workload;

	return w->load_ns + w->settle_ns + w->measure_ns + points_most_ns(c);
}

/* The files that any arm writes, and what writing them changes, in order. */
static void collect_files(const struct config *c, struct settings *out)
{
	bool writes_thp = false;

	for (size_t a = 0; a < c->n_arms; a++) {
		for (size_t k = 0; k < c->arms[a].n_knobs; k++) {
			const char *path = c->arms[a].knobs[k].path;

			settings_add(out, path);
			writes_thp |= knob_rank(path) == KNOB_THP;
		}
	}
	if (writes_thp)
		settings_add(out, "proc/sys/vm/min_free_kbytes");
	settings_sort(out);
}

static const char *value_of(const struct arm *arm, const char *path)
{
	for (size_t i = 0; i < arm->n_knobs; i++)
		if (str_eq(arm->knobs[i].path, path))
			return arm->knobs[i].value;
	return NULL;
}

static void add_write(struct plan_writes *w, const char *path,
		      const char *value)
{
	XGROW(w->list, w->n);
	w->list[w->n++] = (struct plan_write){
		.path = xstrdup(path),
		.value = xstrdup(value),
	};
}

void plan_writes(const struct config *config, size_t arm,
		 struct plan_writes *out)
{
	const struct server_config *sc = &config->server;
	struct settings_command commands[2];
	size_t n = settings_commands(sc->drop_caches, sc->compact_memory,
				     commands);
	struct settings files = { 0 };

	*out = (struct plan_writes){ 0 };
	collect_files(config, &files);
	for (size_t i = 0; i < files.n; i++)
		add_write(out, files.list[i].path,
			  value_of(&config->arms[arm], files.list[i].path));
	for (size_t i = 0; knobs_damon_users[i]; i++) {
		add_write(out, knobs_damon_users[i], "N");
		out->list[out->n - 1].if_on = true;
	}
	for (size_t i = 0; i < n; i++)
		add_write(out, commands[i].path, commands[i].value);
	settings_free(&files);
}

void plan_writes_free(struct plan_writes *writes)
{
	for (size_t i = 0; i < writes->n; i++) {
		free(writes->list[i].path);
		free(writes->list[i].value);
	}
	free(writes->list);
	*writes = (struct plan_writes){ 0 };
}

/* The goal of ours, as a kernel is told that knows the metric. */
static struct damon_goal goal_of(const struct damos_config *c)
{
	static char words[][16] = { "hugepage_mem_bp", "user_input" };

	return (struct damon_goal){
		.metric = words[c->goal == DAMOS_GOAL_PROCESS],
		.target = c->goal_bp,
		.nid = -1,
	};
}

void plan_scheme(const struct config *config, size_t arm,
		 struct damon_writes *start, struct damon_writes *stop)
{
	const struct damos_config *c = &config->arms[arm].scheme;
	struct damon_goal goal = goal_of(c);
	auto_free struct damon_setup *setups =
		xcalloc(c->n_kdamonds, sizeof(*setups));

	*start = (struct damon_writes){ 0 };
	*stop = (struct damon_writes){ 0 };
	if (!c->is_used)
		return;
	if (c->by == DAMOS_BY_MODULE) {
		struct damon_module module;

		/* Nothing of the system is looked at. */
		damon_module_unknown(&module);
		damon_module_plan(&module, &c->setup, c->goal_bp, start);
		damon_module_plan_stop(&module, stop);
		damon_module_free(&module);
		return;
	}
	for (unsigned int k = 0; k < c->n_kdamonds; k++) {
		setups[k] = c->setup;
		/* The share of each is for the run to say. */
		if (c->n_kdamonds > 1)
			setups[k].n_regions = 0;
		if (c->goal_bp) {
			setups[k].scheme.goals = &goal;
			setups[k].scheme.n_goals = 1;
		}
	}
	damon_plan(setups, c->n_kdamonds, start);
	damon_plan_stop(c->n_kdamonds, stop);
}
