/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table for a mail or a terminal. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/forms.h"
#include "out/wrap.h"

enum {
	GAP = 2,         /* blanks between columns */
	LEAST_LEFT = 16, /* a left column is not narrowed below this */
	ROW_TITLE = 0,
	ROW_UNIT = 1,
	ROW_FIRST = 2, /* rows of the grid: titles, units, then the cells */
};

struct grid {
	const struct table *t;
	char **texts; /* ASCII, (ROW_FIRST + rows) * n_columns */
	size_t *widths;
	size_t n_rows; /* ROW_FIRST among them */
	size_t first;  /* column; 1 if the table is grouped */
	size_t indent;
};

static const char *at(const struct grid *g, size_t row, size_t col)
{
	return g->texts[row * g->t->n_columns + col];
}

static char *cell_text(const struct table_cell *cell)
{
	auto_free char *ascii = wrap_ascii(cell->text);

	return cell->reason ? xasprintf("%s (%zu)", ascii, cell->reason)
			    : xstrdup(ascii);
}

static void grid_fill(struct grid *g, const struct table *t)
{
	size_t n = t->n_columns;

	g->t = t;
	g->n_rows = ROW_FIRST + table_rows(t);
	g->first = t->is_grouped && n > 1 ? 1 : 0;
	g->texts = xcalloc(g->n_rows * n, sizeof(*g->texts));
	g->widths = xcalloc(n, sizeof(*g->widths));
	for (size_t c = 0; c < n; c++) {
		g->texts[c] = wrap_ascii(t->columns[c].title);
		g->texts[n + c] = wrap_ascii(t->columns[c].unit);
	}
	for (size_t i = 0; i < t->n_cells; i++)
		g->texts[ROW_FIRST * n + i] = cell_text(&t->cells[i]);
}

static void grid_free(struct grid *g)
{
	for (size_t i = 0; i < g->n_rows * g->t->n_columns; i++)
		free(g->texts[i]);
	free(g->texts);
	free(g->widths);
}

static size_t total_width(const struct grid *g)
{
	size_t total = g->indent;

	for (size_t c = g->first; c < g->t->n_columns; c++)
		total += g->widths[c] + (c > g->first ? GAP : 0);
	return total;
}

/* The widest left column that may be narrowed, or NULL. */
static size_t *widest_left(const struct grid *g)
{
	size_t *widest = NULL;

	for (size_t c = g->first; c < g->t->n_columns; c++)
		if (g->t->columns[c].is_left && g->widths[c] > LEAST_LEFT &&
		    (!widest || g->widths[c] > *widest))
			widest = &g->widths[c];
	return widest;
}

/* The longest line of a column whose cells are wrapped at width. */
static size_t longest_line(const struct grid *g, size_t col, size_t width)
{
	size_t longest = 1;

	for (size_t r = 0; r < g->n_rows; r++) {
		const char *left = at(g, r, col);

		while (*left) {
			size_t skip;
			size_t n = wrap_take(left, width, &skip);

			longest = n > longest ? n : longest;
			left += n + skip;
		}
	}
	return longest;
}

static void fit(struct grid *g)
{
	size_t most = WRAP_WIDTH - g->indent;
	size_t *widest;

	for (size_t c = 0; c < g->t->n_columns; c++)
		g->widths[c] = longest_line(g, c, SIZE_MAX);
	while (total_width(g) > WRAP_WIDTH && (widest = widest_left(g)))
		--*widest;
	for (size_t c = g->first; c < g->t->n_columns; c++)
		g->widths[c] = longest_line(g, c, g->widths[c]);
	/* The label and any one other column fit side by side. */
	for (size_t c = g->first + 1; c < g->t->n_columns; c++)
		if (g->widths[c] > most - g->widths[g->first] - GAP)
			g->widths[c] = most - g->widths[g->first] - GAP;
}

/* The columns of one part: the label, then from to to. */
struct part {
	bool has_label;
	size_t from;
	size_t to;
};

static bool part_has(const struct grid *g, const struct part *p, size_t col)
{
	return (p->has_label && col == g->first) ||
	       (col >= p->from && col < p->to);
}

static bool part_has_units(const struct grid *g, const struct part *p)
{
	for (size_t c = g->first; c < g->t->n_columns; c++)
		if (part_has(g, p, c) && *at(g, ROW_UNIT, c))
			return true;
	return false;
}

static void pad(struct str *out, char c, size_t n)
{
	while (n--)
		str_addc(out, c);
}

/* One line of a row: what is left of each cell, moved on. */
static bool add_line(const struct grid *g, const struct part *p,
		     const char **left, struct str *out)
{
	size_t start = out->len;
	size_t gap = g->indent;
	bool more = false;

	for (size_t c = g->first; c < g->t->n_columns; c++) {
		size_t skip;
		size_t n;

		if (!part_has(g, p, c))
			continue;
		n = wrap_take(left[c], g->widths[c], &skip);
		pad(out, ' ', gap);
		if (!g->t->columns[c].is_left)
			pad(out, ' ', g->widths[c] - n);
		str_addn(out, left[c], n);
		if (g->t->columns[c].is_left)
			pad(out, ' ', g->widths[c] - n);
		left[c] += n + skip;
		more |= *left[c] != '\0';
		gap = GAP;
	}
	while (out->len > start && out->text[out->len - 1] == ' ')
		out->text[--out->len] = '\0';
	str_addc(out, '\n');
	return more;
}

static void add_row(const struct grid *g, const struct part *p, size_t row,
		    struct str *out)
{
	auto_free const char **left = xcalloc(g->t->n_columns, sizeof(*left));

	for (size_t c = 0; c < g->t->n_columns; c++)
		left[c] = at(g, row, c);
	while (add_line(g, p, left, out))
		;
}

static bool is_new_group(const struct grid *g, size_t row)
{
	return g->first && (row == ROW_FIRST || row == ROW_TITLE ||
			    !str_eq(at(g, row, 0), at(g, row - 1, 0)));
}

static void add_part(const struct grid *g, const struct part *p,
		     struct str *out)
{
	bool has_units = part_has_units(g, p);
	size_t width = g->indent;
	size_t gap = 0;

	for (size_t c = g->first; c < g->t->n_columns; c++) {
		if (!part_has(g, p, c))
			continue;
		width += g->widths[c] + gap;
		gap = GAP;
	}
	for (size_t r = 0; r < g->n_rows; r++) {
		if (r == ROW_FIRST) {
			pad(out, '=', width);
			str_addc(out, '\n');
		}
		if (r == ROW_UNIT && !has_units)
			continue;
		if (r != ROW_UNIT && is_new_group(g, r))
			wrap_add(out, at(g, r, 0), "", " ");
		add_row(g, p, r, out);
	}
}

/* As many columns as fit beside the label, from there the next part. */
static void add_parts(const struct grid *g, struct str *out)
{
	size_t n = g->t->n_columns;
	bool has_label = g->t->columns[g->first].is_left;
	struct part p = { has_label, g->first + has_label, 0 };

	do {
		size_t width = g->indent;

		if (p.has_label)
			width += g->widths[g->first] + GAP;
		p.to = p.from;
		while (p.to < n && (p.to == p.from ||
				    width + g->widths[p.to] <= WRAP_WIDTH))
			width += g->widths[p.to++] + GAP;
		str_addc(out, '\n');
		add_part(g, &p, out);
		p.from = p.to;
	} while (p.to < n);
}

static bool has_unsafe_line(const char *text)
{
	while (*text) {
		if (wrap_is_unsafe(text))
			return true;
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return false;
}

static void add_grid(const struct table *t, struct str *out)
{
	auto_str struct str body = { 0 };
	struct grid g = { 0 };

	grid_fill(&g, t);
	g.indent = g.first ? GAP : 0;
	fit(&g);
	/* One column less may spare a second part. */
	if (total_width(&g) == WRAP_WIDTH + 1 && g.indent > 1) {
		g.indent--;
		fit(&g);
	}
	add_parts(&g, &body);
	if (has_unsafe_line(body.text)) {
		str_free(&body);
		g.indent++;
		fit(&g);
		add_parts(&g, &body);
	}
	str_add(out, body.text);
	grid_free(&g);
}

static void add_note(struct str *out, const char *note, const char *first)
{
	auto_free char *ascii = wrap_ascii(note);

	wrap_add(out, ascii, first, "  ");
}

void form_text(const struct table *t, struct str *out)
{
	auto_free char *title = xasprintf("%s: %s", t->name, t->title);

	add_note(out, title, "");
	if (t->n_cells)
		add_grid(t, out);
	if (t->n_notes || t->n_reasons)
		str_addc(out, '\n');
	for (size_t i = 0; i < t->n_reasons; i++) {
		auto_free char *mark = xasprintf("(%zu) ", i + 1);

		add_note(out, t->reasons[i], mark);
	}
	for (size_t i = 0; i < t->n_notes; i++)
		add_note(out, t->notes[i], "");
}
