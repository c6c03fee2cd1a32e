/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/lint/mail.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

static const struct {
	const char *name;
	mail_reader *read; /* NULL: one of another reader's */
} forms[] = {
	[MAIL_GRID] = { "grid", mail_read_pipes },
	[MAIL_MARKDOWN] = { "markdown", NULL },
	[MAIL_MMTESTS] = { "mmtests", mail_read_mmtests },
	[MAIL_PERF] = { "perf", mail_read_perf },
	[MAIL_ALIGNED] = { "aligned", mail_read_aligned },
	[MAIL_LIST] = { "list", mail_read_list },
};

const char *mail_form_text(enum mail_form form)
{
	return forms[form].name;
}

/* --- lines --- */

/* "Subject: ..." */
static bool is_header_line(const char *text)
{
	size_t n = 0;

	while (isalnum((unsigned char)text[n]) || text[n] == '-')
		n++;
	return n > 1 && text[n] == ':' && text[n + 1] == ' ';
}

static void find_headers(struct mail *m)
{
	size_t end = 0;

	if (!m->n_lines || !mail_begins(m->lines[0].text))
		return;
	for (; end < m->n_lines; end++) {
		const char *text = m->lines[end].text;

		if (!is_header_line(text) && *text != ' ' &&
		    !str_starts(text, "From "))
			break;
	}
	for (size_t i = 0; i < end; i++)
		m->lines[i].is_body = false;
}

/* From the first "diff --git" on it is a patch. */
static void find_patch(struct mail *m)
{
	bool is_patch = false;

	for (size_t i = 0; i < m->n_lines; i++) {
		is_patch |= str_starts(m->lines[i].text, "diff --git ");
		if (is_patch)
			m->lines[i].is_body = false;
	}
}

const char *mail_text(const struct mail *m, size_t at)
{
	return at < m->n_lines && m->lines[at].is_body ? m->lines[at].text : "";
}

bool mail_is_blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

bool mail_is_rule(const char *text, const char *of)
{
	size_t n = 0;

	for (; *text; text++) {
		if (*text == ' ')
			continue;
		if (!strchr(of, *text))
			return false;
		n++;
	}
	return n >= 2;
}

/* --- raw tables --- */

char **raw_row(struct mail_raw *raw, size_t line)
{
	size_t have = raw->n_rows * raw->n_columns;

	raw->cells = xrealloc(raw->cells,
			      (have + raw->n_columns) * sizeof(*raw->cells));
	for (size_t i = 0; i < raw->n_columns; i++)
		raw->cells[have + i] = xstrdup("");
	XGROW(raw->lines, raw->n_rows);
	raw->lines[raw->n_rows++] = line;
	return &raw->cells[have];
}

void raw_put(char **cell, const char *text, size_t n)
{
	char *old = *cell;
	auto_free char *copy = xstrndup(text, n);
	const char *trimmed = str_trim(copy);

	*cell = *old && *trimmed ? xasprintf("%s %s", old, trimmed)
				 : xstrdup(*old ? old : trimmed);
	free(old);
}

void raw_free(struct mail_raw *raw)
{
	for (size_t i = 0; i < raw->n_rows * raw->n_columns; i++)
		free(raw->cells[i]);
	free(raw->cells);
	free(raw->lines);
	*raw = (struct mail_raw){ 0 };
}

/* --- from raw ones to tables --- */

static const char *raw_at(const struct mail_raw *raw, size_t row, size_t col)
{
	return raw->cells[row * raw->n_columns + col];
}

/* The first column, and those behind it that hold words. */
static size_t count_labels(const struct mail_raw *raw)
{
	size_t col = 1;

	for (; col + 1 < raw->n_columns; col++) {
		struct quantity q;
		size_t n_figures = 0;
		size_t n_words = 0;

		for (size_t r = raw->n_headers; r < raw->n_rows; r++) {
			const char *text = raw_at(raw, r, col);

			if (quantity_parse(text, &q, NULL) || *text == '<' ||
			    str_starts(text, "n/a"))
				n_figures++;
			else
				n_words += *text != '\0';
		}
		if (n_figures > n_words || !n_words)
			break;
	}
	return col;
}

static char *join(const struct mail_raw *raw, size_t row, size_t to)
{
	struct str out = { 0 };

	for (size_t c = 0; c < to; c++) {
		const char *text = raw_at(raw, row, c);

		/* The first stands for the rows below it as well. */
		for (size_t r = row;
		     !c && to > 1 && !*text && r > raw->n_headers;)
			text = raw_at(raw, --r, c);
		if (*text)
			str_addf(&out, "%s%s", out.len ? " " : "", text);
	}
	return str_steal(&out);
}

static char *header_of(const struct mail_raw *raw, size_t col)
{
	struct str out = { 0 };

	for (size_t r = 0; r < raw->n_headers; r++)
		if (*raw_at(raw, r, col))
			str_addf(&out, "%s%s", out.len ? " " : "",
				 raw_at(raw, r, col));
	return str_steal(&out);
}

static void add_row(struct mail_table *t, const struct mail_raw *raw,
		    size_t row, size_t n_labels)
{
	struct mail_row out = { .line = raw->lines[row] };

	out.label = join(raw, row, n_labels);
	out.cells = xcalloc(t->n_columns + 1, sizeof(*out.cells));
	for (size_t c = 0; c < t->n_columns; c++) {
		struct mail_cell *cell = &out.cells[c];

		cell->text = xstrdup(raw_at(raw, row, n_labels + c));
		cell->has_figure =
			quantity_parse(cell->text, &cell->figure, NULL);
	}
	XGROW(t->rows, t->n_rows);
	t->rows[t->n_rows++] = out;
}

static void add_table(struct mail *m, const struct mail_raw *raw)
{
	size_t n_labels = raw->n_labels ? raw->n_labels : count_labels(raw);
	struct mail_table t = {
		.form = raw->form,
		.first = raw->first,
		.last = raw->last,
		.n_columns = raw->n_columns - n_labels,
	};

	t.columns = xcalloc(t.n_columns + 1, sizeof(*t.columns));
	for (size_t c = 0; c < t.n_columns; c++)
		t.columns[c].title = header_of(raw, n_labels + c);
	t.corner = header_of(raw, 0);
	for (size_t r = raw->n_headers; r < raw->n_rows; r++)
		add_row(&t, raw, r, n_labels);
	XGROW(m->tables, m->n_tables);
	m->tables[m->n_tables++] = t;
}

static size_t read_at(struct mail *m, size_t at)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct mail_raw raw = { .form = (enum mail_form)i };
		size_t n = forms[i].read ? forms[i].read(m, at, &raw) : 0;

		if (n && raw.n_columns > 1 && raw.n_rows > raw.n_headers)
			add_table(m, &raw);
		raw_free(&raw);
		if (n)
			return n;
	}
	return 1;
}

void mail_parse(const char *text, struct mail *out)
{
	*out = (struct mail){ 0 };
	mail_take_lines(text, out);
	find_headers(out);
	find_patch(out);
	for (size_t at = 0; at < out->n_lines;)
		at += read_at(out, at);
}

static void table_drop(struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; c < t->n_columns; c++)
			free(t->rows[r].cells[c].text);
		free(t->rows[r].cells);
		free(t->rows[r].label);
	}
	for (size_t c = 0; c < t->n_columns; c++)
		free(t->columns[c].title);
	free(t->columns);
	free(t->rows);
	free(t->corner);
}

void mail_free(struct mail *m)
{
	for (size_t i = 0; i < m->n_lines; i++)
		free(m->lines[i].text);
	for (size_t i = 0; i < m->n_tables; i++)
		table_drop(&m->tables[i]);
	free(m->lines);
	free(m->tables);
	*m = (struct mail){ 0 };
}
