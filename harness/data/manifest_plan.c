/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/manifest_plan.h"

#include <limits.h>

#include "base/mem.h"
#include "base/str.h"

static json_t *plan_json(const struct experiment *e)
{
	json_t *json = json_array();

	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		json_t *item = json_object();

		json_object_set_new(item, "run", json_integer(run->number));
		json_object_set_new(item, "block", json_integer(run->block));
		json_object_set_new(item, "arm",
				    manifest_text_json(
					    e->arms[run->arm].label));
		json_array_append_new(json, item);
	}
	return json;
}

void manifest_plan_put(json_t *json, const struct experiment *e)
{
	if (e->shard.of)
		json_object_set_new(json, "shard",
				    json_sprintf("%u/%u", e->shard.index,
						 e->shard.of));
	json_object_set_new(json, "plan", plan_json(e));
}

char *manifest_wrong(const char *key, const char *what)
{
	return xasprintf("\"%s\" is not %s", key, what);
}

char *manifest_count(const json_t *json, const char *key, unsigned int *out)
{
	const json_t *item = json_object_get(json, key);
	json_int_t n = json_integer_value(item);

	if (!json_is_integer(item) || n < 1 || n > INT_MAX)
		return manifest_wrong(key, "a count");
	*out = (unsigned int)n;
	return NULL;
}

char *manifest_arm(const json_t *json, const char *key,
		   const struct experiment *e, size_t *arm)
{
	const char *label = json_string_value(json_object_get(json, key));

	for (*arm = 0; *arm < e->n_arms; (*arm)++)
		if (str_eq(label, e->arms[*arm].label))
			return NULL;
	*arm = 0;
	return manifest_wrong(key, "the label of an arm");
}

static char *get_shard(const json_t *json, struct experiment *e)
{
	const json_t *item = json_object_get(json, "shard");

	if (item && (!json_is_string(item) ||
		     shard_parse(json_string_value(item), &e->shard) ||
		     e->shard.of > e->blocks))
		return manifest_wrong("shard", "one of the experiment: 2/3");
	return NULL;
}

static char *get_plan(const json_t *json, struct experiment *e)
{
	const json_t *list = json_object_get(json, "plan");
	unsigned int last = 0;
	char *why = NULL;

	if (!json_is_array(list))
		return manifest_wrong("plan", "a list of runs");
	e->n_runs = json_array_size(list);
	e->n_planned = e->n_runs;
	e->runs = xcalloc(e->n_runs, sizeof(*e->runs));
	for (size_t i = 0; !why && i < e->n_runs; i++) {
		const json_t *item = json_array_get(list, i);
		struct run *run = &e->runs[i];

		why = manifest_count(item, "run", &run->number);
		if (!why)
			why = manifest_count(item, "block", &run->block);
		if (!why)
			why = manifest_arm(item, "arm", e, &run->arm);
		if (!why && (run->number <= last || run->block > e->blocks))
			why = manifest_wrong("plan", "in order");
		if (!why && !shard_has(&e->shard, run->block))
			why = manifest_wrong("plan", "that of its shard");
		last = run->number;
	}
	return why;
}

char *manifest_plan_get(const json_t *json, struct experiment *e)
{
	char *why = get_shard(json, e);

	return why ? why : get_plan(json, e);
}
