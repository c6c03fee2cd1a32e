/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/arms.h"

#include "base/mem.h"
#include "data/metric.h"
#include "out/notes.h"

static void add_change(struct table *t, const struct arms_column *c)
{
	struct table_column *column = table_column(t, c->title, "%", false);

	column->csv = xasprintf("%s_change_pct,%s_change_low_pct,"
				"%s_change_high_pct",
				c->metric, c->metric, c->metric);
}

static void add_columns(struct table *t, const struct arms_column *columns,
			size_t n)
{
	table_column(t, "arm", "", true);
	for (size_t i = 0; i < n; i++) {
		const struct arms_column *c = &columns[i];
		const struct metric *m = metric_find(c->metric);
		const char *title = m ? m->title : c->metric;
		const char *unit = figure_unit(c->figure, m ? m->unit : "");

		if (c->figure == FIGURE_CHANGE) {
			add_change(t, c);
			continue;
		}
		table_column(t, c->title ? c->title : title,
			     c->unit ? c->unit : unit, false);
	}
}

static const char *const directions[] = {
	[METRIC_NEITHER] = "neither is better",
	[METRIC_MORE] = "higher is better",
	[METRIC_LESS] = "lower is better",
};

/* "total: lower is better; huge, share: neither is better." */
static void note_directions(struct table *t, const struct arms_column *columns,
			    size_t n)
{
	auto_str struct str text = { 0 };
	const struct metric *last = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct metric *m = metric_find(columns[i].metric);

		if (!m || columns[i].figure == FIGURE_CHANGE)
			continue;
		if (last && last->better != m->better)
			str_addf(&text, ": %s; ", directions[last->better]);
		else if (last)
			str_add(&text, ", ");
		str_add(&text, t->columns[i + 1].title);
		last = m;
	}
	if (last)
		table_note(t, "%s: %s.", text.text, directions[last->better]);
}

static void add_row(const struct experiment *e, size_t arm, struct table *t,
		    const struct arms_column *columns, size_t n)
{
	table_cell(t, "%s", e->arms[arm].label);
	for (size_t i = 0; i < n; i++) {
		struct arm_summary s = summary_arm(e, arm, columns[i].metric);

		if (columns[i].figure == FIGURE_CHANGE) {
			figure_change_cell(t, e, arm, columns[i].metric);
			continue;
		}
		figure_mean(t, &s, columns[i].figure);
	}
}

static void add_notes(const struct experiment *e, struct table *t,
		      const struct arms_column *columns, size_t n)
{
	note_directions(t, columns, n);
	note_runs(e, t);
	note_window(e, t);
	table_note(t, "Estimator: the mean over the counted runs.");
	for (size_t i = 0; i < n; i++)
		if (columns[i].figure != FIGURE_CHANGE)
			note_partial(e, t, columns[i].metric);
}

void arms_table(const struct experiment *e, struct table *t,
		const struct arms_column *columns, size_t n)
{
	add_columns(t, columns, n);
	for (size_t arm = 0; arm < e->n_arms; arm++)
		add_row(e, arm, t, columns, n);
	add_notes(e, t, columns, n);
}

void arms_table_some(const struct experiment *e, struct table *t,
		     const struct arms_column *columns, size_t n)
{
	add_columns(t, columns, n);
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (summary_arm(e, arm, columns[0].metric).n)
			add_row(e, arm, t, columns, n);
	add_notes(e, t, columns, n);
}
