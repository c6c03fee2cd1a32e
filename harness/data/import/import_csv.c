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
#include "data/import/import_csv.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"

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
	const struct metric *ours;

	if (metric_find(title))
		return metric_find(title)->name;
	unit = title[n] ? xstrndup(title + n + 1, strcspn(title + n + 1, ")]"))
			: xstrdup("unknown");
	ours = metric_find(str_trim(name));
	if (ours && str_eq(ours->unit, unit))
		return ours->name;
	return import_metric(im, str_trim(name), unit, METRIC_NEITHER,
			     "a column of a table; its direction is not known");
}

/* A row of figures, kept until all are known. */
struct csv_line {
	struct csv_row row;
	size_t number;
};

struct csv_import {
	struct import *im;
	struct csv_row header;
	int arm;
	struct csv_line *lines;
	size_t n_lines;
	const char **metrics; /* of columns of numbers, else NULL */
};

static bool is_missing(const char *cell)
{
	return !*cell || str_eq(cell, "-") || str_starts(cell, "n/a") ||
	       str_eq(cell, "NaN");
}

/* "1,5": the decimal point of some languages, and other languages' thousands */
static bool has_comma(const char *cell)
{
	return strchr(cell, ',') && !cell[strspn(cell, "0123456789+-.,eE")];
}

static int refuse_cell(const struct csv_import *c, const struct csv_line *line,
		       size_t column)
{
	const char *cell = line->row.cells[column];

	return import_refuse(c->im, line->number,
			     "'%s' in column '%s' is no number%s", cell,
			     c->header.cells[column],
			     has_comma(cell) ? "; write the point of decimals "
					       "as '.', and no commas"
					     : "");
}

static int check_twin(const struct csv_import *c, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (c->metrics[i] && str_eq(c->metrics[i], c->metrics[column]))
			return import_refuse(
				c->im, 0,
				"columns %zu and %zu both are '%s'; right: a "
				"name of its own for each",
				i + 1, column + 1, c->header.cells[column]);
	return 0;
}

/* The first cell that has something says whether a column has numbers. */
static int find_metric(struct csv_import *c, size_t column)
{
	double number;

	for (size_t i = 0; i < c->n_lines; i++) {
		const char *cell = c->lines[i].row.cells[column];

		if (is_missing(cell))
			continue;
		if (has_comma(cell))
			return refuse_cell(c, &c->lines[i], column);
		if (num_double(cell, &number) < 0)
			break;
		c->metrics[column] = metric_of(c->im, c->header.cells[column]);
		return check_twin(c, column);
	}
	import_mark(c->im, "column '%s' is left out: no numbers in it",
		    c->header.cells[column]);
	return 0;
}

static int find_metrics(struct csv_import *c)
{
	int ret = 0;

	c->metrics = xcalloc(c->header.n, sizeof(*c->metrics));
	for (size_t i = 0; i < c->header.n && !ret; i++)
		if ((int)i != c->arm)
			ret = find_metric(c, i);
	return ret;
}

static int take_row(struct csv_import *c, const struct csv_line *line)
{
	char **cells = line->row.cells;
	struct import_run *run =
		import_run(c->im,
			   import_arm(c->im, c->arm < 0 ? c->im->label
							: cells[c->arm]));
	double number;

	for (size_t i = 0; i < c->header.n; i++) {
		if (!c->metrics[i])
			continue;
		if (num_double(cells[i], &number) == 0)
			import_value(run, c->metrics[i], number);
		else if (is_missing(cells[i]))
			import_missing(run, c->metrics[i],
				       "the row has no value");
		else
			return refuse_cell(c, line, i);
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

static int read_lines(struct csv_import *c, struct import_lines *l)
{
	char separator = ',';

	while (import_next_line(l)) {
		struct csv_line line = { .number = l->number };
		int ret = 0;

		if (l->line[0] == '#' ||
		    l->line[strspn(l->line, " \t")] == '\0')
			continue;
		if (!c->header.n) {
			separator = csv_separator(l->line);
			csv_cut(l->line, separator, &c->header);
			c->arm = find_arm(c->im, &c->header);
			ret = check_header(c, l->number);
			if (ret)
				return ret;
			continue;
		}
		csv_cut(l->line, separator, &line.row);
		XGROW(c->lines, c->n_lines);
		c->lines[c->n_lines++] = line;
		if (line.row.n != c->header.n)
			return import_refuse(c->im, l->number,
					     "%zu cells where the header has "
					     "%zu",
					     line.row.n, c->header.n);
	}
	if (!c->n_lines)
		return import_refuse(c->im, 0, "no rows below a header");
	return 0;
}

int import_csv(struct import *im, const char *text)
{
	struct import_lines l = { .at = text };
	struct csv_import c = { .im = im };
	int ret = read_lines(&c, &l);

	if (!ret)
		ret = find_metrics(&c);
	for (size_t i = 0; i < c.n_lines && !ret; i++)
		ret = take_row(&c, &c.lines[i]);
	for (size_t i = 0; i < c.n_lines; i++)
		csv_row_free(&c.lines[i].row);
	free(c.lines);
	free(l.line);
	csv_row_free(&c.header);
	free(c.metrics);
	return ret;
}
