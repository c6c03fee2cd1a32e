/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From roles that can be counted to groups that the counters have room for. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_parts.h"

#define FREE_WATCHDOG                                                          \
	"; sysctl.kernel.nmi_watchdog = 0 in [arm *] frees it for the runs"

/* Roles that are in a group, for those that come later. */
static bool is_grouped(const struct counter_plan *plan, const char *role)
{
	for (size_t i = 0; i < plan->n_groups; i++)
		for (size_t k = 0; k < plan->groups[i].n; k++)
			if (str_eq(plan->groups[i].events[k].role, role))
				return true;
	return false;
}

static bool is_fixed(const struct counter_plan *plan, const char *role)
{
	auto_free char *copy = xstrdup(plan->fixed);
	size_t n;
	auto_free char **words = str_split(copy, ' ', &n);

	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i], role))
			return true;
	return false;
}

/* A role of a group under way, and its events. */
struct part {
	const struct event_role *role;
	struct counter_event *events;
};

static void drop_part(struct part *part)
{
	counter_events_free(part->events, part->role->n);
}

/* Counters needed beside the fixed ones. */
static size_t need_of(const struct counter_plan *plan, const struct part *parts,
		      size_t n)
{
	size_t need = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_fixed(plan, parts[i].role->name))
			need += parts[i].role->n;
	return need;
}

static bool has_new(const struct counter_plan *plan, const struct part *parts,
		    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_grouped(plan, parts[i].role->name))
			return true;
	return false;
}

/* Those that can be counted; why the others cannot becomes known. */
static size_t collect_parts(const struct counter_job *job,
			    const struct event_group *g, struct part *parts)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		struct part part = { event_file_role(job->file, g->roles[i]),
				     NULL };
		char *why;

		part.events = counter_encode(job, part.role, &why);
		if (part.events)
			parts[n++] = part;
		else
			counter_add_missing(job->out, g->roles[i], why);
	}
	return n;
}

/* Counters are short only where the watchdog holds one: the file fits. */
static size_t make_room(const struct counter_job *job,
			const struct event_group *g, struct part *parts,
			size_t n)
{
	struct counter_plan *plan = job->out;

	while (n && need_of(plan, parts, n) > plan->general) {
		struct part *last = &parts[--n];

		counter_add_note(plan, NULL,
				 xasprintf("%s is not in the group %s: the "
					   "NMI watchdog holds a "
					   "counter" FREE_WATCHDOG,
					   last->role->name, g->name),
				 false);
		drop_part(last);
	}
	return n;
}

static void add_group(struct counter_plan *plan, const struct event_group *g,
		      struct part *parts, size_t n)
{
	struct counter_group group = { .name = xstrdup(g->name) };

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < parts[i].role->n; k++) {
			XGROW(group.events, group.n);
			group.events[group.n++] = parts[i].events[k];
		}
		free(parts[i].events);
	}
	XGROW(plan->groups, plan->n_groups);
	plan->groups[plan->n_groups++] = group;
}

static void try_group(const struct counter_job *job,
		      const struct event_group *g)
{
	auto_free struct part *parts = xcalloc(g->n, sizeof(*parts));
	size_t n = make_room(job, g, parts, collect_parts(job, g, parts));

	if (n && has_new(job->out, parts, n)) {
		add_group(job->out, g, parts, n);
		return;
	}
	while (n)
		drop_part(&parts[--n]);
}

/* Those that the file has events for, that open, and that found no room. */
static void add_homeless(const struct counter_job *job)
{
	for (size_t i = 0; i < job->file->n_roles; i++) {
		const char *role = job->file->roles[i].name;

		if (!is_grouped(job->out, role) &&
		    !counter_plan_missing(job->out, role))
			counter_add_missing(
				job->out, role,
				xstrdup("no counter is left for it: the NMI "
					"watchdog holds one" FREE_WATCHDOG));
	}
}

void counter_add_groups(const struct counter_job *job)
{
	for (size_t i = 0; i < job->file->n_groups; i++)
		try_group(job, &job->file->groups[i]);
	add_homeless(job);
}

bool counter_groups_fit(const struct counter_plan *plan, const bool *is_on)
{
	auto_free char *copy = xstrdup(plan->fixed ? plan->fixed : "");
	size_t n_fixed;
	auto_free char **fixed = str_split(copy, ' ', &n_fixed);
	size_t need = 0;

	for (size_t i = 0; i < plan->n_groups; i++)
		if (is_on[i] && !plan->groups[i].is_software)
			need += plan->groups[i].n;
	for (size_t f = 0; f < n_fixed; f++) {
		bool is_used = false;

		for (size_t i = 0; i < plan->n_groups; i++)
			for (size_t k = 0; is_on[i] && k < plan->groups[i].n;
			     k++)
				is_used |=
					str_eq(plan->groups[i].events[k].role,
					       fixed[f]);
		need -= is_used;
	}
	return need <= plan->general;
}
