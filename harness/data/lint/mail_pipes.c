/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with '|' between cells: grids with rules of +---+ or +===+, those of
 * Fastpath among them, and Markdown. Pasted ones may have lost rules, borders
 * and cells.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

enum line_kind {
	LINE_OTHER,
	LINE_RULE,   /* +---+ or |---| */
	LINE_DOUBLE, /* +===+ */
	LINE_CELLS,
};

static enum line_kind kind_of(const char *text)
{
	const char *p = text + strspn(text, " ");

	if (*p != '+' && *p != '|')
		return LINE_OTHER;
	if (mail_is_rule(p, "+-|:="))
		return strchr(p, '=')   ? LINE_DOUBLE
		       : strchr(p, '-') ? LINE_RULE
					: LINE_CELLS;
	return *p == '|' ? LINE_CELLS : LINE_OTHER;
}

/* "a | b" above "--- | ---": Markdown without its outer pipes. */
static bool is_bare_markdown(const struct mail *m, size_t at)
{
	const char *next = mail_text(m, at + 1);

	return strchr(mail_text(m, at), '|') && strchr(next, '|') &&
	       strchr(next, '-') && mail_is_rule(next, "-|:") &&
	       kind_of(next) == LINE_OTHER;
}

struct pipes {
	const struct mail *m;
	struct mail_raw *raw;
	bool is_bare;
	bool has_grid;   /* a rule with '+' */
	bool has_dashes; /* a rule without */
	bool has_double; /* the rows before it are header */
	size_t n_before; /* rows before the first rule behind a row */
	size_t n_header;
};

static enum line_kind kind_at(const struct pipes *p, size_t at)
{
	const char *text = mail_text(p->m, at);

	if (!p->is_bare)
		return kind_of(text);
	if (!strchr(text, '|'))
		return LINE_OTHER;
	return mail_is_rule(text, "-|:") ? LINE_RULE : LINE_CELLS;
}

static size_t count_cells(const char *text)
{
	size_t n = 1;
	const char *p = text + strspn(text, " ");

	for (p += *p == '|'; *p; p++)
		n += *p == '|' && !mail_is_blank(p + 1);
	return n;
}

/*
 * A label that goes on: further in than the two blanks that lead a row of a
 * benchmark, and nothing beside it. Added to the row above, if there is one.
 */
static bool take_rest(struct pipes *p, const char *text)
{
	struct mail_raw *raw = p->raw;
	size_t n;

	text += strspn(text, " ");
	text += *text == '|';
	n = strcspn(text, "|");
	if (!raw->n_rows || !str_starts(text, "     ") ||
	    strspn(text, " ") == n || text[n + strspn(text + n, "| ")])
		return false;
	raw_put(&raw->cells[(raw->n_rows - 1) * raw->n_columns], text, n);
	return true;
}

static void take_cells(struct pipes *p, size_t at)
{
	const char *text = mail_text(p->m, at);
	char **row;

	if (take_rest(p, text))
		return;
	row = raw_row(p->raw, at);

	text += strspn(text, " ");
	text += *text == '|';
	for (size_t c = 0; c < p->raw->n_columns; c++) {
		size_t n = strcspn(text, "|");

		raw_put(&row[c], text, n);
		text += n;
		if (*text)
			text++;
	}
}

/* Header rows have words alone behind their first cell. */
static bool rows_are_words(const struct mail_raw *raw, size_t n)
{
	struct quantity q;

	for (size_t r = 0; r < n; r++)
		for (size_t c = 1; c < raw->n_columns; c++)
			if (quantity_parse(raw->cells[r * raw->n_columns + c],
					   &q, NULL))
				return false;
	return true;
}

static void take_line(struct pipes *p, size_t at, enum line_kind kind)
{
	const char *text = mail_text(p->m, at);

	if (kind == LINE_CELLS) {
		take_cells(p, at);
		return;
	}
	p->has_grid |= strchr(text, '+') != NULL;
	p->has_dashes |= strchr(text, '+') == NULL;
	if (kind == LINE_DOUBLE && !p->has_double) {
		p->has_double = true;
		p->n_header = p->raw->n_rows;
	}
	if (!p->n_before)
		p->n_before = p->raw->n_rows;
}

static void find_header(struct pipes *p)
{
	struct mail_raw *raw = p->raw;

	raw->form = p->has_dashes && !p->has_grid ? MAIL_MARKDOWN : MAIL_GRID;
	if (p->has_double)
		raw->n_headers = p->n_header;
	else if (p->n_before && p->n_before < raw->n_rows &&
		 rows_are_words(raw, p->n_before))
		raw->n_headers = p->n_before;
}

size_t mail_read_pipes(const struct mail *m, size_t at, struct mail_raw *raw)
{
	struct pipes p = { .m = m, .raw = raw };
	size_t end = at;
	size_t n_rows = 0;

	p.is_bare = is_bare_markdown(m, at);
	raw->n_columns = 1;
	for (; kind_at(&p, end) != LINE_OTHER; end++) {
		size_t n;

		if (kind_at(&p, end) != LINE_CELLS)
			continue;
		n = count_cells(mail_text(m, end));
		raw->n_columns = n > raw->n_columns ? n : raw->n_columns;
		n_rows++;
	}
	/* One row alone is a border of something else. */
	if (end - at < 2 || n_rows == 0 || raw->n_columns < 2)
		return 0;
	for (size_t i = at; i < end; i++)
		take_line(&p, i, kind_at(&p, i));
	raw->first = at;
	raw->last = end - 1;
	find_header(&p);
	return end - at;
}
