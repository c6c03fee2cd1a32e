/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/history_json.h"

#include "out/json_put.h"

static json_t *side_json(const struct history_point *p, double mean)
{
	json_t *json = json_object();

	json_put_text(json, "kernel", p->kernel);
	json_put_text(json, "experiment", p->name);
	json_put_text(json, "id", p->uid);
	json_put_text(json, "measured", p->created);
	json_put_real(json, "mean", mean);
	return json;
}

static void put_size(json_t *json, const struct change *x)
{
	if (!x->is_ratio) {
		json_put_real(json, "difference", x->size.centre);
		json_put_real(json, "low", x->size.low);
		json_put_real(json, "high", x->size.high);
		return;
	}
	json_put_real(json, "change_pct", 100 * (x->size.centre - 1));
	json_put_real(json, "low_pct", 100 * (x->size.low - 1));
	json_put_real(json, "high_pct", 100 * (x->size.high - 1));
}

/* from: where its segment in front begins, to: where that behind ends. */
static json_t *change_json(const struct history_series *s,
			   const struct change *x, size_t from, size_t to)
{
	json_t *json = json_object();

	json_put(json, "before", side_json(&s->points[x->at - 1], x->before));
	json_put(json, "behind", side_json(&s->points[x->at], x->after));
	json_put_count(json, "n_before", x->at - from);
	json_put_count(json, "n_behind", to - x->at);
	put_size(json, x);
	json_put_real(json, "p", x->p);
	json_put_text(json, "verdict", verdict_text(x->verdict));
	json_put(json, "made_good", json_boolean(x->is_made_good));
	return json;
}

static json_t *series_json(const struct changes *c)
{
	const struct history_series *s = c->series;
	json_t *json = json_object();
	json_t *list = json_array();

	json_put_text(json, "host", s->host);
	json_put_text(json, "config", s->config);
	json_put_text(json, "config_path", s->config_path);
	json_put_text(json, "arm", s->arm);
	json_put_text(json, "metric", s->metric);
	json_put_text(json, "unit", s->unit);
	json_put_text(json, "better", metric_better_text(s->better));
	json_put_count(json, "points", s->n);
	for (size_t i = 0; i < c->n; i++) {
		size_t to = i + 1 < c->n ? c->list[i + 1].at : s->n;

		json_array_append_new(list,
				      change_json(s, &c->list[i],
						  changes_segment(c, i), to));
	}
	json_put(json, "changes", list);
	json_put(json, "drift", json_boolean(c->is_drift));
	if (c->why)
		json_put_text(json, "missing", c->why);
	json_put(json, "newest",
		 c->newest.verdict == VERDICT_NONE
			 ? json_missing("fewer than 3 others in its segment")
			 : change_json(s, &c->newest, changes_segment(c, c->n),
				       s->n));
	return json;
}

void history_json_changes(const struct changes *list, size_t n,
			  const struct changes_options *options,
			  struct str *out)
{
	json_t *json = json_object();
	json_t *series = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(series, series_json(&list[i]));
	json_put_real(json, "magnitude_pct", 100 * options->magnitude);
	json_put(json, "series", series);
	json_print(json, out);
}
