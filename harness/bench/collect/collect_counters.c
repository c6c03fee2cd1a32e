/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the PMU and of the kernel, counted from the server's first
 * instruction on. A read of a group sums up what all its threads have counted
 * and may take long while many are at work (tens of ms at 500): where one was
 * dear, the groups are read at the edges of phases alone.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/collect/collectors.h"
#include "bench/counter/counter_set.h"

struct counters {
	struct counter_set set;
	struct columns columns;
	size_t *firsts;   /* of each group in columns; SIZE_MAX: none */
	uint64_t read_ns; /* that the last look took, wall */
};

/* More than this of an interval is too much to read at each tick. */
static const double dear_share = 0.02;

static void add_columns(struct counters *s)
{
	const struct counter_plan *plan = &s->set.plan;

	s->firsts = xcalloc(plan->n_groups + 1, sizeof(*s->firsts));
	for (size_t i = 0; i < plan->n_groups; i++) {
		const struct counter_group *g = &plan->groups[i];

		s->firsts[i] = s->set.live[i].is_on ? s->columns.n : SIZE_MAX;
		for (size_t k = 0; s->set.live[i].is_on && k < g->n + 2; k++)
			columns_add(&s->columns, counter_column(g, k));
	}
}

static void open_now(struct counters *s, const struct collect_target *t)
{
	const struct perf_target none = { .scope = PERF_THREAD };

	if (s->set.replay)
		counter_set_open(&s->set, &none);
	else if (s->set.config->scope != COUNTERS_OF_SERVER)
		counter_set_open_cpus(&s->set, t->cgroup);
	else if (t->server_pid > 0) /* one that we did not start */
		counter_set_attach(&s->set, t->journal, t->server_pid);
}

static char *source_of(const struct counter_set *s)
{
	if (s->replay)
		return xasprintf("replay of %s", s->config->counters_from);
	if (s->plan.pmu)
		return xasprintf("perf_event_open, %s", s->plan.title);
	return xstrdup("perf_event_open, software events");
}

static void *counters_open(const struct collect_target *t, char **source,
			   char **why)
{
	struct counters *s;
	int ret;

	if (!t->config || t->config->collect.counters == COUNTERS_NONE) {
		*why = xstrdup("counters = none in the configuration");
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	ret = counter_set_make(t->root, t->config, t->block, &s->set);
	if (ret) {
		*why = xstrdup(err_last());
		free(s);
		return NULL;
	}
	add_columns(s);
	open_now(s, t);
	*source = source_of(&s->set);
	return s;
}

static void counters_held(void *state, const struct collect_target *t,
			  pid_t pid)
{
	struct counters *s = state;
	const struct perf_target target = { .scope = PERF_EXEC, .pid = pid };

	(void)t;
	if (s->set.config->scope == COUNTERS_OF_SERVER && !s->set.replay)
		counter_set_open(&s->set, &target);
}

static const char *const *counters_columns(void *state, size_t *n)
{
	struct counters *s = state;

	*n = s->columns.n;
	return (const char *const *)s->columns.names;
}

static bool is_dear(const struct counters *s)
{
	return (double)s->read_ns >
	       dear_share * (double)s->set.config->interval_ns;
}

static void counters_sample(void *state, const struct collect_target *t,
			    double *cells)
{
	struct counters *s = state;
	uint64_t before = clock_ns();

	if (!t->is_edge && is_dear(s))
		return;
	for (size_t i = 0; i < s->set.plan.n_groups; i++) {
		const struct counter_group *g = &s->set.plan.groups[i];
		double *cell = cells + s->firsts[i];
		struct perf_count count;

		if (s->firsts[i] == SIZE_MAX ||
		    !counter_set_read(&s->set, i, &count))
			continue;
		for (size_t k = 0; k < g->n; k++)
			cell[k] = (double)count.values[k];
		cell[g->n] = (double)count.enabled_ns;
		cell[g->n + 1] = (double)count.running_ns;
	}
	s->read_ns = clock_ns() - before;
}

static int counters_record(void *state, struct store_run *store)
{
	struct counters *s = state;

	return counter_set_store(&s->set, store);
}

static void counters_close(void *state)
{
	struct counters *s = state;

	counter_set_free(&s->set);
	columns_free(&s->columns);
	free(s->firsts);
	free(s);
}

const struct collector collector_counters = {
	.name = "counters",
	.help = "events of the PMU and the kernel: TLBs, faults, switches",
	.open = counters_open,
	.held = counters_held,
	.columns = counters_columns,
	.sample = counters_sample,
	.record = counters_record,
	.close = counters_close,
	.none = "no process of the run to count, or its counters were refused "
		"(counters.tsv)",
};
