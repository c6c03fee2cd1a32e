/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the forms of others share, and that of DAMON's letters. */
#include "out/style.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "data/stats/stats.h"
#include "out/figure.h"
#include "out/wrap.h"

/* Of a metric in DAMON's form, in characters. */
enum { MOST_TITLE = 20 };

char *style_title(const struct verdicts *v, size_t metric, size_t most)
{
	const char *title = v->metrics[metric]->title;

	if (strlen(title) <= most)
		return xstrdup(title);
	return xasprintf("metric %zu", metric + 1);
}

void style_note_titles(const struct verdicts *v, size_t most, struct table *t)
{
	for (size_t m = 0; m < v->n_metrics; m++)
		if (strlen(v->metrics[m]->title) > most)
			table_note(t, "metric %zu: %s.", m + 1,
				   v->metrics[m]->title);
}

void style_note_metrics(const struct verdicts *v, size_t most, struct table *t)
{
	style_note_titles(v, most, t);
	table_note(t, "In brackets behind a metric: its unit, and whether "
		      "higher or lower is better.");
}

char *style_metric(const struct verdicts *v, size_t metric, size_t most)
{
	static const char *const better[] = {
		[METRIC_NEITHER] = "neither",
		[METRIC_MORE] = "higher",
		[METRIC_LESS] = "lower",
	};
	const struct metric *m = v->metrics[metric];
	auto_free char *title = style_title(v, metric, most);

	return xasprintf("%s (%s, %s)", title, verdicts_unit(m),
			 better[m->better]);
}

double style_mean_pct(const struct judgement *j)
{
	double base = stats_mean(j->base.x, j->base.n);

	/* Of a negative figure it would have the sign of the contrary. */
	if (!(base > 0))
		return NAN;
	return 100 * (stats_mean(j->arm.x, j->arm.n) - base) / base;
}

char *style_base(const struct verdicts *v)
{
	if (!v->n)
		return xstrdup("no arm");
	if (!verdicts_one_base(v))
		return xstrdup("the same arm of the base folder");
	return xasprintf("'%s'",
			 v->list[0].base.e->arms[v->list[0].base.arm].label);
}

bool style_next_part(const struct verdicts *v, size_t *from,
		     size_t (*width)(const struct verdicts *v),
		     struct verdicts *part)
{
	if (*from >= v->n)
		return false;
	*part = *v;
	part->list += *from;
	part->n = v->n - *from;
	while (part->n > 1 && width(part) > WRAP_WIDTH)
		part->n--;
	*from += part->n;
	return true;
}

static void add_change(struct str *out, const struct judgement *j,
		       const char *label)
{
	const struct comparison c = { j->n, j->ratio.centre, j->ratio.low,
				      j->ratio.high };
	auto_free char *change = figure_change(&c);

	str_addf(out, "%s %s %s", out->len ? ";" : "", label,
		 isnan(c.ratio) ? "n/a" : change);
	if (isnan(c.ratio) || j->verdict == VERDICT_NONE)
		str_addf(out, ", %s", j->why);
	else
		str_addf(out, ", %s", verdict_text(j->verdict));
}

void style_note_intervals(const struct verdicts *v, struct table *t)
{
	auto_str struct str list = { 0 };

	for (size_t i = 0; v->n_metrics && i < v->n; i++) {
		const struct judgement *j = verdicts_of(v, i, 0);
		auto_free char *label = verdicts_label(v, &v->list[i], false);

		if (j)
			add_change(&list, j, label);
	}
	if (!list.len)
		return;
	table_note(t, "This form has no intervals. %s with them:%s.",
		   v->metrics[0]->title, list.text);
	verdicts_note_estimate(v, t);
}

/* --- DAMON's letters --- */

static void damon_cells(struct table *t, const struct judgement *j,
			bool has_orig)
{
	if (has_orig)
		verdicts_mean_cell(t, &j->base, j->metric);
	verdicts_mean_cell(t, &j->arm, j->metric);
	if (isfinite(style_mean_pct(j)))
		table_cell(t, "(%.2f)", style_mean_pct(j));
	else
		table_missing(t, "no value above 0 in orig");
}

void style_damon(const struct verdicts *v, struct table *t)
{
	bool is_one = verdicts_one_base(v);

	table_column(t, "metric", "", true);
	for (size_t i = 0; i < v->n; i++) {
		auto_free char *label = verdicts_label(v, &v->list[i], false);

		if (i == 0 || !is_one)
			table_column(t, "orig", "", false);
		table_column(t, label, "", false);
		table_column(t, "(overhead %)", "", false);
	}
	for (size_t m = 0; m < v->n_metrics; m++) {
		auto_free char *label = style_metric(v, m, MOST_TITLE);

		table_cell(t, "%s", label);
		for (size_t i = 0; i < v->n; i++)
			damon_cells(t, verdicts_of(v, i, m), i == 0 || !is_one);
	}
}

void style_damon_note(const struct verdicts *v, struct table *t)
{
	auto_free char *base = style_base(v);

	style_note_metrics(v, MOST_TITLE, t);
	table_note(t,
		   "orig: %s. Values: the mean over the runs. Overhead: the "
		   "change of that mean, in %% of orig.",
		   base);
}

static size_t cell_width(const struct table *t, size_t i)
{
	/* "n/a (1)" where there is none. */
	return strlen(t->cells[i].text) + (t->cells[i].reason ? 4 : 0);
}

size_t style_damon_width(const struct verdicts *v)
{
	struct table t;
	size_t total = 0;

	table_begin(&t, "", "");
	style_damon(v, &t);
	for (size_t c = 0; c < t.n_columns; c++) {
		size_t most = strlen(t.columns[c].title);

		for (size_t i = c; i < t.n_cells; i += t.n_columns)
			if (cell_width(&t, i) > most)
				most = cell_width(&t, i);
		total += most + (c ? 2 : 0);
	}
	table_free(&t);
	return total;
}
