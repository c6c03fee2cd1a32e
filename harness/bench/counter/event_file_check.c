/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/counter/event_file_check.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_role.h"

bool event_role_is(const char *name, unsigned int line, struct faults *faults)
{
	const char *near;

	for (size_t i = 0; i < n_hardware_roles; i++)
		if (str_eq(name, counter_roles[i]))
			return true;
	near = str_nearest(name, counter_roles, n_hardware_roles);
	fault_add(faults, line, "no role %s; %s%s%s", name,
		  near ? "did you mean " : "those of thpbench-events(5)",
		  near ? near : "", near ? "?" : "");
	return false;
}

static void check_pmu(const struct event_pmu *pmu, struct faults *faults)
{
	if (!pmu->n_cpus)
		fault_add(faults, pmu->line,
			  "[pmu \"%s\"] is for no CPU; cpuid = "
			  "VENDOR/FAMILY/MODELS or midr = IMPLEMENTER/PARTS",
			  pmu->name);
	if (!pmu->title)
		fault_add(faults, pmu->line,
			  "[pmu \"%s\"] has no title; title = the CPU's name",
			  pmu->name);
}

/* Counters that a group needs besides the fixed ones. */
static size_t need_of(const struct event_file *f, const struct event_group *g)
{
	size_t need = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct event_role *role = event_file_role(f, g->roles[i]);

		if (role && !event_file_is_fixed(f, role->name))
			need += role->n;
	}
	return need;
}

static void check_group(const struct event_file *f, const struct event_group *g,
			struct faults *faults)
{
	size_t need = need_of(f, g);

	if (str_eq(g->name, "software"))
		fault_add(faults, g->line,
			  "the group software is the kernel's; another name");
	for (size_t i = 0; i < g->n; i++) {
		if (!event_file_role(f, g->roles[i]))
			fault_add(faults, g->line,
				  "group %s: no events for %s; a line in "
				  "[events]",
				  g->name, g->roles[i]);
		for (size_t k = 0; k < i; k++)
			if (str_eq(g->roles[k], g->roles[i]))
				fault_add(faults, g->line,
					  "group %s: %s twice; once", g->name,
					  g->roles[i]);
	}
	if (need > f->general)
		fault_add(faults, g->line,
			  "group %s needs %zu counters and there are %" PRIu64
			  "; split it",
			  g->name, need, f->general);
}

static bool is_in_group(const struct event_file *f, const char *role)
{
	for (size_t i = 0; i < f->n_groups; i++)
		for (size_t k = 0; k < f->groups[i].n; k++)
			if (str_eq(f->groups[i].roles[k], role))
				return true;
	return false;
}

static void check_role(const struct event_file *f, const struct event_role *r,
		       struct faults *faults)
{
	if (!is_in_group(f, r->name))
		fault_add(faults, r->line,
			  "%s is in no group; add it to a line of [groups]",
			  r->name);
	if (r->n > 1 && event_file_is_fixed(f, r->name))
		fault_add(faults, r->line,
			  "%s has a fixed counter and is a sum; one event",
			  r->name);
	for (size_t i = 0; i < f->n_missing; i++)
		if (str_eq(f->missing[i].role, r->name))
			fault_add(faults, r->line,
				  "%s has events and is in [missing]; one of "
				  "the two",
				  r->name);
}

void event_file_check(const struct event_file *f, unsigned int last,
		      struct faults *faults)
{
	if (!f->n_pmus)
		fault_add(faults, last, "no PMU; [pmu \"NAME\"]");
	if (!f->general)
		fault_add(faults, last,
			  "not said how many counters there are; general = N "
			  "in [counters]");
	if (!f->n_groups)
		fault_add(faults, last, "no groups; NAME = ROLES in [groups]");
	for (size_t i = 0; i < f->n_pmus; i++)
		check_pmu(&f->pmus[i], faults);
	for (size_t i = 0; f->general && i < f->n_groups; i++)
		check_group(f, &f->groups[i], faults);
	for (size_t i = 0; i < f->n_roles; i++)
		check_role(f, &f->roles[i], faults);
}
