/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/json.h"

#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/merge.h"
#include "data/summary.h"
#include "out/forms.h"
#include "out/json_put.h"
#include "out/notes.h"

static json_t *run_json(const struct experiment *e, const struct run *run)
{
	json_t *object = json_object();
	json_t *values = json_object();

	json_put_count(object, "number", run->number);
	json_put_count(object, "block", run->block);
	json_put_count(object, "attempt", run->attempt);
	json_put_text(object, "state", run_state_text(run->state));
	json_put_text(object, "reason", run->reason ? run->reason : "");
	json_put_text(object, "dir", run->dir);
	if (e->n_parts)
		json_put_text(object, "host", merge_host(e, run));
	json_put_real(object, "measure_start_s", run->measure_start_s);
	json_put_real(object, "measure_end_s", run->measure_end_s);
	for (size_t i = 0; i < extra_count(e); i++) {
		const char *name = extra_at(e, i)->name;
		const struct value *v = run_value(run, name);

		if (v->is_there && isfinite(v->number))
			json_put_real(values, name, v->number);
		else
			json_put(values, name, json_missing(v->why));
	}
	json_put(object, "metrics", values);
	return object;
}

static json_t *metric_json(const struct experiment *e,
			   const struct judgements *judged, size_t arm,
			   const struct metric *m)
{
	const struct side side = { e, arm };
	const struct judgement *j = judgement_of(judged, &side, m->name);
	struct arm_summary s = summary_arm(e, arm, m->name);
	struct comparison c;
	json_t *object;

	if (s.n == 0 || !isfinite(s.mean))
		return json_missing(s.why);
	object = json_object();
	json_put_real(object, "value", s.mean);
	json_put_text(object, "unit", m->unit);
	json_put_text(object, "better", metric_better_text(m->better));
	json_put_count(object, "n", s.n);
	json_put_real(object, "stddev", s.stddev);
	if (arm == e->baseline)
		return object;
	c = summary_compare(e, arm, m->name);
	if (c.n) {
		json_put_real(object, "ratio", c.ratio);
		json_put_real(object, "low", c.low);
		json_put_real(object, "high", c.high);
	}
	if (j)
		json_put_judgement(object, j, judged->margin);
	return object;
}

static json_t *arm_json(const struct experiment *e,
			const struct judgements *judged, size_t arm)
{
	json_t *object = json_object();
	json_t *runs = json_array();
	json_t *values = json_object();

	json_put_text(object, "label", e->arms[arm].label);
	json_put(object, "settings", json_facts(&e->arms[arm].settings));
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].arm == arm)
			json_array_append_new(runs, run_json(e, &e->runs[i]));
	json_put(object, "runs", runs);
	for (size_t i = 0; i < extra_count(e); i++)
		json_put(values, extra_at(e, i)->name,
			 metric_json(e, judged, arm, extra_at(e, i)));
	json_put(object, "metrics", values);
	return object;
}

static json_t *parts_json(const struct experiment *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->n_parts; i++) {
		json_t *object = json_object();

		json_put_count(object, "shard", e->parts[i].index);
		json_put_text(object, "host", e->hosts[e->parts[i].host].name);
		json_put_text(object, "dir", e->parts[i].dir);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *hosts_json(const struct experiment *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->n_hosts; i++) {
		json_t *object = json_object();

		json_put_text(object, "name", e->hosts[i].name);
		json_put(object, "facts", json_facts(&e->hosts[i].facts));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *head_json(const struct experiment *e)
{
	json_t *object = json_object();

	json_put_text(object, "id", e->id);
	json_put_text(object, "title", e->title);
	json_put_text(object, "created", e->created);
	json_put_text(object, "program", e->program);
	json_put_text(object, "config_path", e->config_path);
	json_put_text(object, "config_hash", e->config_hash);
	json_put_text(object, "primary", e->primary);
	json_put_count(object, "blocks", e->blocks);
	json_put_count(object, "seed", e->seed);
	json_put_count(object, "runs_planned", e->n_planned);
	json_put_count(object, "runs_done", e->n_runs);
	if (e->n_parts) {
		json_put_count(object, "shards", e->shard.of);
		json_put(object, "parts", parts_json(e));
		json_put(object, "hosts", hosts_json(e));
	}
	json_put(object, "host", json_facts(&e->host));
	json_put(object, "server", json_facts(&e->server));
	json_put(object, "workload", json_facts(&e->workload));
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
		json_array_append_new(list, json_text(notes.notes[i]));
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

void json_experiment(const struct experiment *e, const size_t *tables, size_t n,
		     struct str *out)
{
	json_t *object = json_object();
	json_t *arms = json_array();
	struct judgements judged;

	judge_experiment(e, NULL, &judged);
	json_put(object, "experiment", head_json(e));
	json_put_text(object, "baseline",
		      e->n_arms ? e->arms[e->baseline].label : NULL);
	for (size_t arm = 0; arm < e->n_arms; arm++)
		json_array_append_new(arms, arm_json(e, &judged, arm));
	judgements_free(&judged);
	json_put(object, "arms", arms);
	json_put(object, "diagnosis", notes_json(e, notes_diagnosis));
	json_put(object, "marks", notes_json(e, notes_doubts));
	if (n)
		json_put(object, "tables", tables_json(e, tables, n));
	json_print(object, out);
}

static json_t *cell_json(const struct table *t, size_t i)
{
	const struct table_cell *cell = &t->cells[i];

	return cell->reason ? json_missing(t->reasons[cell->reason - 1])
			    : json_text(cell->text);
}

json_t *form_json_object(const struct table *t)
{
	json_t *object = json_object();
	json_t *columns = json_array();
	json_t *rows = json_array();
	json_t *notes = json_array();

	json_put_text(object, "name", t->name);
	json_put_text(object, "title", t->title);
	for (size_t c = 0; c < t->n_columns; c++) {
		json_t *column = json_object();

		json_put_text(column, "title", t->columns[c].title);
		json_put_text(column, "unit", t->columns[c].unit);
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
		json_array_append_new(notes, json_text(t->notes[i]));
	json_put(object, "columns", columns);
	json_put(object, "rows", rows);
	json_put(object, "notes", notes);
	return object;
}

void form_json(const struct table *t, struct str *out)
{
	json_print(form_json_object(t), out);
}
