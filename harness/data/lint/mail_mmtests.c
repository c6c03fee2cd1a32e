/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compare-kernels.sh of mmtests prints: header rows with the kernels,
 * then "Hmean  1-SET  31788.42 (   0.00%)  26024.05 * -18.13%*" and so on.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

enum { MOST_HEADERS = 4, MOST_COLUMNS = 64 };

/*
 * A figure with its percentage, or "( n/a )" where there is none. How long it
 * is; 0 if p begins with no such thing.
 */
static size_t value_length(const char *p)
{
	struct quantity q;
	const char *aside;
	size_t n;

	if (!quantity_parse(p, &q, &n) || q.unit[0])
		return 0;
	if (q.has_aside)
		return n;
	aside = p + n + strspn(p + n, " ");
	if (*aside != '(' ||
	    !str_starts(aside + 1 + strspn(aside + 1, " "), "n/a"))
		return 0;
	n = strcspn(aside, ")");
	return aside[n] ? (size_t)(aside - p) + n + 1 : 0;
}

/* Where the first figure with a percentage beside it begins; NULL if none. */
static const char *first_value(const char *text)
{
	for (const char *p = text; *p; p++)
		if (p > text && p[-1] == ' ' && *p != ' ' && value_length(p))
			return p;
	return NULL;
}

/* How many values a row has; 0: it is none. Label, then values alone. */
static size_t count_values(const char *text)
{
	const char *p = first_value(text);
	size_t n_values = 0;
	size_t n;

	if (!p || mail_is_blank(text) ||
	    (size_t)(p - text) == strspn(text, " "))
		return 0;
	while (!mail_is_blank(p)) {
		n = value_length(p + strspn(p, " "));
		if (!n)
			return 0;
		p += strspn(p, " ") + n;
		n_values++;
	}
	return n_values <= MOST_COLUMNS ? n_values : 0;
}

static void take_values(const char *text, char **row)
{
	const char *p = first_value(text);
	size_t n;

	raw_put(&row[0], text, (size_t)(p - text));
	for (size_t c = 1; !mail_is_blank(p); c++) {
		n = strspn(p, " ");
		n += value_length(p + n);
		raw_put(&row[c], p, n);
		p += n;
	}
}

/* Labels of several words, with two blanks and more between them. */
static bool take_labels(const char *text, size_t n, char **row)
{
	size_t n_labels = 0;
	size_t length;

	for (int pass = 0; pass < 2; pass++) {
		size_t at = 0;

		for (const char *p = text + strspn(text, " "); *p;
		     p += strspn(p, " ")) {
			const char *gap = strstr(p, "  ");

			length = gap ? (size_t)(gap - p) : strlen(p);
			if (pass)
				raw_put(&row[at], p, length);
			at++;
			p += length;
		}
		n_labels = at;
		if (n_labels != n)
			return false;
	}
	return true;
}

/* Words of a header stand in the order of the columns, from the right. */
static void take_header(const char *text, struct mail_raw *raw, size_t at)
{
	char **row = raw_row(raw, at);
	auto_free char *copy = xstrdup(text);
	auto_free char **words = NULL;
	size_t n;

	if (take_labels(text, raw->n_columns - 1, row + 1))
		return;
	words = str_split(copy, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (n - i < raw->n_columns)
			raw_put(&row[raw->n_columns - (n - i)], words[i],
				strlen(words[i]));
}

bool mail_is_mmtests_row(const char *text)
{
	return count_values(text) > 0;
}

size_t mail_read_mmtests(const struct mail *m, size_t at, struct mail_raw *raw)
{
	size_t n_headers = 0;
	size_t end;
	size_t n;

	while (n_headers < MOST_HEADERS &&
	       str_starts(mail_text(m, at + n_headers), "    ") &&
	       !count_values(mail_text(m, at + n_headers)))
		n_headers++;
	n = count_values(mail_text(m, at + n_headers));
	if (!n)
		return 0;
	for (end = at + n_headers; count_values(mail_text(m, end)) == n;)
		end++;
	raw->n_columns = n + 1;
	raw->n_headers = n_headers;
	raw->n_labels = 1;
	raw->first = at;
	raw->last = end - 1;
	for (size_t i = 0; i < n_headers; i++)
		take_header(mail_text(m, at + i), raw, at + i);
	for (size_t i = at + n_headers; i < end; i++)
		take_values(mail_text(m, i), raw_row(raw, i));
	return end - at;
}
