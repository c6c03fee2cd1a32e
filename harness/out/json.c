/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/json.h"

#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/summary.h"
#include "out/forms.h"
#include "out/notes.h"
#include "out/wrap.h"

/* A text as it is; as ASCII if it is no UTF-8, null if there is none. */
static json_t *text_json(const char *text)
{
	auto_free char *ascii = NULL;
	json_t *json;

	if (!text)
		return json_null();
	json = json_string(text);
	if (json)
		return json;
	ascii = wrap_ascii(text);
	return json_string(ascii);
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) < 0)
		abort();
}

static void set_text(json_t *object, const char *key, const char *text)
{
	set(object, key, text_json(text));
}

/* What jansson's signed integers cannot hold becomes a text. */
static void set_count(json_t *object, const char *key, uint64_t n)
{
	set(object, key,
	    n <= INT64_MAX ? json_integer((json_int_t)n)
			   : json_sprintf("%llu", (unsigned long long)n));
}

/* Left out if it is not finite: JSON has no word for it. */
static void set_real(json_t *object, const char *key, double number)
{
	if (isfinite(number))
		set(object, key, json_real(number));
}

static json_t *missing_json(const char *why)
{
	json_t *object = json_object();

	set_text(object, "missing", why && *why ? why : "no reason recorded");
	return object;
}

static json_t *facts_json(const struct facts *facts)
{
	json_t *object = json_object();

	for (size_t i = 0; i < facts->n; i++) {
		auto_free char *name = wrap_ascii(facts->list[i].name);

		set_text(object, name, facts->list[i].value);
	}
	return object;
}

static json_t *run_json(const struct experiment *e, const struct run *run)
{
	json_t *object = json_object();
	json_t *values = json_object();

	set_count(object, "number", run->number);
	set_count(object, "block", run->block);
	set_count(object, "attempt", run->attempt);
	set_text(object, "state", run_state_text(run->state));
	set_text(object, "reason", run->reason ? run->reason : "");
	set_text(object, "dir", run->dir);
	set_real(object, "measure_start_s", run->measure_start_s);
	set_real(object, "measure_end_s", run->measure_end_s);
	for (size_t i = 0; i < extra_count(e); i++) {
		const char *name = extra_at(e, i)->name;
		const struct value *v = run_value(run, name);

		if (v->is_there && isfinite(v->number))
			set_real(values, name, v->number);
		else
			set(values, name, missing_json(v->why));
	}
	set(object, "metrics", values);
	return object;
}

static json_t *metric_json(const struct experiment *e, size_t arm,
			   const struct metric *m)
{
	struct arm_summary s = summary_arm(e, arm, m->name);
	struct comparison c;
	json_t *object;

	if (s.n == 0 || !isfinite(s.mean))
		return missing_json(s.why);
	object = json_object();
	set_real(object, "value", s.mean);
	set_text(object, "unit", m->unit);
	set_text(object, "better", metric_better_text(m->better));
	set_count(object, "n", s.n);
	set_real(object, "stddev", s.stddev);
	if (arm == e->baseline)
		return object;
	c = summary_compare(e, arm, m->name);
	if (c.n == 0)
		return object;
	set_real(object, "ratio", c.ratio);
	set_real(object, "low", c.low);
	set_real(object, "high", c.high);
	return object;
}

static json_t *arm_json(const struct experiment *e, size_t arm)
{
	json_t *object = json_object();
	json_t *runs = json_array();
	json_t *values = json_object();

	set_text(object, "label", e->arms[arm].label);
	set(object, "settings", facts_json(&e->arms[arm].settings));
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].arm == arm)
			json_array_append_new(runs, run_json(e, &e->runs[i]));
	set(object, "runs", runs);
	for (size_t i = 0; i < extra_count(e); i++)
		set(values, extra_at(e, i)->name,
		    metric_json(e, arm, extra_at(e, i)));
	set(object, "metrics", values);
	return object;
}

static json_t *head_json(const struct experiment *e)
{
	json_t *object = json_object();

	set_text(object, "id", e->id);
	set_text(object, "title", e->title);
	set_text(object, "created", e->created);
	set_text(object, "program", e->program);
	set_text(object, "config_path", e->config_path);
	set_text(object, "config_hash", e->config_hash);
	set_text(object, "primary", e->primary);
	set_count(object, "blocks", e->blocks);
	set_count(object, "seed", e->seed);
	set_count(object, "runs_planned", e->n_planned);
	set_count(object, "runs_done", e->n_runs);
	set(object, "host", facts_json(&e->host));
	set(object, "server", facts_json(&e->server));
	set(object, "workload", facts_json(&e->workload));
	return object;
}

static json_t *notes_json(const struct experiment *e,
			  void (*make)(const struct experiment *e,
				       struct table *t))
{
	json_t *list = json_array();
	struct table notes;

	table_begin(&notes, "", "");
	make(e, &notes);
	for (size_t i = 0; i < notes.n_notes; i++)
		json_array_append_new(list, text_json(notes.notes[i]));
	table_free(&notes);
	return list;
}

static json_t *tables_json(const struct experiment *e, const size_t *tables,
			   size_t n)
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++) {
		const struct table_maker *maker = &table_makers[tables[i]];
		struct table t;

		table_begin(&t, maker->name, maker->help);
		maker->make(e, &t);
		json_array_append_new(list, form_json_object(&t));
		table_free(&t);
	}
	return list;
}

static void dump(json_t *json, struct str *out)
{
	auto_free char *text =
		json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(12) |
					 JSON_PRESERVE_ORDER);

	if (!text)
		abort();
	str_add(out, text);
	str_addc(out, '\n');
	json_decref(json);
}

void json_experiment(const struct experiment *e, const size_t *tables, size_t n,
		     struct str *out)
{
	json_t *object = json_object();
	json_t *arms = json_array();

	set(object, "experiment", head_json(e));
	set_text(object, "baseline",
		 e->n_arms ? e->arms[e->baseline].label : NULL);
	for (size_t arm = 0; arm < e->n_arms; arm++)
		json_array_append_new(arms, arm_json(e, arm));
	set(object, "arms", arms);
	set(object, "diagnosis", notes_json(e, notes_diagnosis));
	set(object, "marks", notes_json(e, notes_doubts));
	if (n)
		set(object, "tables", tables_json(e, tables, n));
	dump(object, out);
}

static json_t *cell_json(const struct table *t, size_t i)
{
	const struct table_cell *cell = &t->cells[i];

	return cell->reason ? missing_json(t->reasons[cell->reason - 1])
			    : text_json(cell->text);
}

json_t *form_json_object(const struct table *t)
{
	json_t *object = json_object();
	json_t *columns = json_array();
	json_t *rows = json_array();
	json_t *notes = json_array();

	set_text(object, "name", t->name);
	set_text(object, "title", t->title);
	for (size_t c = 0; c < t->n_columns; c++) {
		json_t *column = json_object();

		set_text(column, "title", t->columns[c].title);
		set_text(column, "unit", t->columns[c].unit);
		json_array_append_new(columns, column);
	}
	for (size_t r = 0; r < table_rows(t); r++) {
		json_t *row = json_array();

		for (size_t c = 0; c < t->n_columns; c++)
			json_array_append_new(row,
					      cell_json(t,
							r * t->n_columns + c));
		json_array_append_new(rows, row);
	}
	for (size_t i = 0; i < t->n_notes; i++)
		json_array_append_new(notes, text_json(t->notes[i]));
	set(object, "columns", columns);
	set(object, "rows", rows);
	set(object, "notes", notes);
	return object;
}

void form_json(const struct table *t, struct str *out)
{
	dump(form_json_object(t), out);
}
