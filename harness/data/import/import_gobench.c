/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Go benchmarks, golang.org/design/14313-benchmark-format: lines "key: value",
 * "Unit unit better=higher", and "BenchmarkName N value unit value unit ...".
 *
 * A key that tells arms apart is --by's, or each file is an arm. One that is
 * the same everywhere is a fact; any other is part of the benchmark's name, as
 * values under different ones are not of one sample.
 */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"

struct go_value {
	char *label;
	char *benchmark;
	char *unit;
	double number;
	struct facts keys; /* as they stood */
};

struct go_state {
	struct go_value *values;
	size_t n_values;
	struct facts better; /* unit: "higher" or "lower" */
	struct facts keys;   /* of the current file */
	struct facts naming; /* keys that tell benchmarks apart */
};

static struct go_state *state_of(struct import *im)
{
	if (!im->rest)
		im->rest = xcalloc(1, sizeof(struct go_state));
	return im->rest;
}

/* Units by how they end; others have no direction that is known. */
static enum metric_better better_of(const struct go_state *s, const char *unit)
{
	static const struct {
		const char *end;
		enum metric_better better;
	} ends[] = {
		{ "/op", METRIC_LESS },   { "/s", METRIC_MORE },
		{ "/sec", METRIC_MORE },  { "bytes", METRIC_LESS },
		{ "ns/GC", METRIC_LESS }, { "ns", METRIC_LESS },
		{ "sec", METRIC_LESS },
	};
	const char *said = facts_get(&s->better, unit);

	if (*said)
		return str_eq(said, "higher") ? METRIC_MORE : METRIC_LESS;
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(unit, ends[i].end))
			return ends[i].better;
	return METRIC_NEITHER;
}

static const char *arm_of(const struct import *im, const struct go_value *v)
{
	const char *by = im->request->by;
	const char *arm = by ? facts_get(&v->keys, by) : "";

	return *arm ? arm : v->label;
}

/* Is a key the same for all values? */
static bool is_same(const struct go_state *s, const char *key)
{
	for (size_t i = 1; i < s->n_values; i++)
		if (!str_eq(facts_get(&s->values[i].keys, key),
			    facts_get(&s->values[0].keys, key)))
			return false;
	return true;
}

/* Or does it only go with the arm? */
static bool is_of_arm(const struct import *im, const struct go_state *s,
		      const char *key)
{
	for (size_t i = 1; i < s->n_values; i++) {
		const char *arm = arm_of(im, &s->values[i]);
		size_t first = 0;

		while (!str_eq(arm_of(im, &s->values[first]), arm))
			first++;
		if (!str_eq(facts_get(&s->values[i].keys, key),
			    facts_get(&s->values[first].keys, key)))
			return false;
	}
	return true;
}

/* The keys that are part of names, each as a fact without value. */
static void find_naming(const struct import *im, struct go_state *s)
{
	struct facts seen = { 0 };

	for (size_t i = 0; i < s->n_values; i++) {
		const struct facts *keys = &s->values[i].keys;

		for (size_t k = 0; k < keys->n; k++) {
			const char *key = keys->list[k].name;

			if (*facts_get(&seen, key))
				continue;
			facts_set(&seen, key, "seen");
			if (!is_same(s, key) && !is_of_arm(im, s, key))
				facts_set(&s->naming, key, "yes");
		}
	}
	facts_free(&seen);
}

/* "CRC32/size=15 note=hw acceleration disabled" */
static char *full_name(const struct go_state *s, const struct go_value *v)
{
	struct str out = { 0 };

	str_add(&out, v->benchmark);
	for (size_t i = 0; i < s->naming.n; i++) {
		const char *key = s->naming.list[i].name;

		if (*facts_get(&v->keys, key))
			str_addf(&out, " %s=%s", key, facts_get(&v->keys, key));
	}
	return str_steal(&out);
}

static void set_facts(struct import *im, const struct go_state *s)
{
	static const struct {
		const char *key;
		const char *fact;
	} known[] = { { "goarch", "arch" }, { "cpu", "cpu" } };
	const struct facts *keys = &s->values[0].keys;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (*facts_get(keys, known[i].key) && is_same(s, known[i].key))
			facts_set(&im->e.host, known[i].fact,
				  facts_get(keys, known[i].key));
	for (size_t i = 0; i < keys->n; i++)
		if (is_same(s, keys->list[i].name))
			facts_set(&im->e.workload, keys->list[i].name,
				  keys->list[i].value);
}

/* Names can be told only when all files are read. */
static void finish(struct import *im)
{
	struct go_state *s = im->rest;

	if (s->n_values)
		set_facts(im, s);
	find_naming(im, s);
	for (size_t i = 0; i < s->n_values; i++) {
		struct go_value *v = &s->values[i];
		size_t arm = import_arm(im, arm_of(im, v));
		auto_free char *name = full_name(s, v);
		const char *metric =
			import_metric(im, name, v->unit, better_of(s, v->unit),
				      "as a Go benchmark printed it");

		import_value(import_run_for(im, arm, metric), metric,
			     v->number);
	}
	for (size_t i = 0; i < s->n_values; i++) {
		free(s->values[i].label);
		free(s->values[i].benchmark);
		free(s->values[i].unit);
		facts_free(&s->values[i].keys);
	}
	free(s->values);
	facts_free(&s->better);
	facts_free(&s->keys);
	facts_free(&s->naming);
	free(s);
}

static bool take_key(struct go_state *s, const char *line)
{
	const char *colon = strchr(line, ':');
	auto_free char *key = NULL;
	auto_free char *value = NULL;

	if (!colon || !islower((unsigned char)*line) ||
	    (colon[1] && colon[1] != ' ' && colon[1] != '\t'))
		return false;
	for (const char *p = line; p < colon; p++)
		if (isspace((unsigned char)*p) || isupper((unsigned char)*p))
			return false;
	key = xstrndup(line, (size_t)(colon - line));
	value = xstrdup(colon + 1);
	facts_set(&s->keys, key, str_trim(value));
	return true;
}

/* "Unit unit key=value ..." */
static void take_unit(struct go_state *s, char *line)
{
	size_t n;
	auto_free char **words = str_split(line, ' ', &n);

	for (size_t i = 2; i < n; i++)
		if (str_starts(words[i], "better="))
			facts_set(&s->better, words[1], words[i] + 7);
}

static int take_values(struct import *im, struct go_state *s,
		       const struct import_lines *l)
{
	auto_free char *copy = xstrdup(l->line);
	auto_free char **words = NULL;
	uint64_t count;
	size_t n;

	words = str_split(copy, ' ', &n);
	/* "BenchmarkX" alone: -v prints it before the run. */
	if (n < 2 || num_u64(words[1], &count) < 0)
		return 0;
	if (n < 4 || n % 2)
		return import_refuse(im, l->number,
				     "a benchmark without value and unit; "
				     "right: 'BenchmarkX 100 12.5 ns/op'");
	for (size_t i = 2; i < n; i += 2) {
		struct go_value v = { .label = xstrdup(im->label) };

		if (num_double(words[i], &v.number) < 0) {
			free(v.label);
			return import_refuse(im, l->number, "'%s' is no number",
					     words[i]);
		}
		v.benchmark = xstrdup(words[0] + strlen("Benchmark"));
		v.unit = xstrdup(words[i + 1]);
		facts_copy(&v.keys, &s->keys);
		XGROW(s->values, s->n_values);
		s->values[s->n_values++] = v;
	}
	return 0;
}

int import_gobench(struct import *im, const char *text)
{
	struct go_state *s = state_of(im);
	struct import_lines l = { .at = text };
	size_t before = s->n_values;
	int ret = 0;

	im->finish = finish;
	facts_free(&s->keys);
	while (!ret && import_next_line(&l)) {
		if (str_starts(l.line, "Benchmark") &&
		    !islower((unsigned char)l.line[9]))
			ret = take_values(im, s, &l);
		else if (str_starts(l.line, "Unit "))
			take_unit(s, l.line);
		else
			take_key(s, l.line);
	}
	free(l.line);
	if (!ret && s->n_values == before)
		ret = import_refuse(im, 0,
				    "no line begins with 'Benchmark' and a "
				    "name: no Go benchmark");
	return ret;
}
