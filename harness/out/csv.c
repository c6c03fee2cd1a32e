/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as RFC 4180 has it, but with '\n' at the end of a line. */
#include "out/csv.h"

#include <string.h>

#include "base/mem.h"
#include "out/forms.h"

void csv_field(struct str *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		str_add(out, text);
		return;
	}
	str_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			str_addc(out, '"');
		str_addc(out, *text);
	}
	str_addc(out, '"');
}

static void add_titles(const struct table *t, struct str *out)
{
	str_add(out, "table,experiment");
	for (size_t c = 0; c < t->n_columns; c++) {
		const struct table_column *col = &t->columns[c];
		auto_free char *title =
			*col->unit ? xasprintf("%s (%s)", col->title, col->unit)
				   : xstrdup(col->title);

		str_addc(out, ',');
		if (col->csv)
			str_add(out, col->csv);
		else
			csv_field(out, title);
	}
	str_add(out, ",missing\n");
}

/* As many empty fields as a column has names in CSV, less one. */
static void add_missing(const struct table_column *col, struct str *out)
{
	str_add(out, "n/a");
	for (const char *s = col->csv; s && *s; s++)
		if (*s == ',')
			str_add(out, ",n/a");
}

static void add_row(const struct table *t, const char *id, size_t row,
		    struct str *out)
{
	const struct table_cell *cells = &t->cells[row * t->n_columns];
	auto_str struct str why = { 0 };

	csv_field(out, t->name);
	str_addc(out, ',');
	csv_field(out, id);
	for (size_t c = 0; c < t->n_columns; c++) {
		str_addc(out, ',');
		if (cells[c].reason) {
			add_missing(&t->columns[c], out);
			str_addf(&why, "%s%s: %s", why.len ? "; " : "",
				 t->columns[c].title,
				 t->reasons[cells[c].reason - 1]);
		} else if (cells[c].csv) {
			str_add(out, cells[c].csv);
		} else {
			csv_field(out, cells[c].text);
		}
	}
	str_addc(out, ',');
	csv_field(out, why.len ? why.text : "");
	str_addc(out, '\n');
}

void form_csv(const struct table *t, const char *experiment_id, struct str *out)
{
	size_t n_rows = table_rows(t);

	add_titles(t, out);
	for (size_t row = 0; row < n_rows; row++)
		add_row(t, experiment_id, row, out);
}
