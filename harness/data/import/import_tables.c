/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of mmtests and Fastpath: data/lint/mail.h reads them. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/extra.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"
#include "data/lint/mail.h"

/* --- mmtests --- */

/*
 * Hmean where more is better, Amean where less is (its sign convention:
 * positive is better); otherwise the sign of a percentage tells.
 */
static enum metric_better better_of(const struct mail_row *row, size_t n)
{
	if (str_starts(row->label, "Hmean") || str_starts(row->label, "BHmean"))
		return METRIC_MORE;
	if (str_starts(row->label, "Amean") || str_starts(row->label, "BAmean"))
		return METRIC_LESS;
	for (size_t c = 1; c < n; c++) {
		const struct quantity *a = &row->cells[0].figure;
		const struct quantity *b = &row->cells[c].figure;

		if (fabs(b->aside) <= b->aside_half ||
		    fabs(b->number - a->number) <= a->half + b->half)
			continue;
		return (b->number > a->number) == (b->aside > 0) ? METRIC_MORE
								 : METRIC_LESS;
	}
	return METRIC_NEITHER;
}

/* "Hmean     1-SET" -> "Hmean 1-SET" */
static char *squeeze(const char *text)
{
	auto_free char *copy = xstrdup(text);
	auto_free char **words = NULL;
	struct str out = { 0 };
	size_t n;

	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		str_addf(&out, "%s%s", i ? " " : "", words[i]);
	return str_steal(&out);
}

static char *column_label(const struct import *im, const struct mail_table *t,
			  size_t c)
{
	if (t->columns[c].title[0])
		return xstrdup(t->columns[c].title);
	return xasprintf("%s column %zu", im->label, c + 1);
}

static void take_mmtests(struct import *im, const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		const struct mail_row *row = &t->rows[r];
		auto_free char *name = squeeze(row->label);
		const char *metric =
			import_metric(im, name, "unknown",
				      better_of(row, t->n_columns),
				      "a row of mmtests, over its iterations");

		for (size_t c = 0; c < t->n_columns; c++) {
			auto_free char *label = column_label(im, t, c);
			size_t arm = import_arm(im, label);

			import_value(import_run_for(im, arm, metric), metric,
				     row->cells[c].figure.number);
		}
	}
}

static int read_tables(struct import *im, const char *text, enum mail_form form,
		       void (*take)(struct import *im,
				    const struct mail_table *t))
{
	struct mail m;
	size_t n = 0;

	mail_parse(text, &m);
	for (size_t i = 0; i < m.n_tables; i++) {
		if (m.tables[i].form != form)
			continue;
		take(im, &m.tables[i]);
		n++;
	}
	mail_free(&m);
	if (!n)
		return import_refuse(im, 0,
				     "no table of %s in it; thpbench(1) "
				     "names other formats",
				     im->request->format->name);
	import_mark(im, "the tables hold means: how many runs they are of, and "
			"their spread, is not known");
	return 0;
}

int import_mmtests(struct import *im, const char *text)
{
	return read_tables(im, text, MAIL_MMTESTS, take_mmtests);
}

/* "1-SET  1  31788.42": name, iteration, value; maybe a mark behind. */
int import_mmtests_results(struct import *im, const char *text)
{
	struct import_lines l = { .at = text };
	size_t arm = import_arm(im, im->label);
	size_t n_values = 0;

	while (import_next_line(&l)) {
		size_t n;
		auto_free char **words = str_split(l.line, ' ', &n);
		double at;
		double number;
		const char *metric;

		if (n < 3 || n > 4 || (n == 4 && strlen(words[3]) > 2) ||
		    num_double(words[1], &at) < 0 ||
		    num_double(words[2], &number) < 0)
			continue;
		metric = import_metric(im, words[0], "unknown", METRIC_NEITHER,
				       "an iteration of mmtests; its direction "
				       "is not known");
		import_value(import_run_for(im, arm, metric), metric, number);
		n_values++;
	}
	free(l.line);
	if (!n_values)
		return import_refuse(im, 0,
				     "no line 'NAME ITERATION VALUE': no "
				     "samples of mmtests");
	return 0;
}

/* --- Fastpath --- */

/* "process-pipes-1 (seconds)": the unit stands in brackets at the end. */
static char *cut_unit(char *label)
{
	char *open = strrchr(label, '(');
	char *unit;

	if (!open || !str_ends(label, ")"))
		return xstrdup("unknown");
	unit = xstrndup(open + 1, strlen(open + 1) - 1);
	*open = '\0';
	str_trim(label);
	return unit;
}

/* An improvement says which sign is good. */
static enum metric_better marked_better(const struct mail_row *row, size_t n)
{
	for (size_t c = 0; c < n; c++) {
		const struct quantity *q = &row->cells[c].figure;

		if (row->cells[c].has_figure && q->is_percent && q->mark)
			return (q->mark == 'I') == (q->number > 0)
				       ? METRIC_MORE
				       : METRIC_LESS;
	}
	return METRIC_NEITHER;
}

static bool is_change(const struct mail_cell *cell)
{
	return cell->has_figure && cell->figure.is_percent;
}

/* The absolute that changes are of: the last before them that is one. */
static double base_of(const struct mail_row *row, size_t n)
{
	for (size_t c = 0; c < n; c++)
		if (row->cells[c].has_figure &&
		    !row->cells[c].figure.is_percent)
			return row->cells[c].figure.number;
	return 100;
}

/* The column that absolutes stand in, in any row; "baseline" if none do. */
static char *base_label(const struct import *im, const struct mail_table *t)
{
	for (size_t c = 0; c < t->n_columns; c++)
		for (size_t r = 0; r < t->n_rows; r++)
			if (t->rows[r].cells[c].has_figure &&
			    !is_change(&t->rows[r].cells[c]))
				return column_label(im, t, c);
	return xstrdup("baseline");
}

static void take_change(struct import *im, const char *arm_label,
			const char *metric, double value)
{
	size_t arm = import_arm(im, arm_label);

	import_value(import_run_for(im, arm, metric), metric, value);
}

static void take_mark(struct import *im, const char *arm, const char *metric,
		      char mark)
{
	auto_free char *text = xasprintf("(%c)", mark);

	extra_set_mark(&im->e, arm, metric, text);
}

static void take_fastpath_cell(struct import *im, const char *arm,
			       const char *metric, const struct mail_cell *cell,
			       double base)
{
	double number = cell->figure.number;

	if (!cell->has_figure)
		return;
	if (!is_change(cell)) {
		take_change(im, arm, metric, number);
		return;
	}
	take_change(im, arm, metric, base * (1 + number / 100));
	if (cell->figure.mark)
		take_mark(im, arm, metric, cell->figure.mark);
}

static void take_fastpath_row(struct import *im, const struct mail_table *t,
			      const struct mail_row *row)
{
	double base = base_of(row, t->n_columns);
	bool has_base = false;
	auto_free char *name = squeeze(row->label);
	auto_free char *unit = cut_unit(name);
	auto_free char *percent = NULL;
	const char *metric;
	size_t n_changes = 0;

	for (size_t c = 0; c < t->n_columns; c++) {
		has_base |=
			row->cells[c].has_figure && !is_change(&row->cells[c]);
		n_changes += is_change(&row->cells[c]);
	}
	if (!n_changes && !has_base)
		return;
	percent = xasprintf("%% of the baseline's %s", unit);
	metric = import_metric(im, name, has_base ? unit : percent,
			       marked_better(row, t->n_columns),
			       has_base ? "from an absolute and changes"
					: "only changes are known");
	if (!has_base) {
		auto_free char *label = base_label(im, t);

		take_change(im, label, metric, 100);
	}
	for (size_t c = 0; c < t->n_columns; c++) {
		auto_free char *label = column_label(im, t, c);

		take_fastpath_cell(im, label, metric, &row->cells[c], base);
	}
}

static void take_fastpath(struct import *im, const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++)
		take_fastpath_row(im, t, &t->rows[r]);
}

int import_fastpath(struct import *im, const char *text)
{
	return read_tables(im, text, MAIL_GRID, take_fastpath);
}
