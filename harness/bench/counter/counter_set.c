/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/counter_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guard/halt.h"
#include "bench/guard/journal.h"
#include "data/column.h"

static const uint64_t halt_limit_ns = 5 * NUM_NS_PER_S;

static void choose_groups(struct counter_set *s, unsigned int block)
{
	auto_free bool *is_on = xcalloc(s->plan.n_groups + 1, sizeof(*is_on));

	s->turn = s->config->rotate && block ? block - 1 : 0;
	s->n_turns = counter_turn(&s->plan, s->turn, is_on);
	s->turn %= s->n_turns;
	s->live = xcalloc(s->plan.n_groups + 1, sizeof(*s->live));
	for (size_t i = 0; i < s->plan.n_groups; i++)
		s->live[i].is_on = is_on[i];
}

int counter_set_make(const struct root *root, const struct config *config,
		     unsigned int block, struct counter_set *out)
{
	const struct collect_config *c = &config->collect;
	const struct counter_ask ask = {
		.root = root,
		.folder = c->events,
		.cpus = config->server.cpus,
		.is_software = c->counters == COUNTERS_SOFTWARE,
		.level = c->level,
	};
	int ret;

	*out = (struct counter_set){ .root = root, .config = c };
	ret = c->counters_from ? counter_replay_read(c->counters_from,
						     &out->plan, &out->replay)
			       : counter_plan_make(&ask, &out->plan);
	if (!ret)
		choose_groups(out, block);
	return ret;
}

int counter_set_check(const struct root *root, const struct config *config)
{
	struct counter_set s = { 0 };
	int ret = config->collect.counters == COUNTERS_NONE
			  ? 0
			  : counter_set_make(root, config, 1, &s);

	if (!ret)
		counter_set_free(&s);
	return ret;
}

void counter_set_free(struct counter_set *s)
{
	for (size_t i = 0; s->live && i < s->plan.n_groups; i++) {
		perf_close(s->live[i].perf);
		free(s->live[i].why);
	}
	free(s->live);
	counter_replay_free(s->replay);
	counter_plan_free(&s->plan);
	*s = (struct counter_set){ 0 };
}

void counter_set_open_group(struct counter_set *s, size_t i,
			    const struct perf_target *target)
{
	const struct counter_group *g = &s->plan.groups[i];
	struct counter_live *live = &s->live[i];
	struct perf_code codes[PERF_MOST_EVENTS];
	size_t at;
	int ret;

	if (!live->is_on || live->perf)
		return;
	for (size_t k = 0; k < g->n && k < PERF_MOST_EVENTS; k++)
		codes[k] = g->events[k].code;
	ret = perf_open(target, codes, g->n, &live->perf, &at);
	free(live->why);
	live->why = ret ? perf_why(s->root, ret, g->events[at].name) : NULL;
}

void counter_set_open(struct counter_set *s, const struct perf_target *target)
{
	if (s->replay) {
		s->began_ns = clock_ns();
		return;
	}
	for (size_t i = 0; i < s->plan.n_groups; i++)
		counter_set_open_group(s, i, target);
}

void counter_set_refuse(struct counter_set *s, char *why)
{
	for (size_t i = 0; i < s->plan.n_groups; i++) {
		if (!s->live[i].is_on || s->live[i].perf)
			continue;
		free(s->live[i].why);
		s->live[i].why = xstrdup(why);
	}
	free(why);
}

static void refuse_gone(struct counter_set *s)
{
	counter_set_refuse(s, perf_why(s->root, -ESRCH, "the process"));
}

/* Its folder cannot be read: it has ended. */
static void attach(struct counter_set *s, pid_t pid)
{
	struct perf_target target = { .scope = PERF_TASKS };
	auto_free pid_t *tids = NULL;

	if (perf_tasks(s->root, pid, &tids, &target.n_tids)) {
		refuse_gone(s);
		return;
	}
	target.tids = tids;
	counter_set_open(s, &target);
}

/* Why a process could not be stopped for a moment. free() it. */
static char *why_not_halted(int err)
{
	return xasprintf("the process cannot be stopped while its counters "
			 "are opened: %s",
			 err == -ETIMEDOUT ? "a thread of it did not stop in "
					     "time"
					   : strerror(-err));
}

/* The same, with the process stopped. */
static void attach_halted(struct counter_set *s, struct journal *j, pid_t pid)
{
	int ret = j ? journal_halted(j, pid) : 0;
	bool is_halted = false;

	if (!ret) {
		ret = halt(s->root, pid, halt_limit_ns);
		is_halted = ret == 0;
	}
	if (ret >= 0)
		attach(s, pid);
	else if (ret == -ESRCH)
		refuse_gone(s);
	else
		counter_set_refuse(s, why_not_halted(ret));
	if (is_halted)
		halt_end(pid);
	/* Whoever stops it later has his reasons. */
	if (j)
		journal_going(j, pid);
}

void counter_set_attach(struct counter_set *s, struct journal *j, pid_t pid)
{
	if (halt_is_still(s->root, pid))
		attach(s, pid);
	else
		attach_halted(s, j, pid);
}

bool counter_set_read(const struct counter_set *s, size_t group,
		      struct perf_count *out)
{
	const struct counter_live *live = &s->live[group];

	if (!live->is_on)
		return false;
	if (s->replay) {
		if (s->began_ns)
			counter_replay_at(s->replay, group,
					  clock_ns() - s->began_ns, out);
		return s->began_ns != 0;
	}
	return live->perf && perf_read(live->perf, out) == 0;
}

char *counter_column(const struct counter_group *g, size_t event)
{
	size_t nth = 1;

	if (event == g->n)
		return xasprintf(COL_COUNTER "%s_" COL_ENABLED, g->name);
	if (event > g->n)
		return xasprintf(COL_COUNTER "%s_" COL_RUNNING, g->name);
	for (size_t i = 0; i < event; i++)
		nth += str_eq(g->events[i].role, g->events[event].role);
	if (nth == 1)
		return xasprintf(COL_COUNTER "%s_%s", g->name,
				 g->events[event].role);
	return xasprintf(COL_COUNTER "%s_%s_%zu", g->name,
			 g->events[event].role, nth);
}
