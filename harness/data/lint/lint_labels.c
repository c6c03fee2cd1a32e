/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels that stand twice. */
#include <ctype.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"

/* Beyond that it is data. */
enum { MOST_ROWS = 1000 };

static bool has_letter(const char *text)
{
	for (; *text; text++)
		if (isalpha((unsigned char)*text))
			return true;
	return false;
}

static bool has_row(const struct mail_table *t, const char *label)
{
	for (size_t r = 0; r < t->n_rows; r++)
		if (str_eq(t->rows[r].label, label))
			return true;
	return false;
}

/*
 * The one label of the other tables' columns that this one lacks; NULL if
 * there is none, or more.
 */
static const char *missing_label(const struct letter *l,
				 const struct mail_table *t)
{
	const char *found = NULL;

	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *other = &l->mail->tables[i];
		bool is_related = false;

		for (size_t c = 0; c < other->n_columns; c++)
			is_related |= has_row(t, other->columns[c].title);
		for (size_t c = 0; is_related && c < other->n_columns; c++) {
			const char *title = other->columns[c].title;

			if (!*title || has_row(t, title) ||
			    (found && str_eq(found, title)))
				continue;
			if (found)
				return NULL;
			found = title;
		}
	}
	return found;
}

/* Rows of one label that a time or a number tells apart. */
static bool differ_in_time(const struct mail_table *t, size_t a, size_t b)
{
	auto_free char *first =
		lint_lower(t->n_columns ? t->columns[0].title : "");

	return lint_has_any(first, "second|seconds|s|time|run|block|iteration|"
				   "sample") &&
	       !str_eq(t->rows[a].cells[0].text, t->rows[b].cells[0].text);
}

/* The row above of the same label; r itself if there is none. */
static size_t twin_of(const struct mail_table *t, size_t r)
{
	for (size_t k = 0; k < r; k++)
		if (has_letter(t->rows[r].label) &&
		    str_eq(t->rows[r].label, t->rows[k].label) &&
		    !differ_in_time(t, r, k))
			return k;
	return r;
}

static size_t count_labels(const struct mail_table *t)
{
	size_t n = 0;

	for (size_t r = 0; r < t->n_rows; r++) {
		size_t k = 0;

		while (!str_eq(t->rows[k].label, t->rows[r].label))
			k++;
		n += k == r;
	}
	return n;
}

/* How many texts a column has; 0: one stands twice beside a label. */
static size_t count_levels(const struct mail_table *t, size_t c)
{
	size_t n = 0;

	for (size_t r = 0; r < t->n_rows; r++) {
		bool is_new = true;

		for (size_t k = 0; k < r; k++) {
			if (!str_eq(t->rows[k].cells[c].text,
				    t->rows[r].cells[c].text))
				continue;
			if (str_eq(t->rows[k].label, t->rows[r].label))
				return 0;
			is_new = false;
		}
		n += is_new;
	}
	return n;
}

/*
 * Is each label there once with each value of some column: kernels by numbers
 * of threads? That column then is part of the label.
 */
static bool is_crossed(const struct mail_table *t)
{
	size_t n_labels = count_labels(t);

	for (size_t c = 0; n_labels > 1 && c < t->n_columns; c++) {
		size_t n = count_levels(t, c);

		if (n > 1 && n * n_labels == t->n_rows)
			return true;
	}
	return false;
}

static void check_rows(struct letter *l, const struct mail_table *t)
{
	if (t->n_rows > MOST_ROWS || is_crossed(t))
		return;
	for (size_t r = 1; r < t->n_rows; r++) {
		size_t twin = twin_of(t, r);
		const char *hint;

		if (twin == r)
			continue;
		hint = missing_label(l, t);
		lint_add(l, t->rows[r].line, "duplicate",
			 "label '%s' is that of line %zu as well%s%s%s",
			 t->rows[r].label,
			 l->mail->lines[t->rows[twin].line].number,
			 hint ? "; no row is '" : "", hint ? hint : "",
			 hint ? "'" : "");
	}
}

static void check_columns(struct letter *l, const struct mail_table *t)
{
	for (size_t c = 1; c < t->n_columns; c++)
		for (size_t k = 0; k < c; k++)
			if (has_letter(t->columns[c].title) &&
			    str_eq(t->columns[c].title, t->columns[k].title) &&
			    !lint_is_change_word(t->columns[c].title))
				lint_add(l, t->first, "duplicate",
					 "columns %zu and %zu both are '%s'",
					 k + 1, c + 1, t->columns[c].title);
}

void lint_labels(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];

		if (!lint_is_own_table(l, t) || t->form == MAIL_PERF)
			continue;
		check_rows(l, t);
		check_columns(l, t);
	}
}
