/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/check_counters.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/check_parts.h"
#include "bench/counter_set.h"
#include "kern/perf.h"

/* Long enough for a group that has to share to get its turn. */
static void spin(void)
{
	uint64_t end = clock_ns() + 20 * NUM_NS_PER_MS;

	while (clock_ns() < end)
		;
}

/* NULL where the group counts a thread of ours; else why not. free() it. */
static char *try_group(const struct root *root, const struct counter_group *g)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	auto_free struct perf_code *codes = xcalloc(g->n, sizeof(*codes));
	struct perf_count count;
	struct perf *p;
	size_t at = 0;
	int ret;

	for (size_t i = 0; i < g->n; i++)
		codes[i] = g->events[i].code;
	ret = perf_open(&self, codes, g->n, &p, &at);
	if (ret)
		return perf_why(root, ret, g->events[at].name);
	spin();
	ret = perf_read(p, &count);
	perf_close(p);
	if (ret)
		return xasprintf("cannot be read: %s", strerror(-ret));
	if (!count.running_ns)
		return xstrdup("opens and never runs: its counters are taken, "
			       "by perf(1) or the NMI watchdog");
	return NULL;
}

static void try_groups(struct check_job *job)
{
	struct check_counters *c = &job->out->counters;

	c->why = xcalloc(c->plan.n_groups, sizeof(*c->why));
	c->is_tried = job->root->is_live;
	for (size_t i = 0; c->is_tried && i < c->plan.n_groups; i++)
		c->why[i] = try_group(job->root, &c->plan.groups[i]);
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

static const char software_alone[] =
	"roles of the TLBs are n/a; page faults and other events of the kernel "
	"are counted";

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
			      software_alone);
		return;
	}
	if (!opened) {
		check_missing(job, "pmu", false, xstrdup(c->why[0]),
			      software_alone);
		return;
	}
	size = size_text(plan, job->config, n);
	check_ok(job, "pmu",
		 xasprintf("%s, by events of %s: %s", plan->title, plan->pmu,
			   size));
}

static void plan_counters(struct check_job *job, const struct counter_ask *ask)
{
	struct check_counters *c = &job->out->counters;

	if (counter_plan_make(ask, &c->plan)) {
		check_missing(job, "pmu", ask->folder != NULL,
			      xstrdup(err_last()),
			      "thpbench-events(5) tells what is right");
		return;
	}
	c->is_made = true;
	try_groups(job);
	say_pmu(job);
}

void check_counters(struct check_job *job)
{
	static const struct collect_config usual = {
		.counters = COUNTERS_TLB,
		.level = PFM_USER_KERNEL,
	};
	const struct config *config = job->config;
	const struct collect_config *c = config ? &config->collect : &usual;
	const struct counter_ask ask = {
		.root = job->root,
		.folder = c->events,
		.cpus = config ? config->server.cpus : NULL,
		.is_software = c->counters == COUNTERS_SOFTWARE,
		.level = c->level,
	};

	if (c->counters == COUNTERS_NONE)
		check_missing(job, "pmu", false,
			      xstrdup("counters = none in the configuration"),
			      "nothing is counted");
	else if (c->counters_from)
		check_ok(job, "pmu",
			 xasprintf("not asked: the counts of %s",
				   c->counters_from));
	else
		plan_counters(job, &ask);
}

void check_counters_free(struct check_counters *c)
{
	for (size_t i = 0; c->why && i < c->plan.n_groups; i++)
		free(c->why[i]);
	free(c->why);
	counter_plan_free(&c->plan);
	*c = (struct check_counters){ 0 };
}
