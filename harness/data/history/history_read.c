/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/history_read.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/kver.h"
#include "data/stats/stats.h"

/* A query that grows with its arguments. */
struct question {
	struct str text;
	struct sql_value args[8];
	size_t n_args;
};

static void ask(struct question *q, const char *text, const char *value)
{
	if (!value)
		return;
	str_add(&q->text, text);
	q->args[q->n_args++] = sql_text(value);
}

static void ask_filter(struct question *q, const struct history_filter *f)
{
	ask(q, " AND e.host = ?", f->host);
	ask(q, " AND e.uid = ?", f->uid);
}

bool history_is_config(const struct history_filter *f, const char *hash,
		       const char *path)
{
	const char *slash = strrchr(path, '/');

	return !f->config || str_starts(hash, f->config) ||
	       str_eq(path, f->config) ||
	       str_eq(slash ? slash + 1 : path, f->config);
}

static char *copy(const struct sql_value *cell)
{
	return xstrdup(cell->type == SQL_TEXT ? cell->text : "");
}

static int run_query(struct history *h, struct question *q, sql_row_fn *row,
		     void *arg)
{
	struct sql_query query = {
		.text = q->text.text,
		.args = q->args,
		.n_args = q->n_args,
		.row = row,
		.arg = arg,
	};
	int ret = sql_query(&h->db, &query);

	str_free(&q->text);
	return ret ? history_fail(h, ret) : 0;
}

/* --- experiments --- */

struct experiments_work {
	const struct history_filter *f;
	struct history_experiments *out;
};

/* A row of each kernel of an experiment: the rest is the same in them. */
static int take_experiment(void *arg, const struct sql_value *cells, size_t n)
{
	struct experiments_work *w = arg;
	struct history_experiments *out = w->out;
	struct history_experiment *x;
	char *both;

	if (n != 11 || !history_is_config(w->f, cells[3].text, cells[4].text))
		return 0;
	if (!out->n || !str_eq(out->list[out->n - 1].uid, cells[0].text)) {
		XGROW(out->list, out->n);
		out->list[out->n++] = (struct history_experiment){
			.uid = copy(&cells[0]),
			.name = copy(&cells[1]),
			.host = copy(&cells[2]),
			.config = copy(&cells[3]),
			.config_path = copy(&cells[4]),
			.created = copy(&cells[5]),
			.baseline = copy(&cells[6]),
			.margin = copy(&cells[7]),
			.primary = copy(&cells[8]),
			.kernels = copy(&cells[9]),
			.n_runs = (size_t)cells[10].whole,
		};
		return 0;
	}
	x = &out->list[out->n - 1];
	x->n_runs += (size_t)cells[10].whole;
	both = xasprintf("%s and %s", x->kernels, cells[9].text);
	free(x->kernels);
	x->kernels = both;
	return 0;
}

int history_experiments(struct history *h, const struct history_filter *f,
			struct history_experiments *out)
{
	struct experiments_work w = { f, out };
	struct question q = { 0 };

	*out = (struct history_experiments){ 0 };
	str_add(&q.text,
		"SELECT e.uid, e.name, e.host, e.config, e.config_path, "
		"e.created, e.baseline, e.margin, e.primary_metric, r.kernel, "
		"COUNT(*) FROM experiment e "
		"JOIN run r ON r.experiment = e.uid WHERE 1 = 1");
	ask_filter(&q, f);
	ask(&q, " AND r.arm = ?", f->arm);
	str_add(&q.text,
		" GROUP BY e.uid, e.name, e.host, e.config, e.config_path, "
		"e.created, e.baseline, e.margin, e.primary_metric, r.kernel "
		"ORDER BY e.host, e.config, e.created, e.uid, r.kernel");
	return run_query(h, &q, take_experiment, &w);
}

void history_experiments_free(struct history_experiments *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct history_experiment *e = &x->list[i];

		free(e->uid);
		free(e->name);
		free(e->host);
		free(e->config);
		free(e->config_path);
		free(e->created);
		free(e->baseline);
		free(e->margin);
		free(e->primary);
		free(e->kernels);
	}
	free(x->list);
	*x = (struct history_experiments){ 0 };
}

/* --- series --- */

enum cell {
	HOST,
	CONFIG,
	CONFIG_PATH,
	ARM,
	METRIC,
	TITLE,
	UNIT,
	BETTER,
	MARGIN,
	UID,
	NAME,
	CREATED,
	KERNEL,
	VALUE,
	N_CELLS
};

struct series_work {
	const struct history_filter *f;
	struct history_list *out;
};

static bool is_same_series(const struct history_series *s,
			   const struct sql_value *cells)
{
	return str_eq(s->host, cells[HOST].text) &&
	       str_eq(s->config, cells[CONFIG].text) &&
	       str_eq(s->arm, cells[ARM].text) &&
	       str_eq(s->metric, cells[METRIC].text);
}

static enum metric_better better_of(const struct sql_value *cell,
				    const struct metric *known)
{
	const char *text = cell->type == SQL_TEXT ? cell->text : "";

	if (known)
		return known->better;
	if (str_eq(text, metric_better_text(METRIC_MORE)))
		return METRIC_MORE;
	return str_eq(text, metric_better_text(METRIC_LESS)) ? METRIC_LESS
							     : METRIC_NEITHER;
}

static struct history_series *open_series(struct history_list *out,
					  const struct sql_value *cells)
{
	const struct metric *known = metric_find(cells[METRIC].text);

	if (out->n && is_same_series(&out->list[out->n - 1], cells))
		return &out->list[out->n - 1];
	XGROW(out->list, out->n);
	out->list[out->n] = (struct history_series){
		.host = copy(&cells[HOST]),
		.config = copy(&cells[CONFIG]),
		.config_path = copy(&cells[CONFIG_PATH]),
		.arm = copy(&cells[ARM]),
		.metric = copy(&cells[METRIC]),
		.title = known ? xstrdup(known->title) : copy(&cells[TITLE]),
		.unit = known ? xstrdup(known->unit) : copy(&cells[UNIT]),
		.margin = copy(&cells[MARGIN]),
		.better = better_of(&cells[BETTER], known),
	};
	return &out->list[out->n++];
}

static struct history_point *open_point(struct history_series *s,
					const struct sql_value *cells)
{
	struct history_point *last = s->n ? &s->points[s->n - 1] : NULL;

	if (last && str_eq(last->uid, cells[UID].text) &&
	    str_eq(last->kernel, cells[KERNEL].text))
		return last;
	XGROW(s->points, s->n);
	s->points[s->n] = (struct history_point){
		.uid = copy(&cells[UID]),
		.name = copy(&cells[NAME]),
		.created = copy(&cells[CREATED]),
		.kernel = copy(&cells[KERNEL]),
	};
	return &s->points[s->n++];
}

static int take_value(void *arg, const struct sql_value *cells, size_t n)
{
	struct series_work *w = arg;
	struct history_point *p;

	if (n != N_CELLS || !history_is_config(w->f, cells[CONFIG].text,
					       cells[CONFIG_PATH].text))
		return 0;
	p = open_point(open_series(w->out, cells), cells);
	XGROW(p->x, p->n);
	p->x[p->n++] = cells[VALUE].real;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct history_point *x = a;
	const struct history_point *y = b;
	int order = strcmp(x->created, y->created);

	return order ? order : strcmp(x->uid, y->uid);
}

static int by_kernel(const void *a, const void *b)
{
	const struct history_point *x = a;
	const struct history_point *y = b;
	int order = kver_compare(x->kernel, y->kernel);

	return order ? order : by_time(a, b);
}

static void finish(struct history_list *out, bool is_by_time)
{
	for (size_t i = 0; i < out->n; i++) {
		struct history_series *s = &out->list[i];

		for (size_t k = 0; k < s->n; k++) {
			struct history_point *p = &s->points[k];

			p->mean = stats_mean(p->x, p->n);
			p->sd = stats_stddev(p->x, p->n);
		}
		qsort(s->points, s->n, sizeof(*s->points),
		      is_by_time ? by_time : by_kernel);
	}
}

int history_read(struct history *h, const struct history_filter *f,
		 struct history_list *out)
{
	struct series_work w = { f, out };
	struct question q = { 0 };
	int ret;

	*out = (struct history_list){ 0 };
	str_add(&q.text,
		"SELECT e.host, e.config, e.config_path, r.arm, v.metric, "
		"m.title, m.unit, m.better, e.margin, e.uid, e.name, "
		"e.created, r.kernel, v.value FROM experiment e "
		"JOIN run r ON r.experiment = e.uid "
		"JOIN measured v ON v.experiment = e.uid AND v.run = r.number "
		"LEFT JOIN metric m ON m.experiment = e.uid "
		"AND m.name = v.metric WHERE 1 = 1");
	ask_filter(&q, f);
	ask(&q, " AND r.arm = ?", f->arm);
	if (!f->metric)
		str_add(&q.text, " AND v.metric = e.primary_metric");
	else if (!str_eq(f->metric, "all"))
		ask(&q, " AND v.metric = ?", f->metric);
	str_add(&q.text, " ORDER BY e.host, e.config, r.arm, v.metric, "
			 "e.created, e.uid, r.kernel, r.number");
	ret = run_query(h, &q, take_value, &w);
	finish(out, f->by_time);
	return ret;
}

void history_list_free(struct history_list *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct history_series *s = &x->list[i];

		for (size_t k = 0; k < s->n; k++) {
			free(s->points[k].uid);
			free(s->points[k].name);
			free(s->points[k].created);
			free(s->points[k].kernel);
			free(s->points[k].x);
		}
		free(s->points);
		free(s->host);
		free(s->config);
		free(s->config_path);
		free(s->arm);
		free(s->metric);
		free(s->title);
		free(s->unit);
		free(s->margin);
	}
	free(x->list);
	*x = (struct history_list){ 0 };
}
