/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns parted by two blanks or more: letters of DAMON's, ours, what people
 * type. Rows belong to columns by where they stand; a line of words alone is
 * the name of the rows below it, or the rest of a wrapped label.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/mail_parts.h"

enum { MOST_HEADERS = 4, MOST_COLUMNS = 64 };

struct span {
	size_t from;
	size_t to; /* behind its last character */
};

struct spans {
	struct span list[MOST_COLUMNS];
	size_t n;
};

static struct spans cut(const char *text)
{
	struct spans s = { .n = 0 };
	size_t at = strspn(text, " ");

	while (text[at] && s.n < MOST_COLUMNS) {
		struct span *span = &s.list[s.n++];

		span->from = at;
		while (text[at] && !str_starts(text + at, "  "))
			at++;
		span->to = at;
		at += strspn(text + at, " ");
	}
	return s;
}

static bool is_mark(const char *cell)
{
	return str_eq(cell, "(I)") || str_eq(cell, "(R)") || str_eq(cell, "*");
}

/*
 * A figure with at most a word or a bracket behind it, or none recorded; or a
 * mark that stands for one.
 */
static bool is_figure(const char *text, const struct span *span)
{
	auto_free char *cell =
		xstrndup(text + span->from, span->to - span->from);
	struct quantity q;
	size_t n;

	if (str_starts(cell, "n/a") || str_eq(cell, "-") ||
	    str_starts(cell, "<not ") || str_eq(cell, "baseline") ||
	    is_mark(cell) ||
	    (*cell == '(' && quantity_parse(cell + 1, &q, NULL)))
		return true;
	if (!quantity_parse(cell, &q, &n))
		return false;
	for (const char *p = cell + n + strspn(cell + n, " "); *p;) {
		if (*p == '[' || *p == '(')
			return true;
		p += strcspn(p, " ");
		return mail_is_blank(p);
	}
	return true;
}

/* Half of the cells behind the first are figures. */
static bool is_row(const char *text)
{
	struct spans s = cut(text);
	size_t n_figures = 0;

	for (size_t i = 1; i < s.n; i++)
		n_figures += is_figure(text, &s.list[i]);
	return s.n > 1 && n_figures && 2 * n_figures >= s.n - 1;
}

static bool is_rule(const char *text)
{
	return mail_is_rule(text, "=-_");
}

static size_t count_figures(const char *text, const struct spans *s,
			    size_t from)
{
	size_t n = 0;

	for (size_t i = from; i < s->n; i++)
		n += is_figure(text, &s->list[i]);
	return n;
}

/* "18162.45", not "64": what was measured has digits enough. */
static bool is_measured(const char *text, const struct span *span)
{
	auto_free char *cell =
		xstrndup(text + span->from, span->to - span->from);
	struct quantity q;

	return quantity_parse(cell, &q, NULL) && fabs(q.number) >= 100 * q.half;
}

/*
 * One row alone, between blank lines, below a header whose words stand over
 * its figures.
 */
static bool is_single(const struct mail *m, size_t at, size_t row)
{
	struct spans h = cut(mail_text(m, at));
	struct spans r = cut(mail_text(m, row));
	size_t n_measured = 0;

	if (row != at + 1 || !mail_is_blank(mail_text(m, row + 1)) || r.n < 3 ||
	    (h.n != r.n && h.n + 1 != r.n) ||
	    count_figures(mail_text(m, at), &h, 0) ||
	    count_figures(mail_text(m, row), &r, 1) != r.n - 1)
		return false;
	for (size_t i = 1; i < r.n; i++) {
		const struct span *above = &h.list[i + h.n - r.n];

		if (above->from > r.list[i].to || r.list[i].from > above->to)
			return false;
		n_measured += is_measured(mail_text(m, row), &r.list[i]);
	}
	return n_measured > 1;
}

/* What makes a table of one row: a rule above it, or a header. */
static bool has_head(const struct mail *m, size_t at, size_t row)
{
	return row > at &&
	       (is_rule(mail_text(m, row - 1)) || is_single(m, at, row));
}

/* The block from at to *end, and where its first row is; false: none. */
static bool find_block(const struct mail *m, size_t at, size_t *first,
		       size_t *end)
{
	size_t n_rows = 0;
	size_t n_others = 0;
	size_t last = at;

	for (size_t i = at; !mail_is_blank(mail_text(m, i)); i++) {
		const char *text = mail_text(m, i);

		if (strchr(text, '|') || mail_is_mmtests_row(text))
			break;
		if (is_row(text)) {
			if (!n_rows)
				*first = i;
			n_rows++;
			last = i;
			n_others = 0;
		} else if (++n_others > MOST_HEADERS + (n_rows ? 0 : 1)) {
			break;
		}
	}
	*end = last + 1;
	return n_rows >= 2 || (n_rows && has_head(m, at, *first));
}

/* Columns are where the rows that have most cells have them. */
static struct spans find_columns(const struct mail *m, size_t first, size_t end)
{
	struct spans out = { .n = 0 };

	for (size_t i = first; i < end; i++) {
		struct spans s = cut(mail_text(m, i));

		if (!is_row(mail_text(m, i)) || s.n < out.n)
			continue;
		if (s.n > out.n) {
			out = s;
			continue;
		}
		for (size_t c = 0; c < s.n; c++) {
			struct span *o = &out.list[c];

			o->from = s.list[c].from < o->from ? s.list[c].from
							   : o->from;
			o->to = s.list[c].to > o->to ? s.list[c].to : o->to;
		}
	}
	return out;
}

/* How far apart, as a positive number; how much they overlap, as a negative. */
static long distance(const struct span *a, const struct span *b)
{
	size_t from = a->from > b->from ? a->from : b->from;
	size_t to = a->to < b->to ? a->to : b->to;

	return (long)from - (long)to;
}

static size_t nearest(const struct spans *columns, const struct span *cell)
{
	size_t best = 0;

	for (size_t c = 1; c < columns->n; c++)
		if (distance(&columns->list[c], cell) <
		    distance(&columns->list[best], cell))
			best = c;
	return best;
}

static void take_line(const char *text, const struct spans *columns, char **row)
{
	struct spans s = cut(text);

	for (size_t i = 0; i < s.n; i++)
		raw_put(&row[s.n == columns->n ? i
					       : nearest(columns, &s.list[i])],
			text + s.list[i].from, s.list[i].to - s.list[i].from);
}

/* A header has a cell above a column of figures. */
static bool is_header(const char *text, const struct spans *columns)
{
	struct spans s = cut(text);

	for (size_t i = 0; i < s.n; i++)
		if (nearest(columns, &s.list[i]) > 0 &&
		    distance(&columns->list[nearest(columns, &s.list[i])],
			     &s.list[i]) < 0)
			return s.n > 1 || columns->n == 2;
	return false;
}

static void take_headers(const struct mail *m, size_t first,
			 const struct spans *columns, struct mail_raw *raw)
{
	for (size_t i = raw->first; i < first; i++) {
		const char *text = mail_text(m, i);

		if (is_rule(text) || !is_header(text, columns))
			continue;
		take_line(text, columns, raw_row(raw, i));
		raw->n_headers++;
	}
}

/* Words alone: a name for the rows below, or the rest of the label above. */
static bool is_group(const struct mail *m, size_t at, size_t end)
{
	size_t indent = strspn(mail_text(m, at), " ");

	return at + 1 < end && strspn(mail_text(m, at + 1), " ") > indent;
}

/* The name of the rows below, of one line or several. */
struct group {
	struct str name;
	bool is_open; /* no row came yet */
};

static void take_words(const struct mail *m, size_t at, size_t end,
		       struct group *g, struct mail_raw *raw)
{
	const char *text = mail_text(m, at);

	if (g->is_open || is_group(m, at, end)) {
		if (!g->is_open)
			str_free(&g->name);
		str_addf(&g->name, "%s%s", g->name.len ? " " : "",
			 text + strspn(text, " "));
		g->is_open = true;
	} else if (raw->n_rows > raw->n_headers) {
		raw_put(&raw->cells[(raw->n_rows - 1) * raw->n_columns], text,
			strlen(text));
	}
}

static void take_rows(const struct mail *m, size_t first, size_t end,
		      const struct spans *columns, struct mail_raw *raw)
{
	struct group g = { .is_open = false };

	for (size_t i = first; i < end; i++) {
		const char *text = mail_text(m, i);
		char **row;

		if (is_rule(text))
			continue;
		if (!is_row(text)) {
			take_words(m, i, end, &g, raw);
			continue;
		}
		if (strspn(text, " ") == 0)
			str_free(&g.name);
		g.is_open = false;
		row = raw_row(raw, i);
		if (g.name.len)
			raw_put(&row[0], g.name.text, g.name.len);
		take_line(text, columns, row);
	}
	str_free(&g.name);
}

/* The lines above the first row, up to a rule, may name its group: ours do. */
static size_t with_group(const struct mail *m, size_t at, size_t first,
			 size_t end)
{
	size_t from = first;

	while (from > at && !is_rule(mail_text(m, from - 1)) &&
	       cut(mail_text(m, from - 1)).n == 1)
		from--;
	return from < first && from > at && is_rule(mail_text(m, from - 1)) &&
			       is_group(m, from, end)
		       ? from
		       : first;
}

/* The header, with a word above it that names the groups; or the rows. */
static size_t first_line(const struct mail *m, size_t at, size_t first,
			 const struct mail_raw *raw)
{
	size_t line = raw->n_headers ? raw->lines[0] : first;

	if (!raw->n_headers && first > at && is_rule(mail_text(m, first - 1)))
		return at;
	if (raw->n_headers && line > at && !strchr(mail_text(m, line - 1), ' '))
		line--;
	return line;
}

size_t mail_read_aligned(const struct mail *m, size_t at, struct mail_raw *raw)
{
	struct spans columns;
	size_t first = at;
	size_t end;

	if (mail_is_blank(mail_text(m, at)) || !find_block(m, at, &first, &end))
		return 0;
	columns = find_columns(m, first, end);
	raw->first = at;
	raw->last = end - 1;
	raw->n_columns = columns.n;
	take_headers(m, first, &columns, raw);
	raw->first = first_line(m, at, first, raw);
	take_rows(m, with_group(m, at, first, end), end, &columns, raw);
	return end - at;
}
