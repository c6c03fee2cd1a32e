/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that mail and git do not bear. */
#include <ctype.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"
#include "data/lint/mail_parts.h"

enum { MOST_COLUMNS = 75 }; /* as checkpatch.pl has it for commit messages */

/* Characters, as UTF-8 has them. */
static size_t width(const struct mail_line *line)
{
	size_t n = 0;

	for (const char *p = line->text; *p; p++)
		n += ((unsigned char)*p & 0xc0) != 0x80;
	return n - line->n_added;
}

/* What may not be broken: addresses and trailers. */
static bool may_be_wide(const char *text)
{
	size_t n = strcspn(text, ": ");

	return strstr(text, "://") ||
	       (text[n] == ':' &&
		(n > 3 && strncmp(text + n - 3, "-by", 3) == 0)) ||
	       str_starts(text, "Fixes: ") || str_starts(text, "Link: ") ||
	       str_starts(text, "Cc: ");
}

static bool is_wide(const struct letter *l, size_t line)
{
	return line < l->end && lint_is_own(l, line) &&
	       width(&l->mail->lines[line]) > MOST_COLUMNS &&
	       !may_be_wide(l->mail->lines[line].text);
}

/* Lines in a row are one finding. */
static void find_wide(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_lines; i++) {
		size_t from = i;
		size_t most = 0;

		for (; is_wide(l, i); i++) {
			size_t n = width(&l->mail->lines[i]);

			most = n > most ? n : most;
		}
		if (i == from)
			continue;
		if (i - from == 1)
			lint_add(l, from, "wide", "%zu columns; at most %d",
				 most, MOST_COLUMNS);
		else
			lint_add(l, from, "wide",
				 "lines %zu to %zu: up to %zu columns; at most "
				 "%d",
				 l->mail->lines[from].number,
				 l->mail->lines[i - 1].number, most,
				 MOST_COLUMNS);
	}
}

/* patchbreak() of git's mailinfo.c: the commit message ends here. */
static bool cuts(const char *text)
{
	if (str_starts(text, "diff -") || str_starts(text, "Index: "))
		return true;
	return str_starts(text, "---") &&
	       ((text[3] == ' ' && text[4] != ' ' && text[4]) ||
		mail_is_blank(text + 3));
}

/* The first table of the writer's that ends at or behind a line. */
static const struct mail_table *table_from(const struct letter *l, size_t line)
{
	for (size_t i = 0; i < l->mail->n_tables; i++)
		if (l->mail->tables[i].last >= line &&
		    lint_is_own_table(l, &l->mail->tables[i]))
			return &l->mail->tables[i];
	return NULL;
}

static void find_cuts(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_lines; i++) {
		const struct mail_table *t = table_from(l, i);

		if (!lint_is_own(l, i) || !cuts(l->mail->lines[i].text) || !t)
			continue;
		lint_add(l, i, "cut",
			 "git am cuts the message off here, and the table of "
			 "line %zu with it; begin the line otherwise",
			 l->mail->lines[t->first].number);
		return;
	}
}

static void find_comments(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_lines && i < l->end; i++) {
		size_t from = i;

		while (i < l->mail->n_lines && lint_is_own(l, i) &&
		       l->mail->lines[i].text[0] == '#')
			i++;
		if (i > from)
			lint_add(l, from, "comment",
				 "'#' in column 1: git takes the line for a "
				 "comment and drops it%s",
				 i - from > 1 ? ", and those below" : "");
	}
}

void lint_lines(struct letter *l)
{
	find_wide(l);
	find_cuts(l);
	find_comments(l);
}
