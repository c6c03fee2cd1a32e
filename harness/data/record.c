/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/metric.h"
#include "data/series.h"

static const struct value *extra_value(const struct run *run,
				       const char *metric)
{
	for (size_t i = 0; i < run->n_extra; i++)
		if (str_eq(run->extra[i].metric, metric))
			return &run->extra[i].value;
	return NULL;
}

const struct value *run_value(const struct run *run, const char *metric)
{
	static const struct value none = { .why = (char *)"not recorded" };
	const struct metric *m = metric_find(metric);
	const struct value *v;

	if (!m)
		v = extra_value(run, metric);
	else
		v = run->values ? &run->values[m - metrics] : NULL;
	return v && (v->is_there || v->why) ? v : &none;
}

static const char *const state_texts[] = {
	[RUN_OK] = "ok",
	[RUN_MARKED] = "marked",
	[RUN_INVALID] = "invalid",
	[RUN_FAILED] = "failed",
};

const char *run_state_text(enum run_state state)
{
	return state_texts[state];
}

int run_state_parse(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(state_texts); i++)
		if (str_eq(text, state_texts[i]))
			return (int)i;
	return -1;
}

int series_column(const struct series *s, const char *name)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (str_eq(s->columns[i], name))
			return (int)i;
	return -1;
}

double series_at(const struct series *s, size_t row, int col)
{
	if (col < 0 || (size_t)col >= s->n_columns || row >= s->n_rows)
		return NAN;
	return s->cells[row * s->n_columns + (size_t)col];
}

static void texts_free(char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free(texts);
}

static void settings_free_list(struct setting_record *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].path);
		free(list[i].before);
		free(list[i].asked);
		free(list[i].read_back);
		free(list[i].after);
	}
	free(list);
}

static void collectors_free(struct collector_record *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].name);
		free(list[i].source);
		free(list[i].missing);
	}
	free(list);
}

static void counters_free(struct counter_record *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].kind);
		free(list[i].group);
		free(list[i].role);
		free(list[i].event);
		free(list[i].code);
		free(list[i].column);
		free(list[i].text);
	}
	free(list);
}

static void values_free(struct value *values)
{
	for (size_t i = 0; values && i < n_metrics; i++)
		free(values[i].why);
	free(values);
}

static void extra_values_free(struct extra_value *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].metric);
		free(list[i].value.why);
	}
	free(list);
}

void run_keep_attempt(struct run *run)
{
	char *before = run->earlier;

	if (!run->attempt)
		return;
	run->earlier = xasprintf("%s%s%s: %s", before ? before : "",
				 before ? "; " : "", run_state_text(run->state),
				 run->reason ? run->reason : "");
	free(before);
}

void run_free(struct run *run)
{
	for (size_t i = 0; i < run->n_events; i++) {
		free(run->events[i].name);
		free(run->events[i].detail);
	}
	free(run->events);
	for (size_t i = 0; i < run->at_end.n; i++) {
		free(run->at_end.list[i].name);
		free(run->at_end.list[i].range);
	}
	free(run->at_end.list);
	series_free(&run->samples);
	series_free(&run->load);
	settings_free_list(run->settings, run->n_settings);
	collectors_free(run->collectors, run->n_collectors);
	counters_free(run->counters, run->n_counters);
	values_free(run->values);
	extra_values_free(run->extra, run->n_extra);
	free(run->reason);
	free(run->earlier);
	free(run->dir);
	memset(run, 0, sizeof(*run));
}

void claim_free(struct claim *c)
{
	free(c->name);
	free(c->metric);
	free(c->arm);
	free(c->expect);
	*c = (struct claim){ 0 };
}

static void parts_free(struct experiment *e)
{
	for (size_t i = 0; i < e->n_parts; i++)
		free(e->parts[i].dir);
	free(e->parts);
	for (size_t i = 0; i < e->n_hosts; i++) {
		free(e->hosts[i].name);
		facts_free(&e->hosts[i].facts);
	}
	free(e->hosts);
}

void experiment_free(struct experiment *e)
{
	for (size_t i = 0; i < e->n_arms; i++) {
		free(e->arms[i].label);
		facts_free(&e->arms[i].settings);
	}
	free(e->arms);
	for (size_t i = 0; i < e->n_runs; i++)
		run_free(&e->runs[i]);
	free(e->runs);
	texts_free(e->marks, e->n_marks);
	for (size_t i = 0; i < e->n_claims; i++)
		claim_free(&e->claims[i]);
	free(e->claims);
	extra_free(e);
	parts_free(e);
	facts_free(&e->server);
	facts_free(&e->workload);
	facts_free(&e->host);
	facts_free(&e->judging);
	free(e->dir);
	free(e->id);
	free(e->title);
	free(e->config_path);
	free(e->config_text);
	free(e->config_hash);
	free(e->program);
	free(e->created);
	free(e->primary);
	memset(e, 0, sizeof(*e));
}
