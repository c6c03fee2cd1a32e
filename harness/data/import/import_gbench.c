/* SPDX-License-Identifier: GPL-3.0-or-later */
/* google-benchmark --benchmark_format=json. */
#include <jansson.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/import/import_parts.h"

static const struct {
	const char *unit;
	double ns;
} times[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

static double ns_of(const char *unit)
{
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (str_eq(times[i].unit, unit))
			return times[i].ns;
	return 0;
}

static const struct {
	const char *key;
	const char *unit; /* NULL: ns, from time_unit */
	enum metric_better better;
	const char *help;
} fields[] = {
	{ "real_time", NULL, METRIC_LESS, "real time of an iteration" },
	{ "cpu_time", NULL, METRIC_LESS, "CPU time of an iteration" },
	{ "bytes_per_second", "bytes/s", METRIC_MORE, "bytes a second" },
	{ "items_per_second", "items/s", METRIC_MORE, "items a second" },
};

static int take_field(struct import *im, const json_t *b, const char *name,
		      size_t i)
{
	const json_t *value = json_object_get(b, fields[i].key);
	const char *word = json_string_value(json_object_get(b, "time_unit"));
	double factor = fields[i].unit ? 1 : ns_of(word ? word : "ns");
	size_t arm = import_arm(im, im->label);
	auto_free char *title = NULL;
	const char *metric;

	if (!json_is_number(value))
		return 0;
	if (factor <= 0)
		return import_refuse(im, 0,
				     "benchmark '%s': time_unit '%s' is none "
				     "of ns, us, ms, s",
				     name, word);
	title = xasprintf("%s %s", name, fields[i].key);
	metric =
		import_metric(im, title, fields[i].unit ? fields[i].unit : "ns",
			      fields[i].better, fields[i].help);
	import_value(import_run_for(im, arm, metric), metric,
		     factor * json_number_value(value));
	return 0;
}

static int take_benchmark(struct import *im, const json_t *b)
{
	const char *name = json_string_value(json_object_get(b, "run_name"));
	const char *type = json_string_value(json_object_get(b, "run_type"));
	int ret = 0;

	if (!name)
		name = json_string_value(json_object_get(b, "name"));
	if (!name)
		return import_refuse(im, 0, "a benchmark without a name");
	/* Means of what is there, or of what is not: not a run. */
	if (type && str_eq(type, "aggregate")) {
		import_mark(im,
			    "%s: aggregates are left out; runs are what is "
			    "imported",
			    name);
		return 0;
	}
	if (json_is_true(json_object_get(b, "error_occurred"))) {
		const char *why =
			json_string_value(json_object_get(b, "error_message"));

		import_mark(im, "%s in '%s' failed: %s", name, im->label,
			    why ? why : "no reason given");
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(fields) && !ret; i++)
		ret = take_field(im, b, name, i);
	return ret;
}

static void take_context(struct import *im, const json_t *context)
{
	static const struct {
		const char *key;
		const char *fact;
	} known[] = { { "date", "date" },
		      { "host_name", "hostname" },
		      { "num_cpus", "cpus" },
		      { "executable", "executable" },
		      { "library_build_type", "build" } };

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const json_t *value = json_object_get(context, known[i].key);

		if (json_is_string(value))
			facts_set(&im->e.host, known[i].fact,
				  json_string_value(value));
		else if (json_is_integer(value))
			facts_setf(&im->e.host, known[i].fact, "%lld",
				   json_integer_value(value));
	}
}

int import_gbench(struct import *im, const char *text)
{
	json_error_t error;
	json_t *json = json_loads(text, 0, &error);
	const json_t *list = json_object_get(json, "benchmarks");
	size_t n_before = im->n_runs;
	int ret = 0;

	if (!json)
		return import_refuse(im, (size_t)error.line, "no JSON: %s",
				     error.text);
	if (!json_is_array(list))
		ret = import_refuse(im, 0,
				    "no \"benchmarks\" in it: not of "
				    "google-benchmark");
	take_context(im, json_object_get(json, "context"));
	for (size_t i = 0; i < json_array_size(list) && !ret; i++)
		ret = take_benchmark(im, json_array_get(list, i));
	if (!ret && im->n_runs == n_before && json_array_size(list) == 0)
		ret = import_refuse(im, 0, "no benchmark in it");
	json_decref(json);
	return ret;
}
