/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a cover letter, a mail or a log, in the forms that kernel
 * people and their tools print. Each form is a row in the table of mail.c; to
 * add one: a file mail_NAME.c with a function that looks at the lines from
 * one on.
 */
#ifndef DATA_MAIL_H
#define DATA_MAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "data/quantity.h"

enum mail_form {
	MAIL_GRID,     /* +---+ rules, | between cells; Fastpath's as well */
	MAIL_MARKDOWN, /* | between cells, a row of dashes below the header */
	MAIL_MMTESTS,  /* value (change%) a kernel, "*" instead of brackets */
	MAIL_PERF,     /* perf stat for people */
	MAIL_ALIGNED,  /* columns parted by blanks; ours as well */
	MAIL_LIST,     /* "label: figure", line by line */
};

struct mail_line {
	/*
	 * Without its newline, quotes cut, tabs expanded to 8, and to two
	 * blanks at least, which part columns.
	 */
	char *text;
	size_t n_added; /* blanks that made two of one */
	size_t number;  /* in the text, from 1: that of its first part */
	size_t quote;   /* how many '>' were before it: 0 is the writer's own */
	bool is_body;   /* not a mail header, not a patch */
};

struct mail_cell {
	char *text; /* trimmed; "" for none */
	struct quantity figure;
	bool has_figure;
};

struct mail_row {
	size_t line; /* index into lines */
	char *label; /* of all label columns, a group's carried down */
	struct mail_cell *cells; /* n_columns of them */
};

struct mail_column {
	char *title; /* of all header rows, a blank between; "" if none */
};

struct mail_table {
	enum mail_form form;
	size_t first; /* lines, as indexes, both inside */
	size_t last;
	struct mail_column *columns; /* without those of the label */
	size_t n_columns;
	char *corner; /* header of the label columns */
	struct mail_row *rows;
	size_t n_rows;
};

struct mail {
	struct mail_line *lines;
	size_t n_lines;
	struct mail_table *tables;
	size_t n_tables;
};

/*
 * Read a text: never fails, what is no table is prose. The body of a mail that
 * says it is quoted-printable is decoded: a line may be several of the text.
 * mail_free() it.
 */
void mail_parse(const char *text, struct mail *out);
void mail_free(struct mail *m);

/* "grid", "markdown", "mmtests", "perf", "aligned", "list". */
const char *mail_form_text(enum mail_form form);

#endif
