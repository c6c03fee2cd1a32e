/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table as data, and the forms that it can be printed in. Rules of form:
 * at most 72 columns of ASCII as text, a header rule of '=', no '#' in column
 * 1, no line that begins with "---", every figure with its unit.
 */
#ifndef OUT_TABLE_H
#define OUT_TABLE_H

#include <stddef.h>

#include "base/str.h"
#include "data/record.h"

struct table_column {
	char *title;
	char *unit;  /* "" for none; printed below the title */
	int is_left; /* aligned left, for labels */
};

struct table {
	char *name;  /* "memory" */
	char *title; /* a sentence */
	struct table_column *columns;
	size_t n_columns;
	char ***rows; /* n_rows of n_columns texts, as they are printed */
	size_t n_rows;
	char **notes; /* below the table: n, window, estimator, source */
	size_t n_notes;
};

enum table_format {
	TABLE_TEXT,
	TABLE_MARKDOWN,
	TABLE_CSV,
	TABLE_JSON, /* the whole experiment, not table by table */
};

void table_column(struct table *t, const char *title, const char *unit,
		  int is_left);
/* A row of n_columns texts, copied. */
void table_row(struct table *t, const char *const *cells);
void table_note(struct table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void table_print(const struct table *t, enum table_format format,
		 struct str *out);
void table_free(struct table *t);

/* One table that `report` can make. */
struct table_maker {
	const char *name;
	const char *help;
	/* Returns 0, or -ENODATA with t->notes saying why there is nothing. */
	int (*make)(const struct experiment *e, struct table *t);
};

/*
 * memory, tps, latency, origin, timeline, how-quickly, cost, settings,
 * mappings
 */
extern const struct table_maker table_makers[];
extern const size_t n_table_makers;

#endif
