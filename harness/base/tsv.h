/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated text: what every record of a run is written in. */
#ifndef BASE_TSV_H
#define BASE_TSV_H

#include <stddef.h>

#include "base/str.h"

/* Rows of cells; row 0 is the header. cells[row] has n_cells[row] texts. */
struct tsv {
	char *text; /* what the cells point into */
	char ***rows;
	size_t *widths;
	size_t n_rows;
};

/*
 * Add a cell; tab, newline and backslash become \t \n \\. The first of a line
 * has no tab before it; there, '#' becomes \# and an empty cell \e.
 */
void tsv_add_cell(struct str *line, const char *cell);
/*
 * Add a number, the same in every locale: whole ones below 1e15 with all
 * their digits, others with nine, and "-" for what is not finite.
 */
void tsv_add_number(struct str *line, double number);
/* Add seconds, with six decimals. */
void tsv_add_time(struct str *line, double t_s);

/*
 * Cut a text into cells and undo the escapes. Lines that begin with '#' and
 * empty lines are left out; a last line without its newline (a write cut
 * short) is left out too. Takes the text; tsv_free() frees it.
 */
void tsv_parse(char *text, struct tsv *out);
/* Read a file and parse it. 0 or -errno. */
int tsv_read(const char *path, struct tsv *out);
void tsv_free(struct tsv *t);

/* The index of a column by its header, or -1. */
int tsv_column(const struct tsv *t, const char *name);
/* A cell, or "" where the row is too short or col is -1. */
const char *tsv_cell(const struct tsv *t, size_t row, int col);
/* The same by the column's header. */
const char *tsv_get(const struct tsv *t, size_t row, const char *column);

#endif
