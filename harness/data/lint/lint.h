/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reviewer would find in the tables of a letter (data/lint/mail.h). Only
 * what is sure: a finding says what is there and what it should be.
 *
 *   wide       over 75 columns
 *   cut        a line at which git am cuts the letter off, above a table
 *   comment    '#' in column 1, which git takes for a comment
 *   duplicate  two rows, or two columns, of one label
 *   unit       figures without a unit
 *   direction  a table that does not say whether more or less is better
 *   runs       nothing says how many runs the figures are from
 *   percent    a change in % that is not that of the figures beside it
 *   share      a share in % that is not that of the counts beside it
 *   factor     a percentage in the text that is 10 or 100 times off
 *   claim      a comparison in the text whose sign is not that of the figures
 *
 * Lines that quote somebody are read, but not found fault with.
 */
#ifndef DATA_LINT_H
#define DATA_LINT_H

#include <stddef.h>

struct lint_finding {
	size_t line;      /* from 1 */
	const char *rule; /* of those above */
	char *text;       /* a sentence */
};

struct lint {
	struct lint_finding *list; /* by line */
	size_t n;
	size_t n_tables; /* that were found */
};

/* lint_free() it. */
void lint_text(const char *text, struct lint *out);
void lint_free(struct lint *l);

#endif
