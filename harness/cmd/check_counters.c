/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/check_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

/* "4:0x83d0". free() it. */
static char *code_text(const struct perf_code *code)
{
	return xasprintf("%" PRIu32 ":%#" PRIx64, code->type, code->config);
}

static void print_group(const struct counter_group *g, const char *why,
			bool is_tried)
{
	const char *role = "";

	printf("counters %s: %s%s", g->name,
	       why        ? "missing, not needed: "
	       : is_tried ? "ok:"
			  : "not tried on a recorded machine:",
	       why ? why : "");
	for (size_t i = 0; !why && i < g->n; i++) {
		const struct counter_event *e = &g->events[i];
		auto_free char *code = code_text(&e->code);

		if (str_eq(role, e->role))
			printf(" + %s %s", e->name, code);
		else
			printf("%s %s = %s %s", i ? "," : "", e->role, e->name,
			       code);
		role = e->role;
	}
	putchar('\n');
}

/* The roles that share the reason of missing[at]; nothing if it was said. */
static void print_missing(const struct counter_plan *plan, size_t at)
{
	const char *why = plan->missing[at].why;

	for (size_t i = 0; i < at; i++)
		if (str_eq(plan->missing[i].why, why))
			return;
	printf("counters n/a: ");
	for (size_t i = at; i < plan->n_missing; i++)
		if (str_eq(plan->missing[i].why, why))
			printf("%s%s", i == at ? "" : ", ",
			       plan->missing[i].role);
	printf(": %s\n", why);
}

void counters_print(const struct check_counters *c)
{
	const struct counter_plan *plan = &c->plan;

	for (size_t i = 0; i < plan->n_groups; i++)
		print_group(&plan->groups[i], c->why[i], c->is_tried);
	for (size_t i = 0; i < plan->n_missing; i++)
		print_missing(plan, i);
	for (size_t i = 0; i < plan->n_notes; i++) {
		const struct counter_note *note = &plan->notes[i];

		printf("counters note: %s%s%s\n", note->role ? note->role : "",
		       note->role ? ": " : "", note->text);
	}
}

static json_t *json_of_group(const struct counter_group *g, const char *why,
			     bool is_tried)
{
	json_t *events = json_array();
	json_t *one;

	for (size_t i = 0; i < g->n; i++) {
		const struct counter_event *e = &g->events[i];
		auto_free char *code = code_text(&e->code);

		json_array_append_new(events,
				      json_pack("{ss ss ss}", "role", e->role,
						"event", e->name, "encoding",
						code));
	}
	one = json_pack("{ss so}", "name", g->name, "events", events);
	if (is_tried)
		json_object_set_new(one, "opens", json_boolean(!why));
	if (why)
		json_object_set_new(one, "missing", json_string(why));
	return one;
}

static json_t *json_of_missing(const struct counter_plan *plan)
{
	json_t *all = json_object();

	for (size_t i = 0; i < plan->n_missing; i++)
		json_object_set_new(all, plan->missing[i].role,
				    json_string(plan->missing[i].why));
	return all;
}

static json_t *json_of_notes(const struct counter_plan *plan)
{
	json_t *all = json_array();

	for (size_t i = 0; i < plan->n_notes; i++) {
		const struct counter_note *note = &plan->notes[i];
		json_t *one = json_pack("{ss sb}", "text", note->text, "proxy",
					note->is_proxy);

		if (note->role)
			json_object_set_new(one, "role",
					    json_string(note->role));
		json_array_append_new(all, one);
	}
	return all;
}

json_t *counters_json(const struct check_counters *c)
{
	const struct counter_plan *plan = &c->plan;
	json_t *groups = json_array();
	json_t *all;

	if (!c->is_made) {
		json_decref(groups);
		return NULL;
	}
	for (size_t i = 0; i < plan->n_groups; i++)
		json_array_append_new(groups,
				      json_of_group(&plan->groups[i], c->why[i],
						    c->is_tried));
	all = json_pack("{so so so}", "groups", groups, "missing",
			json_of_missing(plan), "notes", json_of_notes(plan));
	if (!plan->pmu)
		return all;
	json_object_set_new(all, "pmu", json_string(plan->pmu));
	json_object_set_new(all, "title", json_string(plan->title));
	json_object_set_new(all, "counters",
			    json_integer((json_int_t)plan->general));
	return all;
}
