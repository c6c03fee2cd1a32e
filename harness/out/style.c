/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons in the forms of Arm Fastpath, mmtests and DAMON's letters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/foreign.h"
#include "data/stats.h"
#include "out/compare.h"
#include "out/wrap.h"

/* Cells of a form that no struct table has, row by row; owned. */
struct cells {
	char **texts;
	size_t n;
	size_t n_columns;
	size_t n_rows;
};

static void add(struct cells *c, char *text)
{
	auto_free char *given = text;

	XGROW(c->texts, c->n);
	c->texts[c->n++] = wrap_ascii(given);
	c->n_rows = c->n / c->n_columns;
}

static const char *at(const struct cells *c, size_t row, size_t col)
{
	return c->texts[row * c->n_columns + col];
}

static size_t width(const struct cells *c, size_t col)
{
	size_t most = 0;

	for (size_t row = 0; row < c->n_rows; row++)
		if (strlen(at(c, row, col)) > most)
			most = strlen(at(c, row, col));
	return most;
}

static void cells_free(struct cells *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->texts[i]);
	free(c->texts);
}

/* The change of the means: what these tools print, blocks or not. */
static double mean_pct(const struct judgement *j)
{
	double base = stats_mean(j->base.x, j->base.n);

	return 100 * (stats_mean(j->arm.x, j->arm.n) - base) / base;
}

/* --- Fastpath --- */

static void rule(const struct cells *c, char sign, struct str *out)
{
	for (size_t col = 0; col < c->n_columns; col++) {
		str_addc(out, '+');
		for (size_t i = 0; i < width(c, col) + 2; i++)
			str_addc(out, sign);
	}
	str_add(out, "+\n");
}

static void grid_row(const struct cells *c, size_t row, struct str *out)
{
	for (size_t col = 0; col < c->n_columns; col++) {
		int w = (int)width(c, col);

		if (col)
			str_addf(out, "| %*s ", w, at(c, row, col));
		else
			str_addf(out, "| %-*s ", w, at(c, row, col));
	}
	str_add(out, "|\n");
}

static char *fastpath_cell(const struct judgement *j)
{
	const char *mark;

	if (!j || !isfinite(mean_pct(j)))
		return xstrdup("n/a");
	mark = foreign_mark(&foreign_rules[0], j->metric->better, j->base.x,
			    j->base.n, j->arm.x, j->arm.n);
	return xasprintf("%s%s%.2f%%", str_eq(mark, "-") ? "" : mark,
			 str_eq(mark, "-") ? "" : " ", mean_pct(j));
}

static const char *workload_name(const struct verdicts *v)
{
	const struct facts *w = &v->list[0].base.e->workload;
	const char *name = facts_get(w, "script");

	if (!*name)
		name = facts_get(w, "program");
	return *name ? name : "benchmark";
}

/* One baseline: its column, then the arms. Else a column a pair. */
static void fastpath_head(const struct verdicts *v, struct cells *c)
{
	bool is_one = verdicts_one_base(v);

	add(c, xstrdup("Benchmark"));
	if (is_one)
		add(c, verdicts_label(v, &v->list[0], true));
	for (size_t i = 0; i < v->n; i++)
		add(c, verdicts_label(v, &v->list[i], false));
	add(c, xstrdup("  Result Class"));
	for (size_t i = 1; i < c->n_columns; i++)
		add(c, xstrdup(i == 1 && is_one ? "(base)" : ""));
}

void style_fastpath(const struct verdicts *v, struct str *out)
{
	bool is_one = verdicts_one_base(v);
	struct cells c = { .n_columns = v->n + 1 + is_one };

	fastpath_head(v, &c);
	add(&c, xstrdup(workload_name(v)));
	for (size_t i = 1; i < c.n_columns; i++)
		add(&c, xstrdup(""));
	for (size_t m = 0; m < v->n_metrics; m++) {
		add(&c, xasprintf("  %s (%s)", v->metrics[m]->title,
				  v->metrics[m]->unit));
		if (is_one)
			add(&c, xstrdup("0.00%"));
		for (size_t i = 0; i < v->n; i++)
			add(&c, fastpath_cell(verdicts_of(v, i, m)));
	}
	rule(&c, '-', out);
	grid_row(&c, 0, out);
	grid_row(&c, 1, out);
	rule(&c, '=', out);
	for (size_t row = 2; row < c.n_rows; row++)
		grid_row(&c, row, out);
	rule(&c, '-', out);
	cells_free(&c);
}

/* --- mmtests --- */

static double least(enum metric_better better, const double *x, size_t n)
{
	double out = HUGE_VAL;

	(void)better;
	for (size_t i = 0; i < n; i++)
		out = fmin(out, x[i]);
	return out;
}

static double most(enum metric_better better, const double *x, size_t n)
{
	double out = -HUGE_VAL;

	(void)better;
	for (size_t i = 0; i < n; i++)
		out = fmax(out, x[i]);
	return out;
}

static double stddev(enum metric_better better, const double *x, size_t n)
{
	(void)better;
	return stats_stddev(x, n);
}

static double variation(enum metric_better better, const double *x, size_t n)
{
	(void)better;
	return 100 * stats_stddev(x, n) / stats_mean(x, n);
}

static const struct {
	const char *name; /* NULL: Hmean where more is better, else Amean */
	double (*value)(enum metric_better better, const double *x, size_t n);
	bool is_spread; /* less is better, whatever the metric */
} lines[] = {
	{ "Min", least, false },    { NULL, foreign_mmtests_mean, false },
	{ "Stddev", stddev, true }, { "CoeffVar", variation, true },
	{ "Max", most, false },
};

static char *mmtests_cell(const struct judgement *j, size_t line, bool is_base)
{
	enum metric_better better = j->metric->better;
	double base = lines[line].value(better, j->base.x, j->base.n);
	double value = lines[line].value(better, j->arm.x, j->arm.n);
	double pct = foreign_mmtests_pct(lines[line].is_spread ? METRIC_LESS
							       : better,
					 base, value);
	bool is_marked = !lines[line].name && !is_base &&
			 foreign_rules[1].is_marked(j->base.x, j->base.n,
						    j->arm.x, j->arm.n);

	if (!isfinite(is_base ? base : value))
		return xstrdup("n/a");
	if (is_base)
		return xasprintf("%.2f (   0.00%%)", base);
	if (!isfinite(pct))
		return xasprintf("%.2f (    n/a )", value);
	return xasprintf("%.2f %s%7.2f%%%s", value, is_marked ? "*" : "(", pct,
			 is_marked ? "*" : ")");
}

static void mmtests_line(const struct verdicts *v, size_t m, size_t line,
			 struct cells *c)
{
	const char *mean =
		v->metrics[m]->better == METRIC_MORE ? "Hmean" : "Amean";

	add(c, xstrdup(lines[line].name ? lines[line].name : mean));
	add(c, xstrdup(v->metrics[m]->name));
	for (size_t i = 0; i < v->n; i++) {
		const struct judgement *j = verdicts_of(v, i, m);
		bool is_there = j && j->base.n && j->arm.n;

		if (i == 0 || !verdicts_one_base(v))
			add(c, is_there ? mmtests_cell(j, line, true)
					: xstrdup("n/a"));
		add(c,
		    is_there ? mmtests_cell(j, line, false) : xstrdup("n/a"));
	}
}

void style_mmtests(const struct verdicts *v, struct str *out)
{
	bool is_one = verdicts_one_base(v);
	struct cells c = { .n_columns = 2 + v->n + (is_one ? 1 : v->n) };

	add(&c, xstrdup(""));
	add(&c, xstrdup(""));
	for (size_t i = 0; i < v->n; i++) {
		if (i == 0 || !is_one)
			add(&c, verdicts_label(v, &v->list[i], true));
		add(&c, verdicts_label(v, &v->list[i], false));
	}
	for (size_t m = 0; m < v->n_metrics; m++)
		for (size_t line = 0; line < ARRAY_SIZE(lines); line++)
			mmtests_line(v, m, line, &c);
	for (size_t row = 0; row < c.n_rows; row++) {
		str_addf(out, "%-*s  %-*s", (int)width(&c, 0), at(&c, row, 0),
			 (int)width(&c, 1), at(&c, row, 1));
		for (size_t col = 2; col < c.n_columns; col++)
			str_addf(out, "  %*s", (int)width(&c, col),
				 at(&c, row, col));
		str_addc(out, '\n');
	}
	cells_free(&c);
}

/* --- DAMON's letters --- */

static void damon_cells(struct table *t, const struct judgement *j,
			bool has_orig)
{
	if (has_orig)
		verdicts_mean_cell(t, &j->base, j->metric);
	verdicts_mean_cell(t, &j->arm, j->metric);
	if (isfinite(mean_pct(j)))
		table_cell(t, "(%.2f)", mean_pct(j));
	else
		table_missing(t, "no value, or 0, in orig");
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
		table_cell(t, "%s (%s)", v->metrics[m]->title,
			   verdicts_unit(v->metrics[m]));
		for (size_t i = 0; i < v->n; i++)
			damon_cells(t, verdicts_of(v, i, m), i == 0 || !is_one);
	}
	table_note(t,
		   "orig: '%s'. Overhead: the change of the mean over the "
		   "runs, in %% of orig; no interval.",
		   v->n ? v->list[0].base.e->arms[v->list[0].base.arm].label
			: "");
}
