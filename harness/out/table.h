/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table as data, and the forms that it can be printed in. Rules of form:
 * at most 72 columns of ASCII as text, a header rule of '=', no '#' in column
 * 1, no line that begins with "---", every figure with its unit.
 */
#ifndef OUT_TABLE_H
#define OUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "data/record.h"

struct table_column {
	char *title;
	char *unit;   /* "" for none; printed below the title */
	bool is_left; /* aligned left, for labels */
	/*
	 * The name or names (with commas between them) of the column in CSV;
	 * NULL: title and unit. Cells then have as many figures in their csv.
	 */
	char *csv;
};

struct table_cell {
	char *text;    /* as printed; "n/a" if missing */
	char *csv;     /* as CSV has it, already quoted; NULL: text */
	size_t reason; /* missing: its reason's number, from 1; else 0 */
};

struct table {
	char *name;  /* "memory" */
	char *title; /* a sentence */
	struct table_column *columns;
	size_t n_columns;
	struct table_cell *cells; /* row by row, n_columns a row */
	size_t n_cells;
	/*
	 * The first column is the same over several rows: as text it stands
	 * on a line of its own above them.
	 */
	bool is_grouped;
	char **reasons; /* why cells are missing; each is there once */
	size_t n_reasons;
	char **notes; /* below the table: n, window, estimator, source */
	size_t n_notes;
};

enum table_format {
	TABLE_TEXT,
	TABLE_MARKDOWN,
	TABLE_CSV,
	TABLE_HTML, /* a part of a page: out/html.h */
	TABLE_JSON, /* the whole experiment, not table by table */
};

/* All texts are copied. name is that of the maker. */
void table_begin(struct table *t, const char *name, const char *title);
/* All columns come before the first cell. Returns it, to set csv. */
struct table_column *table_column(struct table *t, const char *title,
				  const char *unit, bool is_left);
/* The next cell, from left to right and row by row. */
void table_cell(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A cell whose CSV form is another one. */
void table_cell_csv(struct table *t, const char *text, const char *csv);
/* A cell that has no value, and why. */
void table_missing(struct table *t, const char *why);
void table_note(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
size_t table_rows(const struct table *t);
void table_free(struct table *t);

/*
 * Add the table to out. TABLE_TEXT: a table wider than 72 columns has its left
 * columns narrowed and wrapped, then is cut into parts that each begin with
 * the label. TABLE_CSV: the columns "table" and "experiment" (id) come first,
 * "missing" with the reasons comes last; notes are left out. TABLE_HTML: a
 * section, with its CSV as a link. TABLE_JSON: one object with columns, rows
 * and notes.
 */
void table_print(const struct table *t, const char *experiment_id,
		 enum table_format format, struct str *out);

/* One table that `report` can make. */
struct table_maker {
	const char *name;
	const char *help;
	/*
	 * Fill a table that table_begin() was called for. A table with
	 * nothing to show has no rows and a note that says why.
	 */
	void (*make)(const struct experiment *e, struct table *t);
	bool is_optional; /* without rows, only printed if asked for by name */
	bool is_asked;    /* with rows or not, only then */
	/*
	 * The metrics it shows, parted by blanks: of what was imported, a
	 * table that has none of them is left out likewise. NULL: decided by
	 * its rows.
	 */
	const char *shows;
};

/*
 * memory, tps, latency, origin, how-quickly, cost, benchmarks, verdicts, hosts,
 * power, diagnostics, settings, mappings, collapse, damos, counters, walks,
 * software, timeline
 */
extern const struct table_maker table_makers[];
extern const size_t n_table_makers;

#endif
