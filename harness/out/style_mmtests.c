/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as compare-kernels.sh of mmtests prints them. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/import/foreign.h"
#include "data/stats/stats.h"
#include "out/cells.h"
#include "out/figure.h"
#include "out/style.h"
#include "out/wrap.h"

enum {
	MOST_TITLE = 16, /* of a metric, in characters */
	MOST_UNIT = 10,
	LEAST_LABEL = 14,
};

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
	bool is_spread;  /* less is better, whatever the metric */
	bool is_percent; /* of its own, not in the metric's unit */
} lines[] = {
	{ "Min", least, false, false },
	{ NULL, foreign_mmtests_mean, false, false },
	{ "Stddev", stddev, true, false },
	{ "CoeffVar", variation, true, true },
	{ "Max", most, false, false },
};

static char *value_text(const struct metric *m, size_t line, double value)
{
	if (lines[line].is_percent)
		return xasprintf("%.2f", value);
	if (str_eq(m->unit, "bytes"))
		return xasprintf("%.3f", value / (double)NUM_GIB);
	if (!metric_find(m->name) || fabs(value) >= 1e8)
		return figure_text(FIGURE_DIGITS, value);
	return xasprintf("%.2f", value);
}

static char *pct_text(double pct, bool is_marked)
{
	if (!isfinite(pct))
		return xstrdup("(    n/a )");
	return xasprintf("%c%7.*f%%%c", is_marked ? '*' : '(',
			 fabs(pct) < 1e4 ? 2 : 0, pct, is_marked ? '*' : ')');
}

static char *cell_text(const struct judgement *j, size_t line, bool is_base)
{
	enum metric_better better = j->metric->better;
	double base = lines[line].value(better, j->base.x, j->base.n);
	double value = lines[line].value(better, j->arm.x, j->arm.n);
	bool is_mean = !lines[line].name && !is_base;
	bool is_marked =
		is_mean && foreign_is_marked(&foreign_rules[1], j->base.x,
					     j->base.n, j->arm.x, j->arm.n);
	auto_free char *text = NULL;
	auto_free char *pct = NULL;

	if (!isfinite(is_base ? base : value))
		return xstrdup("n/a");
	text = value_text(j->metric, line, is_base ? base : value);
	pct = pct_text(is_base ? 0
			       : foreign_mmtests_pct(lines[line].is_spread
							     ? METRIC_LESS
							     : better,
						     base, value),
		       is_marked);
	return xasprintf("%s %s", text, pct);
}

/* Else it stands below. */
static bool is_short_unit(const struct metric *m)
{
	return strlen(verdicts_unit(m)) <= MOST_UNIT;
}

static void add_line(const struct verdicts *v, size_t m, size_t line,
		     struct cells *c)
{
	const char *mean =
		v->metrics[m]->better == METRIC_MORE ? "Hmean" : "Amean";
	auto_free char *title = style_title(v, m, MOST_TITLE);

	cells_add(c, xstrdup(lines[line].name ? lines[line].name : mean));
	cells_add(c, is_short_unit(v->metrics[m])
			     ? xasprintf("%s (%s)", title,
					 verdicts_unit(v->metrics[m]))
			     : xstrdup(title));
	for (size_t i = 0; i < v->n; i++) {
		const struct judgement *j = verdicts_of(v, i, m);
		bool is_there = j && j->base.n && j->arm.n;

		if (i == 0 || !verdicts_one_base(v))
			cells_add(c, is_there ? cell_text(j, line, true)
					      : xstrdup("n/a"));
		cells_add(c, is_there ? cell_text(j, line, false)
				      : xstrdup("n/a"));
	}
}

static void fill(const struct verdicts *v, struct cells *c)
{
	bool is_one = verdicts_one_base(v);

	*c = (struct cells){ .n_columns = 2 + v->n + (is_one ? 1 : v->n) };
	cells_add(c, xstrdup(""));
	cells_add(c, xstrdup(""));
	for (size_t i = 0; i < v->n; i++) {
		if (i == 0 || !is_one)
			cells_add(c, verdicts_label(v, &v->list[i], true));
		cells_add(c, verdicts_label(v, &v->list[i], false));
	}
	for (size_t m = 0; m < v->n_metrics; m++)
		for (size_t line = 0; line < ARRAY_SIZE(lines); line++)
			add_line(v, m, line, c);
}

/* Labels are as wide as the figures below them, else go on in a next line. */
static size_t width_of(const struct cells *c, size_t col)
{
	size_t most = col < 2 ? 1 : LEAST_LABEL;

	for (size_t row = 1; row < cells_rows(c); row++)
		if (strlen(cells_at(c, row, col)) > most)
			most = strlen(cells_at(c, row, col));
	return most;
}

static size_t total_width(const struct verdicts *v)
{
	struct cells c;
	size_t width = 0;

	fill(v, &c);
	for (size_t col = 0; col < c.n_columns; col++)
		width += width_of(&c, col) + (col > 0) + (col > 1);
	cells_free(&c);
	return width;
}

/* One line of a row: what is left of each cell, moved on. */
static bool print_line(const struct cells *c, const char **left,
		       struct str *out)
{
	bool more = false;

	for (size_t col = 0; col < c->n_columns; col++) {
		size_t width = width_of(c, col);
		size_t skip;
		size_t n = wrap_take(left[col], width, &skip);
		int fill = (int)(width - n);

		str_addf(out, "%s%*s%.*s%*s",
			 col > 1   ? "  "
			 : col > 0 ? " "
				   : "",
			 col > 1 ? fill : 0, "", (int)n, left[col],
			 col > 1 ? 0 : fill, "");
		left[col] += n + skip;
		more |= *left[col] != '\0';
	}
	str_addc(out, '\n');
	return more;
}

static void print_part(const struct verdicts *v, struct str *out)
{
	struct cells c;
	auto_free const char **left = NULL;

	fill(v, &c);
	left = xcalloc(c.n_columns, sizeof(*left));
	for (size_t row = 0; row < cells_rows(&c); row++) {
		for (size_t col = 0; col < c.n_columns; col++)
			left[col] = cells_at(&c, row, col);
		while (print_line(&c, left, out))
			;
	}
	cells_free(&c);
}

void style_mmtests(const struct verdicts *v, struct str *out)
{
	struct verdicts part;
	size_t from = 0;

	while (style_next_part(v, &from, total_width, &part)) {
		print_part(&part, out);
		str_addc(out, '\n');
	}
}

static void note_directions(const struct verdicts *v, enum metric_better better,
			    const char *words, struct table *t)
{
	auto_str struct str list = { 0 };

	for (size_t m = 0; m < v->n_metrics; m++)
		if (v->metrics[m]->better == better) {
			auto_free char *title = style_title(v, m, MOST_TITLE);

			str_addf(&list, "%s%s", list.len ? ", " : "", title);
		}
	if (list.len)
		table_note(t, "%s: %s.", words, list.text);
}

void style_mmtests_note(const struct verdicts *v, struct table *t)
{
	auto_free char *base = style_base(v);

	style_note_titles(v, MOST_TITLE, t);
	for (size_t m = 0; m < v->n_metrics; m++)
		if (!is_short_unit(v->metrics[m]))
			table_note(t, "Unit: %s: %s.", v->metrics[m]->title,
				   verdicts_unit(v->metrics[m]));
	note_directions(v, METRIC_MORE, "Higher is better", t);
	note_directions(v, METRIC_LESS, "Lower is better", t);
	note_directions(v, METRIC_NEITHER, "Neither is better", t);
	table_note(t,
		   "In brackets behind a figure: its change in %% of %s; "
		   "positive is better, of Stddev and CoeffVar (%%) too; "
		   "where neither is better it is higher.",
		   base);
	table_note(t,
		   "Amean, Hmean: arithmetic and harmonic mean over the runs. "
		   "*: %s.",
		   foreign_rules[1].help);
}
