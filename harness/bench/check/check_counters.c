/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/check/check_counters.h"

#include <sched.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/cpulist.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/check/check_parts.h"
#include "bench/counter/counter_set.h"
#include "kern/cgroup.h"

/* Long enough for a group that has to share to get its turn. */
static void spin(void)
{
	uint64_t end = clock_ns() + 20 * NUM_NS_PER_MS;

	while (clock_ns() < end)
		;
}

/*
 * NULL where the group opens for the scope and counts; else why not. free()
 * it. A cgroup may have nobody in it that could be counted.
 */
static char *try_group(struct counter_set *s, size_t group,
		       const struct cgroup *cg)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	const enum counters_scope scope = s->config->scope;
	struct counter_live *live = &s->live[group];
	struct perf_count count = { 0 };
	bool is_read;

	for (size_t i = 0; i < s->plan.n_groups; i++)
		s->live[i].is_on = i == group;
	if (scope == COUNTERS_OF_SERVER)
		counter_set_open(s, &self);
	else
		counter_set_open_cpus(s, cg);
	if (!live->perf) {
		char *why = live->why;

		live->why = NULL;
		return why;
	}
	spin();
	is_read = counter_set_read(s, group, &count);
	perf_close(live->perf);
	live->perf = NULL;
	if (!is_read)
		return xstrdup("opens and cannot be read");
	if (!count.running_ns && scope != COUNTERS_OF_CGROUP)
		return xstrdup("opens and never runs: its counters are taken, "
			       "by perf(1) or the NMI watchdog");
	return NULL;
}

/* On the CPUs of the PMU, where not all have it. */
static void try_groups(const struct check_job *job, struct counter_set *s,
		       struct check_counters *c)
{
	struct cgroup cg = { 0 };
	auto_free char *why = NULL;
	bool has_cgroup = cgroup_where(job->root, &cg, NULL, &why) == 0;
	cpu_set_t before;

	sched_getaffinity(0, sizeof(before), &before);
	if (s->plan.cpus)
		cpulist_bind(s->plan.cpus);
	for (size_t i = 0; i < s->plan.n_groups; i++)
		c->why[i] = try_group(s, i, has_cgroup ? &cg : NULL);
	sched_setaffinity(0, sizeof(before), &before);
	cgroup_free(&cg);
}

/* The groups of the PMU, and those that count. */
static size_t count_groups(const struct check_counters *c, size_t *opened)
{
	size_t n = 0;

	*opened = 0;
	for (size_t i = 0; i < c->plan.n_groups; i++) {
		if (c->plan.groups[i].is_software)
			continue;
		n++;
		*opened += !c->why[i];
	}
	return n;
}

/* What is left where the PMU's groups do not count. */
static const char *without_pmu(const struct check_counters *c)
{
	const char *why = NULL;

	for (size_t i = 0; i < c->plan.n_groups; i++)
		if (c->plan.groups[i].is_software)
			why = c->why[i];
	return why ? "nothing is counted, of the kernel's own events neither"
		   : "roles of the TLBs are n/a; page faults and other events "
		     "of the kernel are counted";
}

/* " in 4 turns", and whether the blocks are enough for them. free() it. */
static char *turns_text(const struct counter_plan *plan, const struct config *c)
{
	auto_free bool *is_on = xcalloc(plan->n_groups, sizeof(*is_on));
	size_t n_turns = counter_turn(plan, 0, is_on);

	if (n_turns <= 1)
		return xstrdup("");
	if (!c || !c->collect.rotate || c->blocks >= n_turns)
		return xasprintf(" in %zu turns", n_turns);
	return xasprintf(" in %zu turns (rotate = yes takes a block for each; "
			 "there are %u: those after turn %u are not counted)",
			 n_turns, c->blocks, c->blocks);
}

/* "6 groups in 4 turns on 4 counters and fixed ones for cycles". free() it. */
static char *size_text(const struct counter_plan *plan, const struct config *c,
		       size_t n_groups)
{
	auto_free char *turns = turns_text(plan, c);

	return xasprintf("%zu group%s%s on %u counters%s%s", n_groups,
			 n_groups == 1 ? "" : "s", turns, plan->general,
			 *plan->fixed ? " and fixed ones for " : "",
			 plan->fixed);
}

static void say_pmu(struct check_job *job)
{
	const struct check_counters *c = &job->out->counters;
	const struct counter_plan *plan = &c->plan;
	auto_free char *size = NULL;
	size_t opened;
	size_t n = count_groups(c, &opened);

	if (!n) {
		check_missing(job, "pmu", false,
			      xstrdup(counter_plan_missing(plan, "cycles")),
			      without_pmu(c));
		return;
	}
	if (!opened) {
		check_missing(job, "pmu", false, xstrdup(c->why[0]),
			      without_pmu(c));
		return;
	}
	size = size_text(plan, job->config, n);
	check_ok(job, "pmu",
		 xasprintf("%s, by events of %s: %s", plan->title, plan->pmu,
			   size));
}

static void plan_counters(struct check_job *job, const struct config *config)
{
	struct check_counters *c = &job->out->counters;
	struct counter_set s;

	if (counter_set_make(job->root, config, 1, &s)) {
		check_missing(job, "pmu", config->collect.events != NULL,
			      xstrdup(err_last()),
			      "thpbench-events(5) tells what is right");
		return;
	}
	c->is_made = true;
	c->is_tried = job->root->is_live;
	c->why = xcalloc(s.plan.n_groups, sizeof(*c->why));
	if (c->is_tried)
		try_groups(job, &s, c);
	c->plan = s.plan;
	s.plan = (struct counter_plan){ 0 };
	counter_set_free(&s);
	say_pmu(job);
}

void check_counters(struct check_job *job)
{
	static const struct config usual = {
		.collect = { .counters = COUNTERS_TLB,
			     .level = PFM_USER_KERNEL },
	};
	const struct config *config = job->config ? job->config : &usual;
	const struct collect_config *c = &config->collect;

	if (c->counters == COUNTERS_NONE)
		check_missing(job, "pmu", false,
			      xstrdup("counters = none in the configuration"),
			      "nothing is counted");
	else if (c->counters_from)
		check_ok(job, "pmu",
			 xasprintf("not asked: the counts of %s",
				   c->counters_from));
	else
		plan_counters(job, config);
}

void check_counters_free(struct check_counters *c)
{
	for (size_t i = 0; c->why && i < c->plan.n_groups; i++)
		free(c->why[i]);
	free(c->why);
	counter_plan_free(&c->plan);
	*c = (struct check_counters){ 0 };
}
