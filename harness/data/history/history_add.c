/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a result folder into the history. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/history/history.h"

/* How often the work is begun anew after the server went away. */
enum { MOST_TRIES = 5 };

struct row {
	const struct run *run;
	const char *metric;
	double value;
	bool is_there; /* this value, or another of its run */
};

struct work {
	const struct experiment *e;
	const char *uid;
	char *host;
	char **kernels;   /* of each run of e */
	struct row *rows; /* by run and metric */
	size_t n_rows;
	bool is_known; /* the experiment is in the store */
	size_t n_differ;
};

static bool counts(const struct run *run)
{
	return run->state == RUN_OK || run->state == RUN_MARKED;
}

/* What the record says, or the user where it does not. */
static int choose(char **recorded, const char *said, const char *what,
		  const struct experiment *e)
{
	if (**recorded && (!said || str_eq(*recorded, said)))
		return 0;
	if (**recorded)
		return refuse(-EINVAL,
			      "history: %s: --%s %s, but its record says %s",
			      e->dir, what, said, *recorded);
	if (!said)
		return refuse(-EILSEQ,
			      "history: %s: its record names no %s; --%s "
			      "NAME says it",
			      e->dir, what, what);
	free(*recorded);
	*recorded = xstrdup(said);
	return 0;
}

static void add_rows(struct work *w, const struct run *run)
{
	for (size_t i = 0; i < extra_count(w->e); i++) {
		const struct metric *m = extra_at(w->e, i);
		const struct value *v = run_value(run, m->name);

		if (!v->is_there)
			continue;
		XGROW(w->rows, w->n_rows);
		w->rows[w->n_rows++] =
			(struct row){ run, m->name, v->number, false };
	}
}

static int by_run_and_metric(const void *a, const void *b)
{
	const struct row *x = a;
	const struct row *y = b;

	if (x->run->number != y->run->number)
		return x->run->number < y->run->number ? -1 : 1;
	return strcmp(x->metric, y->metric);
}

static int gather(struct work *w, const struct history_request *request,
		  struct history_added *out)
{
	const struct experiment *e = w->e;
	int ret;

	w->kernels = xcalloc(e->n_runs + 1, sizeof(*w->kernels));
	w->host = history_host(e);
	ret = choose(&w->host, request->host, "host", e);
	for (size_t i = 0; !ret && i < e->n_runs; i++) {
		if (!counts(&e->runs[i]))
			continue;
		w->kernels[i] = history_kernel(e, &e->runs[i]);
		ret = choose(&w->kernels[i], request->kernel, "kernel", e);
		add_rows(w, &e->runs[i]);
		out->n_runs++;
	}
	if (!ret && !out->n_runs)
		return refuse(-EILSEQ, "history: %s: no run of it counts",
			      e->dir);
	if (!ret && !w->n_rows)
		return refuse(-EILSEQ,
			      "history: %s: its %zu counted runs have no value",
			      e->dir, out->n_runs);
	if (!ret)
		qsort(w->rows, w->n_rows, sizeof(*w->rows), by_run_and_metric);
	return ret;
}

/* --- what is there already --- */

static int take_known(void *arg, const struct sql_value *cells, size_t n)
{
	struct work *w = arg;

	(void)cells;
	w->is_known = n > 0;
	return 0;
}

static int take_measured(void *arg, const struct sql_value *cells, size_t n)
{
	struct work *w = arg;
	struct run run = { 0 };
	struct row key = { .run = &run };
	struct row *row;

	if (n != 3 || cells[0].type != SQL_WHOLE || cells[1].type != SQL_TEXT)
		return -EPROTO;
	run.number = (unsigned int)cells[0].whole;
	key.metric = cells[1].text;
	row = bsearch(&key, w->rows, w->n_rows, sizeof(*w->rows),
		      by_run_and_metric);
	if (!row)
		return 0;
	row->is_there = true;
	/* Exactly: both keep what was written. */
	w->n_differ += islessgreater(row->value, cells[2].real) != 0;
	return 0;
}

/* A run is added whole, so that one that is there is there whole. */
static void spread_known(struct work *w)
{
	size_t first = 0;

	for (size_t i = 0; i <= w->n_rows; i++) {
		bool is_there = false;

		if (i < w->n_rows && w->rows[i].run == w->rows[first].run)
			continue;
		for (size_t k = first; k < i; k++)
			is_there |= w->rows[k].is_there;
		for (; first < i; first++)
			w->rows[first].is_there = is_there;
	}
}

static int read_known(struct sql *db, struct work *w)
{
	const struct sql_value args[] = { sql_text(w->uid) };
	struct sql_query known = {
		.text = "SELECT uid FROM experiment WHERE uid = ?",
		.args = args,
		.n_args = ARRAY_SIZE(args),
		.row = take_known,
		.arg = w,
	};
	struct sql_query measured = known;
	int ret;

	w->is_known = false;
	w->n_differ = 0;
	for (size_t i = 0; i < w->n_rows; i++)
		w->rows[i].is_there = false;
	measured.text = "SELECT run, metric, value FROM measured "
			"WHERE experiment = ?";
	measured.row = take_measured;
	ret = sql_query(db, &known);
	if (!ret)
		ret = sql_query(db, &measured);
	spread_known(w);
	return ret;
}

/* --- what is new --- */

static int insert_experiment(struct sql *db, const struct work *w)
{
	const struct experiment *e = w->e;
	const char *baseline =
		e->baseline < e->n_arms ? e->arms[e->baseline].label : "";
	const char *const texts[] = {
		w->uid,
		e->id,
		e->title,
		w->host,
		e->config_hash,
		e->config_path,
		e->created,
		e->program,
		e->primary,
		baseline,
		facts_get(&e->judging, "margin"),
	};
	struct sql_value values[ARRAY_SIZE(texts)];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		values[i] = sql_text(texts[i] ? texts[i] : "");
	return sql_insert(db,
			  "INSERT INTO experiment (uid, name, title, host, "
			  "config, config_path, created, program, "
			  "primary_metric, baseline, margin) VALUES",
			  values, ARRAY_SIZE(values), 1);
}

static int insert_metrics(struct sql *db, const struct work *w)
{
	size_t n = extra_count(w->e);
	auto_free struct sql_value *values =
		xcalloc(5 * n + 1, sizeof(*values));
	struct sql_value *v = values;

	for (size_t i = 0; i < n; i++) {
		const struct metric *m = extra_at(w->e, i);

		*v++ = sql_text(w->uid);
		*v++ = sql_text(m->name);
		*v++ = sql_text(m->title);
		*v++ = sql_text(m->unit);
		*v++ = sql_text(metric_better_text(m->better));
	}
	return sql_insert(db,
			  "INSERT INTO metric (experiment, name, title, unit, "
			  "better) VALUES",
			  values, 5, n);
}

static int insert_runs(struct sql *db, const struct work *w,
		       struct history_added *out)
{
	auto_free struct sql_value *values =
		xcalloc(7 * w->e->n_runs + 1, sizeof(*values));
	const struct run *last = NULL;
	struct sql_value *v = values;

	out->n_new = 0;
	for (size_t i = 0; i < w->n_rows; i++) {
		const struct run *run = w->rows[i].run;
		bool is_new = run != last;

		last = run;
		if (!is_new || w->rows[i].is_there)
			continue;
		*v++ = sql_text(w->uid);
		*v++ = sql_whole(run->number);
		*v++ = sql_whole(run->block);
		*v++ = sql_whole(run->attempt);
		*v++ = sql_text(w->e->arms[run->arm].label);
		*v++ = sql_text(w->kernels[run - w->e->runs]);
		*v++ = sql_text(run_state_text(run->state));
		out->n_new++;
	}
	return sql_insert(db,
			  "INSERT INTO run (experiment, number, block, "
			  "attempt, arm, kernel, state) VALUES",
			  values, 7, out->n_new);
}

static int insert_values(struct sql *db, const struct work *w,
			 struct history_added *out)
{
	auto_free struct sql_value *values =
		xcalloc(4 * w->n_rows + 1, sizeof(*values));
	struct sql_value *v = values;

	out->n_values = 0;
	for (size_t i = 0; i < w->n_rows; i++) {
		if (w->rows[i].is_there)
			continue;
		*v++ = sql_text(w->uid);
		*v++ = sql_whole(w->rows[i].run->number);
		*v++ = sql_text(w->rows[i].metric);
		*v++ = sql_real(w->rows[i].value);
		out->n_values++;
	}
	return sql_insert(db,
			  "INSERT INTO measured (experiment, run, metric, "
			  "value) VALUES",
			  values, 4, out->n_values);
}

static int add_once(struct sql *db, struct work *w, struct history_added *out)
{
	int ret = db->kind->begin(db);

	if (!ret)
		ret = read_known(db, w);
	if (!ret && !w->is_known) {
		ret = insert_experiment(db, w);
		if (!ret)
			ret = insert_metrics(db, w);
	}
	if (!ret)
		ret = insert_runs(db, w, out);
	if (!ret)
		ret = insert_values(db, w, out);
	out->n_differ = w->n_differ;
	if (!ret)
		ret = db->kind->commit(db);
	if (ret)
		db->kind->rollback(db);
	return ret;
}

/*
 * Where the server went away as it committed, nobody knows whether it did; to
 * do it again is right in both cases.
 */
static int add_stubbornly(struct history *h, struct work *w,
			  struct history_added *out)
{
	int ret = add_once(&h->db, w, out);

	for (int i = 1;
	     ret == -EAGAIN && h->db.url.is_mariadb && i < MOST_TRIES; i++) {
		warn("history: %s; once more", sql_why(&h->db));
		clock_sleep_until(clock_ns() + (uint64_t)i * NUM_NS_PER_S);
		ret = sql_reopen(&h->db);
		if (!ret)
			ret = add_once(&h->db, w, out);
	}
	return ret;
}

static void work_free(struct work *w)
{
	for (size_t i = 0; w->kernels && i < w->e->n_runs; i++)
		free(w->kernels[i]);
	free(w->kernels);
	free(w->host);
	free(w->rows);
}

int history_add(struct history *h, const struct experiment *e,
		const struct history_request *request,
		struct history_added *out)
{
	struct work w = { .e = e, .uid = out->uid };
	int ret;

	*out = (struct history_added){ 0 };
	history_uid(e, out->uid);
	ret = gather(&w, request, out);
	if (!ret) {
		ret = add_stubbornly(h, &w, out);
		if (ret)
			refuse(ret, "history: %s; nothing of %s was added",
			       sql_why(&h->db), e->dir);
	}
	work_free(&w);
	return ret;
}
