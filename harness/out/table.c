/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "out/forms.h"

void table_begin(struct table *t, const char *name, const char *title)
{
	*t = (struct table){ .name = xstrdup(name), .title = xstrdup(title) };
}

struct table_column *table_column(struct table *t, const char *title,
				  const char *unit, bool is_left)
{
	assert(t->n_cells == 0);
	XGROW(t->columns, t->n_columns);
	t->columns[t->n_columns] = (struct table_column){
		.title = xstrdup(title),
		.unit = xstrdup(unit),
		.is_left = is_left,
	};
	return &t->columns[t->n_columns++];
}

static struct table_cell *next_cell(struct table *t)
{
	XGROW(t->cells, t->n_cells);
	t->cells[t->n_cells] = (struct table_cell){ 0 };
	return &t->cells[t->n_cells++];
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	next_cell(t)->text = xvasprintf(fmt, ap);
	va_end(ap);
}

void table_cell_csv(struct table *t, const char *text, const char *csv)
{
	struct table_cell *cell = next_cell(t);

	cell->text = xstrdup(text);
	cell->csv = xstrdup(csv);
}

static size_t reason_number(struct table *t, const char *why)
{
	for (size_t i = 0; i < t->n_reasons; i++)
		if (str_eq(t->reasons[i], why))
			return i + 1;
	XGROW(t->reasons, t->n_reasons);
	t->reasons[t->n_reasons++] = xstrdup(why);
	return t->n_reasons;
}

void table_missing(struct table *t, const char *why)
{
	size_t number =
		reason_number(t, why && *why ? why : "no reason recorded");
	struct table_cell *cell = next_cell(t);

	cell->text = xstrdup("n/a");
	cell->reason = number;
}

void table_note(struct table *t, const char *fmt, ...)
{
	va_list ap;

	XGROW(t->notes, t->n_notes);
	va_start(ap, fmt);
	t->notes[t->n_notes++] = xvasprintf(fmt, ap);
	va_end(ap);
}

size_t table_rows(const struct table *t)
{
	return t->n_columns ? t->n_cells / t->n_columns : 0;
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		free(t->columns[i].title);
		free(t->columns[i].unit);
		free(t->columns[i].csv);
	}
	for (size_t i = 0; i < t->n_cells; i++) {
		free(t->cells[i].text);
		free(t->cells[i].csv);
	}
	for (size_t i = 0; i < t->n_reasons; i++)
		free(t->reasons[i]);
	for (size_t i = 0; i < t->n_notes; i++)
		free(t->notes[i]);
	free(t->columns);
	free(t->cells);
	free(t->reasons);
	free(t->notes);
	free(t->name);
	free(t->title);
	*t = (struct table){ 0 };
}

void table_print(const struct table *t, const char *experiment_id,
		 enum table_format format, struct str *out)
{
	assert(!t->n_columns || t->n_cells % t->n_columns == 0);
	switch (format) {
	case TABLE_TEXT:
		form_text(t, out);
		return;
	case TABLE_MARKDOWN:
		form_markdown(t, out);
		return;
	case TABLE_CSV:
		form_csv(t, experiment_id, out);
		return;
	case TABLE_HTML:
		form_html(t, experiment_id, out);
		return;
	case TABLE_JSON:
		form_json(t, out);
		return;
	}
}
