/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rules share. For data/lint/lint*.c only. */
#ifndef DATA_LINT_PARTS_H
#define DATA_LINT_PARTS_H

#include <stdbool.h>

#include "data/lint/lint.h"
#include "data/lint/mail.h"

struct letter {
	const struct mail *mail;
	struct lint *out;
	size_t end; /* the line of "---" that parts letter and patch, or all */
};

/* line is an index. */
void lint_add(struct letter *l, size_t line, const char *rule, const char *fmt,
	      ...) __attribute__((format(printf, 4, 5)));

/* The writer's own line: not quoted, no header of the mail, no patch. */
bool lint_is_own(const struct letter *l, size_t line);
bool lint_is_own_table(const struct letter *l, const struct mail_table *t);

/*
 * The prose that belongs to table number i, in lower case: from the table
 * before to the one behind, tables without prose between them being one.
 * lint_above(): only the two paragraphs above it. free() it.
 */
char *lint_around(const struct letter *l, size_t i);
char *lint_above(const struct letter *l, size_t i);
/* All prose in lower case, lines joined by blanks. free() it. */
char *lint_prose(const struct letter *l);

/* Is this word or phrase in the text, between bounds of words? */
bool lint_has(const char *text, const char *word);
/* Is any of these, parted by '|'? */
bool lint_has_any(const char *text, const char *words);
char *lint_lower(const char *text);

/* A table as series of figures: its rows, or its columns. */
struct view {
	const struct mail_table *t;
	bool by_rows;
};

size_t view_series(const struct view *v);
size_t view_items(const struct view *v);
const char *view_label(const struct view *v, size_t series);
const char *view_item(const struct view *v, size_t item);
/* NULL if there is no figure. */
const struct quantity *view_figure(const struct view *v, size_t series,
				   size_t item);
/* The line of a figure; the text of its cell. */
size_t view_line(const struct view *v, size_t series, size_t item);
const char *view_text(const struct view *v, size_t series, size_t item);

/*
 * Is what is printed that, within what rounding hides? least and most bound
 * what it may be.
 */
struct range {
	double least;
	double most;
};

bool range_holds(const struct range *r, const struct quantity *printed);
/* If not: 10 or 100, or 0.1 or 0.01, if that would make it so; else 0. */
double range_factor(const struct range *r, const struct quantity *printed);
/* 100 * (b / a - 1) and 100 * a / b of rounded figures; false: no such. */
bool range_change(const struct quantity *a, const struct quantity *b,
		  struct range *out);
bool range_share(const struct quantity *part, const struct quantity *whole,
		 struct range *out);

/* Labels and words that speak of a change, or of a share. */
bool lint_is_change_word(const char *label);
bool lint_is_share_word(const char *label);
/*
 * Has a label a unit: a word in brackets, or one at the end? "pages" is none
 * by itself: huge pages may be counted or weighed.
 */
bool lint_has_unit(const char *label);
/* Are the series of a view of one unit each, as far as is said? */
bool view_is_sound(const struct view *v);
/* Is every row of a table named by a number, as those of a time line are? */
bool lint_is_time_line(const struct mail_table *t);
/* Are the labels of a list those of arms, or does its caption judge them? */
bool lint_is_result(const struct letter *l, size_t i);

/* --- the rules --- */
void lint_lines(struct letter *l);
void lint_labels(struct letter *l);
void lint_units(struct letter *l);
void lint_directions(struct letter *l);
void lint_runs(struct letter *l);
void lint_changes(struct letter *l);
void lint_shares(struct letter *l);
void lint_factors(struct letter *l);
void lint_claims(struct letter *l);

#endif
