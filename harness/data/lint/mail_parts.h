/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of the forms share. For data/lint/mail*.c only. */
#ifndef DATA_MAIL_PARTS_H
#define DATA_MAIL_PARTS_H

#include "data/lint/mail.h"

/* A table as it is found: texts by row and column, header rows first. */
struct mail_raw {
	enum mail_form form;
	size_t first; /* as of struct mail_table */
	size_t last;
	char **cells;  /* n_rows * n_columns, owned; never NULL */
	size_t *lines; /* of each row */
	size_t n_rows;
	size_t n_columns;
	size_t n_headers; /* rows that are header */
	size_t n_labels;  /* columns that are label; found out if 0 */
};

/*
 * Is there a table of this form at line at? Returns how many lines it takes,
 * 0 if there is none, and then leaves raw empty.
 */
typedef size_t mail_reader(const struct mail *m, size_t at,
			   struct mail_raw *raw);

mail_reader mail_read_pipes; /* grid and markdown */
mail_reader mail_read_mmtests;
mail_reader mail_read_perf;
mail_reader mail_read_aligned;
mail_reader mail_read_list;

/* A row of mmtests: others leave it alone. */
bool mail_is_mmtests_row(const char *text);

/* A row of n_columns cells, all "" at first; returns its first cell. */
char **raw_row(struct mail_raw *raw, size_t line);
/* Put a copy of n bytes, trimmed, into a cell; behind what it holds. */
void raw_put(char **cell, const char *text, size_t n);
void raw_free(struct mail_raw *raw);

/* A mail begins with headers, one of which is of a mail: does this line? */
bool mail_begins(const char *text);
/* The lines of a text, all of them body as yet. */
void mail_take_lines(const char *text, struct mail *m);

/* A text of line at, "" beyond the end or where it is not body. */
const char *mail_text(const struct mail *m, size_t at);
bool mail_is_blank(const char *text);
/* Has the text only these characters and blanks, and at least two of them? */
bool mail_is_rule(const char *text, const char *of);

#endif
