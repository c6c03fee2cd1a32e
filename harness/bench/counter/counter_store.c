/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.tsv: what the PMU was asked, for the footnotes of a report. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_set.h"
#include "data/store.h"

/* The rows while they are made; each cell is owned. */
struct rows {
	struct counter_record *list;
	size_t n;
};

static struct counter_record *add(struct rows *r, const char *kind,
				  const char *role, char *text)
{
	XGROW(r->list, r->n);
	r->list[r->n] = (struct counter_record){
		.kind = xstrdup(kind),
		.group = xstrdup(""),
		.role = xstrdup(role ? role : ""),
		.event = xstrdup(""),
		.code = xstrdup(""),
		.column = xstrdup(""),
		.text = text,
	};
	return &r->list[r->n++];
}

/* Why a group did not count; NULL: it did. free() it. */
static char *why_not(const struct counter_set *s, size_t i)
{
	const struct counter_live *live = &s->live[i];

	if (!live->is_on && s->config->rotate)
		return xasprintf("group %s has no turn in this block (turn %zu "
				 "of %zu)",
				 s->plan.groups[i].name, s->turn + 1,
				 s->n_turns);
	if (!live->is_on)
		return xasprintf("the PMU has no room for group %s beside the "
				 "ones before it; rotate = yes counts it in "
				 "turns, over %zu blocks",
				 s->plan.groups[i].name, s->n_turns);
	if (s->replay || live->perf)
		return NULL;
	return xstrdup(live->why ? live->why
				 : "no process of the run to count");
}

static void set(char **cell, char *text)
{
	free(*cell);
	*cell = text;
}

static void add_group(const struct counter_set *s, size_t i, struct rows *rows)
{
	const struct counter_group *g = &s->plan.groups[i];
	auto_free char *why = why_not(s, i);

	for (size_t k = 0; k < g->n; k++) {
		const struct counter_event *e = &g->events[k];
		struct counter_record *r = add(rows, COUNTER_EVENT, e->role,
					       xstrdup(why ? why : ""));

		set(&r->group, xstrdup(g->name));
		set(&r->event, xstrdup(e->name));
		set(&r->code, xasprintf("%" PRIu32 ":0x%" PRIx64, e->code.type,
					e->code.config));
		if (!why)
			set(&r->column, counter_column(g, k));
	}
}

static void add_facts(const struct counter_set *s, struct rows *rows)
{
	static const char *const scopes[] = {
		[COUNTERS_OF_SERVER] = "server",
		[COUNTERS_OF_CGROUP] = "cgroup",
		[COUNTERS_OF_SYSTEM] = "system",
	};
	const struct collect_config *c = s->config;

	if (s->plan.pmu)
		add(rows, COUNTER_FACT, COUNTER_PMU,
		    xasprintf("%s (%s)", s->plan.title, s->plan.pmu));
	add(rows, COUNTER_FACT, COUNTER_SCOPE, xstrdup(scopes[c->scope]));
	/* Of the PMU alone: the kernel's own events are of both always. */
	if (s->plan.pmu || s->replay)
		add(rows, COUNTER_FACT, COUNTER_LEVEL,
		    xstrdup(c->level == PFM_USER ? "user" : "user+kernel"));
	add(rows, COUNTER_FACT, COUNTER_LIMIT, xasprintf("%g", c->running_pct));
	if (s->replay)
		add(rows, COUNTER_FACT, COUNTER_REPLAY,
		    xstrdup(c->counters_from));
}

int counter_set_store(const struct counter_set *s, struct store_run *store)
{
	const struct counter_plan *plan = &s->plan;
	struct run holder = { 0 };
	struct rows rows = { 0 };
	int ret;

	add_facts(s, &rows);
	for (size_t i = 0; i < plan->n_groups; i++)
		add_group(s, i, &rows);
	for (size_t i = 0; i < plan->n_missing; i++)
		add(&rows, COUNTER_MISSING, plan->missing[i].role,
		    xstrdup(plan->missing[i].why));
	for (size_t i = 0; i < plan->n_notes; i++)
		add(&rows,
		    plan->notes[i].is_proxy ? COUNTER_PROXY : COUNTER_NOTE,
		    plan->notes[i].role, xstrdup(plan->notes[i].text));
	ret = store_counters(store, rows.list, rows.n);
	holder.counters = rows.list;
	holder.n_counters = rows.n;
	run_free(&holder);
	return ret;
}
