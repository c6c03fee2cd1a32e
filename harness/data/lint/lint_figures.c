/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Percentages against the figures that they are of. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"

static void report(struct letter *l, size_t line, const char *rule,
		   const struct quantity *printed, const struct range *r,
		   const char *of)
{
	double factor = range_factor(r, printed);
	double middle = (r->least + r->most) / 2;

	if (factor > 0)
		lint_add(l, line, rule,
			 "%g %% is %g times what %s give: %.3g %%",
			 printed->number, factor, of, middle);
	else
		lint_add(l, line, rule, "%g %% is not what %s give: %.3g %%",
			 printed->number, of, middle);
}

/* --- changes --- */

/* The sign may be that of "better": mmtests' and others' convention. */
static bool change_holds(const struct range *r, const struct quantity *printed)
{
	const struct range other = { -r->most, -r->least };

	return range_holds(r, printed) || range_holds(&other, printed);
}

/* "(3.49)" at p: DAMON's overheads have no sign of percent. */
static bool bare_aside(const char *p, struct quantity *out)
{
	size_t n;

	p += strspn(p, " ");
	return *p == '(' && quantity_parse(p + 1, out, &n) && !out->unit[0] &&
	       p[1 + n] == ')';
}

/*
 * The change that stands beside a figure: in its cell, or in the next column
 * of overheads. False if there is none.
 */
static bool aside_of(const struct mail_table *t, size_t row, size_t c,
		     bool is_overhead, struct quantity *out)
{
	const struct mail_cell *cell = &t->rows[row].cells[c];
	struct quantity q;
	size_t n;

	if (!cell->has_figure || strstr(cell->text, "+-"))
		return false;
	*out = (struct quantity){ .number = cell->figure.aside,
				  .half = cell->figure.aside_half };
	if (cell->figure.has_aside || !is_overhead)
		return cell->figure.has_aside;
	if (quantity_parse(cell->text, &q, &n) &&
	    bare_aside(cell->text + n, out))
		return true;
	return c + 1 < t->n_columns && !t->rows[row].cells[c + 1].has_figure &&
	       bare_aside(t->rows[row].cells[c + 1].text, out);
}

/*
 * Changes beside figures, against the first column. Brackets hold other things
 * too: but for mmtests some of the table must be right.
 */
static size_t check_asides(struct letter *l, const struct mail_table *t,
			   bool is_overhead, bool is_report)
{
	size_t n_right = 0;

	for (size_t row = 0; row < t->n_rows; row++) {
		const struct mail_cell *cells = t->rows[row].cells;

		for (size_t c = 1; c < t->n_columns; c++) {
			struct quantity printed;
			struct range r;

			if (!cells[0].has_figure ||
			    !aside_of(t, row, c, is_overhead, &printed) ||
			    !range_change(&cells[0].figure, &cells[c].figure,
					  &r))
				continue;
			if (change_holds(&r, &printed))
				n_right += fabs(printed.number) > printed.half;
			else if (is_report)
				report(l, t->rows[row].line, "percent",
				       &printed, &r, "the figures of the row");
		}
	}
	return n_right;
}

static void lint_asides(struct letter *l, size_t i)
{
	const struct mail_table *t = &l->mail->tables[i];
	auto_free char *around = lint_around(l, i);
	bool is_overhead = lint_has(around, "overhead");

	for (size_t c = 0; c < t->n_columns; c++) {
		auto_free char *title = lint_lower(t->columns[c].title);

		is_overhead |= lint_has(title, "overhead");
	}
	if (t->form == MAIL_MMTESTS ||
	    check_asides(l, t, is_overhead, false) > 0)
		check_asides(l, t, is_overhead, true);
}

/* The first series of plain figures, and the last before this one. */
static bool find_pair(const struct view *v, size_t series, size_t *a, size_t *b)
{
	size_t n = 0;

	for (size_t s = 0; s < series; s++) {
		const struct quantity *q = NULL;

		for (size_t i = 0; i < view_items(v) && !q; i++)
			q = view_figure(v, s, i);
		if (!q || q->is_percent ||
		    lint_is_change_word(view_label(v, s)))
			continue;
		if (!n++)
			*a = s;
		*b = s;
	}
	return n >= 2;
}

/* The change of one item; false if it cannot be checked. */
static bool check_change(const struct view *v, const size_t *s, size_t item,
			 struct range *r)
{
	const struct quantity *a = view_figure(v, s[0], item);
	const struct quantity *b = view_figure(v, s[1], item);
	const struct quantity *printed = view_figure(v, s[2], item);

	return a && b && printed && printed->is_percent &&
	       !strchr(view_text(v, s[2], item), '[') && range_change(a, b, r);
}

/*
 * Where some of a series are as the figures say, the others are wrong; where
 * none is, only a clean factor is an error: it may be a change of else.
 */
static void check_change_series(struct letter *l, const struct view *v,
				size_t series)
{
	size_t s[3] = { 0, 0, series };
	size_t n_right = 0;
	struct range r;

	if (!lint_is_change_word(view_label(v, series)) ||
	    !find_pair(v, series, &s[0], &s[1]))
		return;
	for (size_t i = 0; i < view_items(v); i++)
		n_right += check_change(v, s, i, &r) &&
			   change_holds(&r, view_figure(v, series, i));
	for (size_t i = 0; i < view_items(v); i++) {
		const struct quantity *printed;

		if (!check_change(v, s, i, &r))
			continue;
		printed = view_figure(v, series, i);
		if (!change_holds(&r, printed) &&
		    (n_right || range_factor(&r, printed) > 0))
			report(l, view_line(v, series, i), "percent", printed,
			       &r, "the figures beside it");
	}
}

void lint_changes(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];

		if (!lint_is_own_table(l, t) || t->form == MAIL_PERF)
			continue;
		lint_asides(l, i);
		for (int by_rows = 0; by_rows < 2; by_rows++) {
			const struct view v = { t, by_rows != 0 };

			for (size_t s = 0;
			     view_is_sound(&v) && s < view_series(&v); s++)
				check_change_series(l, &v, s);
		}
	}
}

/* --- shares --- */

/* What a share may be of. */
struct pair {
	size_t part;
	size_t whole;
};

/* A mean of shares is not the share of means: some room where means are. */
static bool share_of(const struct view *v, const struct pair *p, size_t item,
		     bool is_mean, struct range *r)
{
	const struct quantity *part = view_figure(v, p->part, item);
	const struct quantity *whole = view_figure(v, p->whole, item);

	if (!part || !whole || part->is_percent || whole->is_percent ||
	    !range_share(part, whole, r))
		return false;
	if (is_mean) {
		r->least *= 0.95;
		r->most *= 1.05;
	}
	return true;
}

/* Items that say something: 0 % of anything is always right. */
static size_t count_right(const struct view *v, size_t series,
			  const struct pair *p, bool is_mean, size_t *n_asked)
{
	size_t n_right = 0;

	*n_asked = 0;
	for (size_t i = 0; i < view_items(v); i++) {
		const struct quantity *printed = view_figure(v, series, i);
		struct range r;

		if (!printed || !share_of(v, p, i, is_mean, &r) ||
		    r.most < printed->half)
			continue;
		++*n_asked;
		n_right += range_holds(&r, printed);
	}
	return n_right;
}

/* Has the share a word of three letters in common with its part? */
static bool is_named_alike(const char *share, const char *part)
{
	auto_free char *a = lint_lower(share);
	auto_free char *b = lint_lower(part);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(a, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) > 2 && lint_has(b, words[i]))
			return true;
	return false;
}

/* The pair that most of the shares are right for; false: none is. */
static bool find_share(const struct view *v, size_t series, bool is_mean,
		       struct pair *best)
{
	size_t most = 0;

	for (size_t p = 0; p < view_series(v); p++) {
		for (size_t w = 0; w < view_series(v); w++) {
			const struct pair pair = { p, w };
			size_t n_asked;
			size_t n;

			if (p == w || p == series || w == series ||
			    lint_is_share_word(view_label(v, p)))
				continue;
			n = count_right(v, series, &pair, is_mean, &n_asked);
			if (n > most && 2 * n > n_asked &&
			    (n > 2 || is_named_alike(view_label(v, series),
						     view_label(v, p)))) {
				most = n;
				*best = pair;
			}
		}
	}
	return most > 0;
}

/* Are all shares off from a pair by 10 or 100? */
static bool is_scaled(const struct view *v, size_t series,
		      const struct pair *pair)
{
	size_t n_asked = 0;
	size_t n_off = 0;

	for (size_t i = 0; i < view_items(v); i++) {
		const struct quantity *printed = view_figure(v, series, i);
		struct range r;

		if (!printed || !share_of(v, pair, i, false, &r))
			continue;
		n_asked++;
		n_off += range_factor(&r, printed) > 0 &&
			 printed->number > 4 * printed->half;
	}
	return n_asked > 1 && n_off == n_asked;
}

/* None is right, but all are off by one factor from a pair named alike. */
static bool find_scaled(const struct view *v, size_t series, struct pair *best)
{
	for (size_t p = 0; p < view_series(v); p++) {
		for (size_t w = 0; w < view_series(v); w++) {
			*best = (struct pair){ p, w };
			if (p != w && p != series && w != series &&
			    is_named_alike(view_label(v, series),
					   view_label(v, p)) &&
			    is_scaled(v, series, best))
				return true;
		}
	}
	return false;
}

static void check_share(struct letter *l, const struct view *v, size_t series,
			bool is_mean)
{
	struct pair pair;
	auto_free char *of = NULL;

	if (!lint_is_share_word(view_label(v, series)) ||
	    (!find_share(v, series, is_mean, &pair) &&
	     !find_scaled(v, series, &pair)))
		return;
	of = xasprintf("'%s' of '%s'", view_label(v, pair.part),
		       view_label(v, pair.whole));
	for (size_t i = 0; i < view_items(v); i++) {
		const struct quantity *printed = view_figure(v, series, i);
		struct range r;

		if (printed && share_of(v, &pair, i, is_mean, &r) &&
		    !range_holds(&r, printed))
			report(l, view_line(v, series, i), "share", printed, &r,
			       of);
	}
}

void lint_shares(struct letter *l)
{
	for (size_t i = 0; i < l->mail->n_tables; i++) {
		const struct mail_table *t = &l->mail->tables[i];
		auto_free char *around = NULL;

		/* Beyond that it is data, and pairs are too many to try. */
		if (!lint_is_own_table(l, t) || t->form == MAIL_PERF ||
		    t->n_columns > 20)
			continue;
		around = lint_around(l, i);
		for (int by_rows = 0; by_rows < 2; by_rows++) {
			const struct view v = { t, by_rows != 0 };

			for (size_t s = 0;
			     view_is_sound(&v) && view_series(&v) <= 40 &&
			     s < view_series(&v);
			     s++)
				check_share(l, &v, s,
					    lint_has_any(around,
							 "mean|average"));
		}
	}
}
