/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as HTML. */
#include <stdlib.h>

#include "base/mem.h"
#include "out/forms.h"
#include "out/html.h"

/* A longer table is folded up. */
enum { MOST_ROWS = 40 };

static void add_titles(const struct table *t, struct str *out)
{
	str_add(out, "<thead><tr>");
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct table_column *col = &t->columns[c];

		str_add(out, col->is_left ? "<th class=\"left\">" : "<th>");
		html_text(out, col->title);
		if (*col->unit) {
			str_add(out, "<br/><small>");
			html_text(out, col->unit);
			str_add(out, "</small>");
		}
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead>\n");
}

/* The first cell of a group says the same as the one above it. */
static bool is_again(const struct table *t, size_t row)
{
	return t->is_grouped && row &&
	       str_eq(t->cells[row * t->n_columns].text,
		      t->cells[(row - 1) * t->n_columns].text);
}

static void add_row(const struct table *t, size_t row, struct str *out)
{
	str_add(out, "<tr>");
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct table_cell *cell =
			&t->cells[row * t->n_columns + c];

		str_addf(out, "<td class=\"%s%s\">",
			 t->columns[c].is_left ? "left" : "right",
			 cell->reason             ? " missing"
			 : !c && is_again(t, row) ? " again"
						  : "");
		html_text(out, cell->text);
		if (cell->reason)
			str_addf(out, "<sup>(%zu)</sup>", cell->reason);
		str_add(out, "</td>");
	}
	str_add(out, "</tr>\n");
}

static void add_rows(const struct table *t, const char *experiment_id,
		     struct str *out)
{
	auto_str struct str csv = { 0 };
	auto_free char *file = xasprintf("%s.csv", t->name);
	size_t n_rows = table_rows(t);

	if (n_rows > MOST_ROWS)
		str_addf(out, "<details><summary>%zu rows</summary>\n", n_rows);
	str_add(out, "<table>\n");
	add_titles(t, out);
	str_add(out, "<tbody>\n");
	for (size_t row = 0; row < n_rows; row++)
		add_row(t, row, out);
	str_add(out, "</tbody>\n</table>\n");
	if (n_rows > MOST_ROWS)
		str_add(out, "</details>\n");
	form_csv(t, experiment_id, &csv);
	html_download(out, file, "text/csv", csv.text);
	str_addc(out, '\n');
}

static void add_list(const char *tag, char *const *items, size_t n,
		     struct str *out)
{
	if (n)
		str_addf(out, "<%s>\n", tag);
	for (size_t i = 0; i < n; i++) {
		str_add(out, "<li>");
		html_text(out, items[i]);
		str_add(out, "</li>\n");
	}
	if (n)
		str_addf(out, "</%s>\n", tag);
}

void form_html(const struct table *t, const char *experiment_id,
	       struct str *out)
{
	str_add(out, "<section class=\"table\">\n<h2>");
	html_text(out, t->name);
	str_add(out, ": ");
	html_text(out, t->title);
	str_add(out, "</h2>\n");
	if (t->n_cells)
		add_rows(t, experiment_id, out);
	/* Reasons are numbered, and n/a (1) stands for the first. */
	add_list("ol", t->reasons, t->n_reasons, out);
	add_list("ul", t->notes, t->n_notes, out);
	str_add(out, "</section>\n");
}
