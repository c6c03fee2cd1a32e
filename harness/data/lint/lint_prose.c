/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prose around tables, and words in it. */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"
#include "data/lint/mail_parts.h"

bool lint_is_own(const struct letter *l, size_t line)
{
	return line < l->mail->n_lines && !l->mail->lines[line].quote &&
	       l->mail->lines[line].is_body;
}

bool lint_is_own_table(const struct letter *l, const struct mail_table *t)
{
	return lint_is_own(l, t->first);
}

char *lint_lower(const char *text)
{
	char *copy = xstrdup(text);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

static void add_line(struct str *out, const char *text)
{
	auto_free char *lower = lint_lower(text);
	size_t n = strspn(lower, " ");

	str_addf(out, "%s%s", out->len ? " " : "", lower + n);
}

static bool is_prose_between(const struct mail *m, size_t from, size_t to)
{
	for (; from < to; from++)
		if (!mail_is_blank(m->lines[from].text))
			return true;
	return false;
}

char *lint_around(const struct letter *l, size_t i)
{
	const struct mail *m = l->mail;
	size_t first = i;
	size_t last = i;
	struct str out = { 0 };

	while (first && !is_prose_between(m, m->tables[first - 1].last + 1,
					  m->tables[first].first))
		first--;
	while (last + 1 < m->n_tables &&
	       !is_prose_between(m, m->tables[last].last + 1,
				 m->tables[last + 1].first))
		last++;
	for (size_t n = first ? m->tables[first - 1].last + 1 : 0;
	     n < m->tables[first].first; n++)
		add_line(&out, mail_text(m, n));
	for (size_t n = m->tables[last].last + 1;
	     n <
	     (last + 1 < m->n_tables ? m->tables[last + 1].first : m->n_lines);
	     n++)
		add_line(&out, mail_text(m, n));
	return str_steal(&out);
}

char *lint_above(const struct letter *l, size_t i)
{
	const struct mail *m = l->mail;
	size_t least = i ? m->tables[i - 1].last + 1 : 0;
	size_t from = m->tables[i].first;
	size_t n_paragraphs = 0;
	bool was_blank = true;
	struct str out = { 0 };

	while (from > least) {
		bool is_blank = mail_is_blank(mail_text(m, from - 1));

		n_paragraphs += was_blank && !is_blank;
		if (n_paragraphs > 2)
			break;
		was_blank = is_blank;
		from--;
	}
	for (; from < m->tables[i].first; from++)
		add_line(&out, mail_text(m, from));
	return str_steal(&out);
}

static bool is_in_table(const struct mail *m, size_t line)
{
	for (size_t i = 0; i < m->n_tables; i++)
		if (line >= m->tables[i].first && line <= m->tables[i].last)
			return true;
	return false;
}

char *lint_prose(const struct letter *l)
{
	struct str out = { 0 };

	for (size_t i = 0; i < l->mail->n_lines; i++)
		if (!is_in_table(l->mail, i))
			add_line(&out, mail_text(l->mail, i));
	return str_steal(&out);
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *text, const char *word, size_t n)
{
	for (const char *p = text; *p; p++)
		if (strncmp(p, word, n) == 0 &&
		    (p == text || !is_word_char(p[-1]) ||
		     !is_word_char(*word)) &&
		    (!is_word_char(p[n]) || !is_word_char(word[n - 1])))
			return true;
	return false;
}

bool lint_has(const char *text, const char *word)
{
	return *word && has_word(text, word, strlen(word));
}

bool lint_has_any(const char *text, const char *words)
{
	while (*words) {
		size_t n = strcspn(words, "|");

		if (n && has_word(text, words, n))
			return true;
		words += n + (words[n] == '|');
	}
	return false;
}

bool lint_is_change_word(const char *label)
{
	auto_free char *lower = lint_lower(label);

	return lint_has_any(lower, "change|delta|diff|difference|improvement|"
				   "gain|overhead|regression|speedup|vs|"
				   "against|reduction|increase|decrease");
}

bool lint_is_share_word(const char *label)
{
	auto_free char *lower = lint_lower(label);

	return lint_has_any(lower, "%|percent|percentage|share|pct|ratio") &&
	       !lint_is_change_word(label);
}

bool lint_is_time_line(const struct mail_table *t)
{
	struct quantity q;

	for (size_t r = 0; r < t->n_rows; r++)
		if (!quantity_parse(t->rows[r].label, &q, NULL))
			return false;
	return t->n_rows > 2;
}

/* Is it the name of a row or column of another table? */
static bool is_known_label(const struct mail *m, size_t but, const char *label)
{
	for (size_t i = 0; i < m->n_tables; i++) {
		const struct mail_table *t = &m->tables[i];

		for (size_t c = 0; i != but && c < t->n_columns; c++)
			if (str_eq(t->columns[c].title, label))
				return true;
		for (size_t r = 0; i != but && r < t->n_rows; r++)
			if (str_eq(t->rows[r].label, label))
				return true;
	}
	return false;
}

/* Rows called "workload.threads": settings of two sides, no figures. */
static bool has_settings(const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		const char *label = t->rows[r].label;
		size_t n = strcspn(label, ". ");

		if (label[n] != '.' || !isalpha((unsigned char)*label) ||
		    !isalpha((unsigned char)label[n + 1]))
			return false;
	}
	return t->n_rows > 0;
}

static bool has_titles(const struct mail_table *t)
{
	for (size_t c = 0; c < t->n_columns; c++)
		if (*t->columns[c].title)
			return true;
	return false;
}

/* Whole numbers without a unit alone. */
static bool has_bare_numbers(const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; c < t->n_columns; c++) {
			const struct mail_cell *cell = &t->rows[r].cells[c];

			if (cell->has_figure &&
			    (cell->figure.mark || cell->figure.unit[0] ||
			     !quantity_is_whole(&cell->figure)))
				return false;
		}
	}
	return true;
}

/*
 * No table of results: one of settings, a drawing between pipes ("| pfn | D |
 * P |"), or what the kernel prints as "Rss:    2048 kB".
 */
static bool is_else(const struct mail_table *t)
{
	if (has_settings(t))
		return true;
	if (has_titles(t))
		return false;
	if (t->form == MAIL_GRID || t->form == MAIL_MARKDOWN)
		return has_bare_numbers(t);
	for (size_t r = 0; r < t->n_rows; r++)
		if (!str_ends(t->rows[r].label, ":"))
			return false;
	return t->form == MAIL_ALIGNED && t->n_columns == 1;
}

bool lint_is_result(const struct letter *l, size_t i)
{
	const struct mail_table *t = &l->mail->tables[i];
	auto_free char *above = NULL;
	size_t n_known = 0;

	if (t->form != MAIL_LIST)
		return !is_else(t);
	for (size_t r = 0; r < t->n_rows; r++)
		n_known += is_known_label(l->mail, i, t->rows[r].label);
	above = lint_above(l, i);
	return n_known >= 2 || lint_has(above, "better");
}
