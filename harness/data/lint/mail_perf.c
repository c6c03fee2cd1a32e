/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf stat for people (tools/perf/util/stat-display.c):
 *
 *    75,011,087      dtlb_walk   #  0.06% of all ...  ( +- 0.47% )  (83.30%)
 *
 * Columns: value, comment, spread, counted.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

enum { EVENT, VALUE, COMMENT, SPREAD, COUNTED, N_COLUMNS };

static const char *const titles[N_COLUMNS] = { "event", "value", "comment",
					       "spread", "counted" };

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " ");
}

/* "<not supported>" or a figure; NULL if the line begins with neither. */
static const char *take_value(const char *text, char **row)
{
	const char *p = skip_blanks(text);
	size_t n = strcspn(p, " ");
	struct quantity q;
	auto_free char *word = xstrndup(p, n);

	if (str_starts(p, "<not ") && strchr(p, '>')) {
		n = (size_t)(strchr(p, '>') + 1 - p);
	} else if (!quantity_parse(word, &q, NULL) || q.unit[0]) {
		return NULL;
	} else if (str_starts(skip_blanks(p + n), "msec ") ||
		   str_starts(skip_blanks(p + n), "Joules ")) {
		const char *unit = skip_blanks(p + n);

		if (row)
			raw_put(&row[VALUE], p, n);
		n = strcspn(unit, " ");
		if (row)
			raw_put(&row[VALUE], unit, n);
		return unit + n;
	}
	if (row)
		raw_put(&row[VALUE], p, n);
	return p + n;
}

/* "(...%)" at the end of n bytes: how many are left before it, or n. */
static size_t take_aside(const char *p, size_t n, char **row)
{
	size_t open = n;
	const char *text;

	if (!n || p[n - 1] != ')')
		return n;
	while (open && p[open - 1] != '(')
		open--;
	if (!open || !memchr(p + open, '%', n - open))
		return n;
	text = skip_blanks(p + open);
	if (row)
		raw_put(&row[str_starts(text, "+-") ? SPREAD : COUNTED], text,
			strcspn(text, ")"));
	return open - 1;
}

static size_t trim(const char *p, size_t n)
{
	while (n && p[n - 1] == ' ')
		n--;
	return n;
}

/* From the right: "(83.30%)", then "( +-  0.47% )"; n is what is left. */
static size_t take_asides(const char *p, size_t n, char **row)
{
	n = take_aside(p, trim(p, n), row);
	return take_aside(p, trim(p, n), row);
}

/* row NULL: only look. False if it is no line of perf's. */
static bool take_line(const char *text, char **row)
{
	const char *p = take_value(text, row);
	const char *comment;
	size_t n;

	if (!p)
		return false;
	p = skip_blanks(p);
	/* "1.23 +- 0.01 seconds time elapsed  ( +- 0.81% )" */
	if (str_starts(p, "+- ")) {
		p = skip_blanks(p + 3);
		p = skip_blanks(p + strcspn(p, " "));
	}
	n = take_asides(p, strlen(p), row);
	comment = memchr(p, '#', n);
	if (comment && row)
		raw_put(&row[COMMENT], comment + 1,
			n - (size_t)(comment + 1 - p));
	if (comment)
		n = (size_t)(comment - p);
	while (n && p[n - 1] == ' ')
		n--;
	if (row)
		raw_put(&row[EVENT], p, n);
	return n > 0;
}

size_t mail_read_perf(const struct mail *m, size_t at, struct mail_raw *raw)
{
	const char *first = skip_blanks(mail_text(m, at));
	size_t end = at + 1;
	size_t n_rows = 0;

	if (!str_starts(first, "Performance counter stats for"))
		return 0;
	for (size_t i = at + 1; i < m->n_lines; i++) {
		if (take_line(mail_text(m, i), NULL)) {
			end = i + 1;
			n_rows++;
		} else if (!mail_is_blank(mail_text(m, i))) {
			break;
		}
	}
	if (!n_rows)
		return 0;
	raw->n_columns = N_COLUMNS;
	raw->n_headers = 1;
	raw->n_labels = 1;
	raw->first = at;
	raw->last = end - 1;
	raw_row(raw, at);
	for (size_t c = 0; c < N_COLUMNS; c++)
		raw_put(&raw->cells[c], titles[c], strlen(titles[c]));
	for (size_t i = at + 1; i < end; i++)
		if (!mail_is_blank(mail_text(m, i)))
			take_line(mail_text(m, i), raw_row(raw, i));
	return end - at;
}
