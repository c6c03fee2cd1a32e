/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/plot.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/tsv.h"
#include "out/wrap.h"

enum { CHARACTER_PX = 7, MOST_LABEL_PX = 310 };

void plot_begin(struct plot *p)
{
	*p = (struct plot){ .body_px = 400 };
	table_begin(&p->notes, "", "");
}

void plot_free(struct plot *p)
{
	str_free(&p->settings);
	str_free(&p->data);
	table_free(&p->notes);
	free(p->missing);
}

void plot_miss(struct plot *p, const char *fmt, ...)
{
	va_list ap;

	if (p->missing)
		return;
	va_start(ap, fmt);
	p->missing = xvasprintf(fmt, ap);
	va_end(ap);
}

/*
 * In single quotes gnuplot expands nothing (no `command`, no @macro, no
 * backslash). A quote is put in between by itself: gnuplot 5.4 does not take a
 * doubled one at the beginning of a text.
 */
static void add_quoted(struct str *out, const char *text)
{
	auto_free char *ascii = wrap_ascii(text);

	str_addc(out, '\'');
	for (const char *c = ascii; *c; c++) {
		if (*c == '\'')
			str_add(out, "'.\"'\".'");
		else
			str_addc(out, *c);
	}
	str_addc(out, '\'');
}

static void add_number(struct str *out, double number)
{
	struct str text = { 0 };

	tsv_add_number(&text, number);
	str_add(out, str_eq(text.text, "-") ? "NaN" : text.text);
	str_free(&text);
}

void plot_text(struct plot *p, const char *variable, const char *text)
{
	str_addf(&p->settings, "%s = ", variable);
	add_quoted(&p->settings, text);
	str_addc(&p->settings, '\n');
}

void plot_number(struct plot *p, const char *variable, double number)
{
	str_addf(&p->settings, "%s = ", variable);
	add_number(&p->settings, number);
	str_addc(&p->settings, '\n');
}

static void list_next(struct plot_list *list)
{
	if (list->n++)
		str_add(&list->items, ", \\\n\t");
}

void plot_list_text(struct plot_list *list, const char *text)
{
	list_next(list);
	add_quoted(&list->items, text);
}

void plot_list_number(struct plot_list *list, double number)
{
	list_next(list);
	add_number(&list->items, number);
}

void plot_list_end(struct plot *p, const char *name, struct plot_list *list)
{
	str_addf(&p->settings, "n_%s = %zu\n", name, list->n);
	/* gnuplot has no array of 0. */
	if (list->n)
		str_addf(&p->settings, "array %s[%zu] = [ \\\n\t%s ]\n", name,
			 list->n, list->items.text);
	str_free(&list->items);
	list->n = 0;
}

void plot_set(struct plot *p, const char *comment, const char *columns)
{
	auto_free char *ascii = wrap_ascii(comment);

	str_addf(&p->data, "%s# %s\n# %s\n", p->n_sets++ ? "\n\n" : "", ascii,
		 columns);
}

void plot_row(struct plot *p, const double *cells, size_t n)
{
	for (size_t i = 0; i < n; i++)
		tsv_add_number(&p->data, cells[i]);
	str_addc(&p->data, '\n');
}

unsigned int plot_style(size_t arm)
{
	return (unsigned int)(arm % 32) + 1;
}

unsigned int plot_label_px(size_t longest)
{
	size_t px = CHARACTER_PX * longest + 10;

	return px < MOST_LABEL_PX ? (unsigned int)px : MOST_LABEL_PX;
}

void plot_legend(struct plot *p, const struct experiment *e,
		 const bool *is_shown)
{
	struct plot_list labels = { 0 };
	struct plot_list styles = { 0 };
	size_t longest = 0;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		const char *label = e->arms[arm].label;

		if (!is_shown[arm])
			continue;
		plot_list_text(&labels, label);
		plot_list_number(&styles, plot_style(arm));
		if (strlen(label) > longest)
			longest = strlen(label);
	}
	plot_list_end(p, "legend", &labels);
	plot_list_end(p, "legend_style", &styles);
	plot_number(p, "legend_px", plot_label_px(longest));
}
