/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_key.h"

const struct metric *config_metric(const struct config *c, const char *name)
{
	const struct metric *m = metric_find(name);
	const struct point *p = m ? NULL : points_find(&c->points, name);

	return p ? &p->metric : m;
}

bool config_knows_metrics(const struct config *c)
{
	return c->workload.program != WORKLOAD_POINTS || c->points.n;
}

static const struct text_key *key_of(const struct text *text, const char *name)
{
	return text_key(text_section(text, "workload"), name);
}

static unsigned int line_of(const struct text *text, const char *name)
{
	const struct text_key *k = key_of(text, name);

	return k ? k->line : 0;
}

/* The line to blame where a key is missing. */
static unsigned int program_line(const struct text *text)
{
	return line_of(text, "program");
}

/* A point of two names would have two figures. */
static void check_names(const struct text *text, const struct config *c,
			struct faults *faults)
{
	for (size_t i = 0; i < c->points.n; i++) {
		const char *name = c->points.list[i].metric.name;

		if (metric_find(name))
			fault_add(faults, program_line(text),
				  "the point %s has the name of another "
				  "metric; another command_name",
				  name);
		if (points_find(&c->points, name) != &c->points.list[i])
			fault_add(faults, program_line(text),
				  "the point %s is there twice; each value of "
				  "a list once",
				  name);
	}
}

static void check_command(const struct text *text, const struct config *c,
			  struct faults *faults)
{
	static const char *const wanted[] = { "command", "command_unit",
					      "command_better" };
	const struct points_config *p = &c->workload.points_config;
	bool has_regex = key_of(text, "command_regex");
	bool has_json = key_of(text, "command_json");

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!key_of(text, wanted[i]))
			fault_add(faults, program_line(text),
				  "program = command: no '%s'; %s", wanted[i],
				  config_key_find("workload", wanted[i])->help);
	if (has_regex == has_json)
		fault_add(faults, program_line(text),
			  "program = command: %s; one of them finds the figure",
			  has_regex ? "both command_regex and command_json"
				    : "neither command_regex nor command_json");
	if (p->values && p->command && !strstr(p->command, "{}"))
		fault_add(faults, line_of(text, "command_values"),
			  "command_values: the command has no {} for them; "
			  "one, or no values");
}

/* Of several numbers only benchmarks make something. */
static void check_threads(const struct text *text, const struct config *c,
			  struct faults *faults)
{
	const char *list = c->workload.points_config.threads;

	if (c->workload.program != WORKLOAD_POINTS && list && strchr(list, ' '))
		fault_add(faults, line_of(text, "threads"),
			  "threads = %s: a list is for sysbench-mutex, -memory "
			  "and -threads; one number",
			  list);
}

/* No process lasts; all of the system can be counted wherever any can be. */
static void choose_scope(const struct text *text, struct config *c,
			 struct faults *faults)
{
	const struct text_key *k =
		text_key(text_section(text, "collect"), "scope");

	if (c->collect.scope != COUNTERS_OF_SERVER)
		return;
	if (k)
		fault_add(faults, k->line,
			  "scope = server: benchmarks are no server; system or "
			  "cgroup");
	c->collect.scope = COUNTERS_OF_SYSTEM;
	if (*facts_get(&c->keys, "collect.scope"))
		facts_set(&c->keys, "collect.scope", "system");
}

void config_points(const struct text *text, struct config *c,
		   struct faults *faults)
{
	check_threads(text, c, faults);
	if (c->workload.program != WORKLOAD_POINTS)
		return;
	if (c->workload.points_config.is_wanted[BENCHMARK_COMMAND])
		check_command(text, c, faults);
	choose_scope(text, c, faults);
	if (faults->n)
		return;
	points_make(c, &c->points);
	check_names(text, c, faults);
}

void config_primary(const struct text *text, struct config *c,
		    struct faults *faults)
{
	const struct text_key *k =
		text_key(text_section(text, "experiment"), "primary");

	if (c->points.n && !k) {
		free(c->primary);
		c->primary = xstrdup(c->points.list[0].metric.name);
		facts_set(&c->keys, "experiment.primary", c->primary);
	}
	if (k && *k->value && config_knows_metrics(c) &&
	    !config_metric(c, c->primary))
		config_item_wrong(
			&(struct config_item){
				.key = config_key_find("experiment", k->name),
				.name = k->name,
				.value = k->value,
				.line = k->line,
			},
			faults);
}
