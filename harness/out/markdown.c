/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table as GitHub's Markdown has it. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "out/forms.h"

/* An underscore within a word is no markup: x86_64 stays readable. */
static bool is_markup(const char *text, size_t i)
{
	if (text[i] == '_')
		return !i || !isalnum((unsigned char)text[i - 1]) ||
		       !isalnum((unsigned char)text[i + 1]);
	return strchr("\\|`*<~", text[i]);
}

/* What would be markup stands for itself; a line end would end the row. */
static void add_escaped(struct str *out, const char *text)
{
	for (size_t i = 0; text[i]; i++) {
		if (is_markup(text, i))
			str_addc(out, '\\');
		str_addc(out, (unsigned char)text[i] < ' ' ? ' ' : text[i]);
	}
}

static void add_titles(const struct table *t, struct str *out)
{
	for (size_t c = 0; c < t->n_columns; c++) {
		str_add(out, "| ");
		add_escaped(out, t->columns[c].title);
		if (*t->columns[c].unit) {
			str_add(out, ", ");
			add_escaped(out, t->columns[c].unit);
		}
		str_addc(out, ' ');
	}
	str_add(out, "|\n");
	for (size_t c = 0; c < t->n_columns; c++)
		str_add(out, t->columns[c].is_left ? "|:---" : "|---:");
	str_add(out, "|\n");
}

static void add_cells(const struct table *t, struct str *out)
{
	for (size_t i = 0; i < t->n_cells; i++) {
		str_add(out, "| ");
		add_escaped(out, t->cells[i].text);
		if (t->cells[i].reason)
			str_addf(out, " (%zu)", t->cells[i].reason);
		str_add(out, (i + 1) % t->n_columns ? " " : " |\n");
	}
}

void form_markdown(const struct table *t, struct str *out)
{
	str_add(out, "**");
	add_escaped(out, t->name);
	str_add(out, "**: ");
	add_escaped(out, t->title);
	str_add(out, "\n\n");
	if (t->n_cells) {
		add_titles(t, out);
		add_cells(t, out);
		str_addc(out, '\n');
	}
	for (size_t i = 0; i < t->n_reasons; i++) {
		str_addf(out, "- (%zu) ", i + 1);
		add_escaped(out, t->reasons[i]);
		str_addc(out, '\n');
	}
	for (size_t i = 0; i < t->n_notes; i++) {
		str_add(out, "- ");
		add_escaped(out, t->notes[i]);
		str_addc(out, '\n');
	}
}
