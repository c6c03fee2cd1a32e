/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "T n, D h: 18324.57" line by line; the colon may be missing in some. */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

enum { MOST_LABEL = 40, MOST_WORDS_BEHIND = 3 };

static size_t count_words(const char *p)
{
	size_t n = 0;

	while (*(p += strspn(p, " "))) {
		n++;
		p += strcspn(p, " ");
	}
	return n;
}

static bool has_letter(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isalpha((unsigned char)text[i]))
			return true;
	return false;
}

/*
 * May a label end at p? Behind a colon or '=', or, unless it needs one, where
 * nothing stands behind the figure that follows.
 */
static bool is_label_end(const char *text, const char *p, bool needs_colon,
			 const char **value, size_t *n_value)
{
	const char *at = p + strspn(p, ":= ");
	size_t n_marks = strcspn(p, ":=");
	bool has_colon = n_marks < (size_t)(at - p);
	struct quantity q;

	if (p == text || at == p || p[-1] == ' ' ||
	    !quantity_parse(at, &q, n_value))
		return false;
	*value = at;
	return has_colon || (!needs_colon && mail_is_blank(at + *n_value));
}

/*
 * The length of the label, 0 if the line is none of a list; *value is where
 * its figure begins. With a colon little may follow the figure, without
 * nothing.
 */
static size_t label_of(const char *text, bool needs_colon, const char **value)
{
	size_t n;

	for (const char *p = text; *p; p++) {
		size_t len = (size_t)(p - text);

		if (!is_label_end(text, p, needs_colon, value, &n))
			continue;
		return len <= MOST_LABEL && has_letter(text, len) &&
				       count_words(*value + n) <=
					       MOST_WORDS_BEHIND
			       ? len
			       : 0;
	}
	return 0;
}

size_t mail_read_list(const struct mail *m, size_t at, struct mail_raw *raw)
{
	const char *value;
	size_t end = at;
	bool any_colon = false;

	for (; label_of(mail_text(m, end), false, &value); end++)
		any_colon |= label_of(mail_text(m, end), true, &value) > 0;
	if (end - at < 2 || !any_colon)
		return 0;
	raw->n_columns = 2;
	raw->n_labels = 1;
	raw->first = at;
	raw->last = end - 1;
	for (size_t i = at; i < end; i++) {
		const char *text = mail_text(m, i);
		size_t n = label_of(text, false, &value);
		char **row = raw_row(raw, i);

		raw_put(&row[0], text, n);
		raw_put(&row[1], value, strlen(value));
	}
	return end - at;
}
