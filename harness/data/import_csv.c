/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table with a header and a row a run, parted by commas, semicolons or
 * tabs. Columns of numbers are metrics: those that we have, or "NAME (unit)".
 * The column of --by, else "arm", "label", "branch" or "kernel", is the arm;
 * without one the file is. Other columns of text are left out, and named.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/import_csv.h"
#include "data/import_lines.h"
#include "data/import_parts.h"

enum { NOT_A_COLUMN = -1 };

void csv_cut(const char *line, char separator, struct csv_row *out)
{
	const char *p = line;

	*out = (struct csv_row){ 0 };
	for (;;) {
		auto_str struct str cell = { 0 };
		bool is_quoted = *p == '"';

		p += is_quoted;
		while (*p && (is_quoted || *p != separator)) {
			if (is_quoted && *p == '"' && *++p != '"') {
				is_quoted = false;
				continue;
			}
			str_addc(&cell, *p++);
		}
		XGROW(out->cells, out->n);
		out->cells[out->n++] =
			xstrdup(cell.text ? str_trim(cell.text) : "");
		if (!*p)
			return;
		p++;
	}
}

void csv_row_free(struct csv_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		free(row->cells[i]);
	free(row->cells);
	*row = (struct csv_row){ 0 };
}

char csv_separator(const char *line)
{
	static const char all[] = "\t;,";
	char best = ',';
	size_t most = 0;

	for (const char *c = all; *c; c++) {
		size_t n = 0;

		for (const char *p = line; *p; p++)
			n += *p == *c;
		if (n > most) {
			most = n;
			best = *c;
		}
	}
	return best;
}

static int find_arm(const struct import *im, const struct csv_row *header)
{
	static const char *const names[] = { "arm", "label", "branch",
					     "kernel" };
	const char *by = im->request->by;

	for (size_t c = 0; c < header->n; c++)
		if (by && str_eq(header->cells[c], by))
			return (int)c;
	for (size_t i = 0; !by && i < ARRAY_SIZE(names); i++)
		for (size_t c = 0; c < header->n; c++)
			if (str_eq(header->cells[c], names[i]))
				return (int)c;
	return NOT_A_COLUMN;
}

/* "latency (ms)" and "latency[ms]" have their unit in the name. */
static const char *metric_of(struct import *im, const char *title)
{
	size_t n = strcspn(title, "([");
	auto_free char *name = xstrndup(title, n);
	auto_free char *unit = NULL;

	if (metric_find(title))
		return metric_find(title)->name;
	unit = title[n] ? xstrndup(title + n + 1, strcspn(title + n + 1, ")]"))
			: xstrdup("unknown");
	return import_metric(im, str_trim(name), unit, METRIC_NEITHER,
			     "a column of a table; its direction is not known");
}

struct csv_import {
	struct import *im;
	struct csv_row header;
	int arm;
	bool *is_metric; /* columns, by their first row */
	const char **metrics;
};

/* The first row says which columns are numbers. */
static void find_metrics(struct csv_import *c, const struct csv_row *row)
{
	double number;

	c->is_metric = xcalloc(c->header.n, sizeof(*c->is_metric));
	c->metrics = xcalloc(c->header.n, sizeof(*c->metrics));
	for (size_t i = 0; i < c->header.n; i++) {
		if ((int)i == c->arm)
			continue;
		c->is_metric[i] = num_double(row->cells[i], &number) == 0;
		if (c->is_metric[i])
			c->metrics[i] = metric_of(c->im, c->header.cells[i]);
		else
			import_mark(c->im,
				    "column '%s' is left out: no "
				    "numbers in it",
				    c->header.cells[i]);
	}
}

static int take_row(struct csv_import *c, const struct csv_row *row,
		    size_t line)
{
	struct import *im = c->im;
	struct import_run *run;
	double number;

	if (row->n != c->header.n)
		return import_refuse(im, line,
				     "%zu cells where the header has "
				     "%zu",
				     row->n, c->header.n);
	if (!c->metrics)
		find_metrics(c, row);
	run = import_run(im, import_arm(im, c->arm < 0 ? im->label
						       : row->cells[c->arm]));
	for (size_t i = 0; i < row->n; i++) {
		if (!c->is_metric[i])
			continue;
		if (num_double(row->cells[i], &number) == 0)
			import_value(run, c->metrics[i], number);
		else if (!*row->cells[i] || str_eq(row->cells[i], "-") ||
			 str_starts(row->cells[i], "n/a") ||
			 str_eq(row->cells[i], "NaN"))
			import_missing(run, c->metrics[i],
				       "the row has no value");
		else
			return import_refuse(im, line,
					     "'%s' in column '%s' is no number",
					     row->cells[i], c->header.cells[i]);
	}
	return 0;
}

static int check_header(const struct csv_import *c, size_t line)
{
	const char *by = c->im->request->by;

	if (c->header.n < 2 && c->arm >= 0)
		return import_refuse(c->im, line, "a header without metrics");
	if (by && c->arm < 0)
		return import_refuse(c->im, line,
				     "no column '%s', which --by names", by);
	return 0;
}

int import_csv(struct import *im, const char *text)
{
	struct import_lines l = { .at = text };
	struct csv_import c = { .im = im };
	char separator = ',';
	size_t n_rows = 0;
	int ret = 0;

	while (!ret && import_next_line(&l)) {
		struct csv_row row;

		if (l.line[0] == '#' || l.line[strspn(l.line, " \t")] == '\0')
			continue;
		if (!c.header.n) {
			separator = csv_separator(l.line);
			csv_cut(l.line, separator, &c.header);
			c.arm = find_arm(im, &c.header);
			ret = check_header(&c, l.number);
			continue;
		}
		csv_cut(l.line, separator, &row);
		ret = take_row(&c, &row, l.number);
		csv_row_free(&row);
		n_rows++;
	}
	free(l.line);
	csv_row_free(&c.header);
	free(c.is_metric);
	free(c.metrics);
	if (!ret && !n_rows)
		ret = import_refuse(im, 0, "no rows below a header");
	return ret;
}
