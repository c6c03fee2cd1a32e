/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What benchstat -format csv prints: keys, then tables of a header with the
 * files, one with units, and rows "benchmark,median,CI,median,CI,vs base,P".
 * Only medians are known of the samples: one run an arm.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/import/import_csv.h"
#include "data/import/import_lines.h"
#include "data/import/import_parts.h"

struct tables {
	struct csv_row files;
	struct csv_row units;
};

static enum metric_better better_of(const char *unit)
{
	if (str_ends(unit, "/s"))
		return METRIC_MORE;
	return str_ends(unit, "/op") || str_ends(unit, "bytes")
		       ? METRIC_LESS
		       : METRIC_NEITHER;
}

/* Does the column hold medians? Those of CI, "vs base" and P do not. */
static bool is_median(const struct tables *t, size_t c)
{
	return c && c < t->units.n && c < t->files.n && *t->files.cells[c] &&
	       *t->units.cells[c];
}

static int take_row(struct import *im, const struct tables *t,
		    const struct csv_row *row, size_t line)
{
	for (size_t c = 1; c < row->n; c++) {
		const char *metric;
		double number;

		if (!is_median(t, c) || !*row->cells[c])
			continue;
		if (num_double(row->cells[c], &number) < 0)
			return import_refuse(im, line, "'%s' is no median",
					     row->cells[c]);
		metric = import_metric(im, row->cells[0], t->units.cells[c],
				       better_of(t->units.cells[c]),
				       "a median that benchstat printed");
		import_value(import_run_for(im,
					    import_arm(im, t->files.cells[c]),
					    metric),
			     metric, number);
	}
	return 0;
}

/* A header begins with an empty cell: the files, then the units. */
static void take_header(struct tables *t, struct csv_row *row)
{
	bool is_units = t->files.n && !t->units.n;

	if (!is_units) {
		csv_row_free(&t->files);
		csv_row_free(&t->units);
	}
	*(is_units ? &t->units : &t->files) = *row;
	*row = (struct csv_row){ 0 };
}

int import_benchstat(struct import *im, const char *text)
{
	struct import_lines l = { .at = text };
	struct tables t = { 0 };
	size_t n_rows = 0;
	int ret = 0;

	while (!ret && import_next_line(&l)) {
		struct csv_row row;

		if (!strchr(l.line, ','))
			continue;
		csv_cut(l.line, ',', &row);
		if (!*row.cells[0]) {
			take_header(&t, &row);
		} else if (t.units.n && !str_eq(row.cells[0], "geomean")) {
			ret = take_row(im, &t, &row, l.number);
			n_rows++;
		}
		csv_row_free(&row);
	}
	free(l.line);
	csv_row_free(&t.files);
	csv_row_free(&t.units);
	if (!ret && !n_rows)
		ret = import_refuse(im, 0, "no table of benchstat -format csv");
	if (!ret)
		import_mark(im, "benchstat's medians: the samples behind them "
				"are not known");
	return ret;
}
