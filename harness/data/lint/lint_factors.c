/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentages in the prose that are 10 or 100 times what figures give. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"
#include "data/lint/lint_sentence.h"

enum { MOST_ITEMS = 40 };

/* A paragraph of the writer's: lines [from, to) and what they say. */
struct paragraph {
	size_t from;
	size_t to;
	char *text; /* lower case */
};

static bool next_paragraph(const struct letter *l, struct paragraph *p)
{
	auto_str struct str text = { 0 };

	free(p->text);
	p->text = NULL;
	p->from = p->to;
	while (p->from < l->mail->n_lines && !lint_is_prose(l, p->from))
		p->from++;
	for (p->to = p->from; lint_is_prose(l, p->to); p->to++)
		str_addf(&text, "%s ", l->mail->lines[p->to].text);
	p->text = lint_lower(text.text ? text.text : "");
	return p->to > p->from;
}

/* A percentage of two digits or more: "5 %" may be anything. */
static bool is_precise(const struct quantity *q)
{
	return q->half < 0.5 && fabs(q->number) >= 20 * q->half;
}

/* The next percentage in a text from *at on. */
static bool next_percentage(const char *text, size_t *at, struct quantity *out)
{
	for (; text[*at]; ++*at) {
		const char *p = text + *at;
		size_t n;

		if (*at &&
		    (isalnum((unsigned char)p[-1]) || strchr(".,-+/", p[-1])))
			continue;
		if (quantity_parse(p, out, &n) &&
		    (isdigit((unsigned char)*p) || *p == '+' || *p == '-') &&
		    (out->is_percent || str_starts(out->unit, "percent"))) {
			*at += n;
			return true;
		}
	}
	return false;
}

/* What a paragraph's percentage is held against. */
struct search {
	const struct quantity *printed;
	const char *text;
	bool is_right;
	double factor; /* 0: none found */
	double truth;
	char *where;
};

static void try_range(struct search *s, const struct range *r, bool is_named,
		      const char *a, const char *b)
{
	const struct quantity positive = {
		.number = fabs(s->printed->number),
		.half = s->printed->half,
	};
	struct range size = *r;
	double factor;

	if (size.most < 0)
		size = (struct range){ -r->most, -r->least };
	if (range_holds(&size, &positive)) {
		s->is_right = true;
		return;
	}
	factor =
		is_named && size.least > 0 ? range_factor(&size, &positive) : 0;
	if (factor > 0 && s->factor <= 0) {
		s->factor = factor;
		s->truth = (r->least + r->most) / 2;
		free(s->where);
		s->where = xasprintf("'%s' against '%s'", b, a);
	}
}

static bool names(const char *text, const char *label)
{
	auto_free char *lower = lint_lower(label);

	return strlen(lower) > 2 && lint_has(text, lower);
}

/* Does a paragraph speak of a series: by a word of its name, or by TPS? */
static bool speaks_of(const char *text, const char *label)
{
	auto_free char *lower = lint_lower(label);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(lower, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) > 2 && lint_has(text, words[i]))
			return true;
	return !n && lint_has_any(text, "tps|throughput|performance|latency");
}

static void search_view(struct search *s, const struct view *v)
{
	size_t n = view_items(v);

	if (n > MOST_ITEMS || view_series(v) > MOST_ITEMS)
		return;
	for (size_t k = 0; k < view_series(v); k++) {
		bool is_spoken_of = speaks_of(s->text, view_label(v, k));

		for (size_t a = 0; a < n; a++) {
			for (size_t b = 0; b < n; b++) {
				const struct quantity *x = view_figure(v, k, a);
				const struct quantity *y = view_figure(v, k, b);
				struct range r;

				if (a == b || !x || !y || x->is_percent ||
				    y->is_percent || !range_change(x, y, &r))
					continue;
				try_range(s, &r,
					  is_spoken_of ||
						  (names(s->text,
							 view_item(v, a)) &&
						   names(s->text,
							 view_item(v, b))),
					  view_item(v, a), view_item(v, b));
			}
		}
	}
}

/* Percentages that tables print are right as well. */
static void search_printed(struct search *s, const struct mail_table *t)
{
	for (size_t r = 0; r < t->n_rows; r++) {
		for (size_t c = 0; c < t->n_columns; c++) {
			const struct mail_cell *cell = &t->rows[r].cells[c];
			double number = cell->figure.has_aside
						? cell->figure.aside
						: cell->figure.number;

			if (cell->has_figure &&
			    fabs(fabs(number) - fabs(s->printed->number)) <=
				    s->printed->half + cell->figure.half)
				s->is_right = true;
		}
	}
}

/* "from 18162.45 to 18211.82": figures of the paragraph itself. */
static void search_prose(struct search *s)
{
	struct quantity before = { 0 };
	bool has_before = false;

	for (const char *p = s->text; *p; p++) {
		struct quantity q;
		struct range r;
		size_t n;

		if (!isdigit((unsigned char)*p) ||
		    (p > s->text && !isspace((unsigned char)p[-1]) &&
		     p[-1] != '('))
			continue;
		if (!quantity_parse(p, &q, &n))
			continue;
		p += n - 1;
		if (q.is_percent || q.number < 1000 * q.half)
			continue;
		if (has_before && range_change(&before, &q, &r))
			try_range(s, &r, true, "the first figure",
				  "the second");
		before = q;
		has_before = true;
	}
}

static void check_percentage(struct letter *l, const struct paragraph *p,
			     size_t line, const struct quantity *printed)
{
	struct search s = { .printed = printed, .text = p->text };

	for (size_t i = 0; i < l->mail->n_tables && !s.is_right; i++) {
		const struct mail_table *t = &l->mail->tables[i];

		search_printed(&s, t);
		for (int by_rows = 0; by_rows < 2; by_rows++)
			search_view(&s, &(struct view){ t, by_rows != 0 });
	}
	search_prose(&s);
	if (!s.is_right && s.factor > 0)
		lint_add(l, line, "factor",
			 "%g %% is %g times what the figures give: %+.3g %% "
			 "for %s",
			 printed->number, s.factor, s.truth, s.where);
	free(s.where);
}

void lint_factors(struct letter *l)
{
	struct paragraph p = { 0 };

	while (next_paragraph(l, &p)) {
		for (size_t i = p.from; i < p.to; i++) {
			struct quantity q;
			size_t at = 0;

			while (next_percentage(l->mail->lines[i].text, &at, &q))
				if (is_precise(&q))
					check_percentage(l, &p, i, &q);
		}
	}
	free(p.text);
}
