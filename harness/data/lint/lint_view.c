/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as series, and what rounding hides. */
#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/lint/lint_parts.h"

size_t view_series(const struct view *v)
{
	return v->by_rows ? v->t->n_rows : v->t->n_columns;
}

size_t view_items(const struct view *v)
{
	return v->by_rows ? v->t->n_columns : v->t->n_rows;
}

static const struct mail_cell *cell_at(const struct view *v, size_t series,
				       size_t item)
{
	return v->by_rows ? &v->t->rows[series].cells[item]
			  : &v->t->rows[item].cells[series];
}

const char *view_label(const struct view *v, size_t series)
{
	return v->by_rows ? v->t->rows[series].label
			  : v->t->columns[series].title;
}

const char *view_item(const struct view *v, size_t item)
{
	return v->by_rows ? v->t->columns[item].title : v->t->rows[item].label;
}

const struct quantity *view_figure(const struct view *v, size_t series,
				   size_t item)
{
	const struct mail_cell *cell = cell_at(v, series, item);

	return cell->has_figure ? &cell->figure : NULL;
}

const char *view_text(const struct view *v, size_t series, size_t item)
{
	return cell_at(v, series, item)->text;
}

size_t view_line(const struct view *v, size_t series, size_t item)
{
	return v->t->rows[v->by_rows ? series : item].line;
}

bool view_is_sound(const struct view *v)
{
	for (size_t c = 0; v->by_rows && c < v->t->n_columns; c++)
		if (lint_has_unit(v->t->columns[c].title))
			return false;
	return true;
}

/* --- what rounding hides --- */

bool range_holds(const struct range *r, const struct quantity *printed)
{
	/* The half of a digit, and a little for what doubles cannot say. */
	double slack = printed->half * 1.001 + 1e-9 * fabs(printed->number);

	return printed->number >= r->least - slack &&
	       printed->number <= r->most + slack;
}

double range_factor(const struct range *r, const struct quantity *printed)
{
	static const double factors[] = { 10, 100, 0.1, 0.01 };

	for (size_t i = 0; i < ARRAY_SIZE(factors); i++) {
		const struct range scaled = { r->least * factors[i],
					      r->most * factors[i] };

		if (range_holds(&scaled, printed))
			return factors[i];
	}
	return 0;
}

/* a / b where both are only known to within their halves. */
static bool ratio(const struct quantity *a, const struct quantity *b,
		  struct range *out)
{
	if (b->number - b->half <= 0 || a->number < 0)
		return false;
	out->least = fmax(a->number - a->half, 0) / (b->number + b->half);
	out->most = (a->number + a->half) / (b->number - b->half);
	return true;
}

bool range_change(const struct quantity *a, const struct quantity *b,
		  struct range *out)
{
	if (!ratio(b, a, out))
		return false;
	out->least = 100 * (out->least - 1);
	out->most = 100 * (out->most - 1);
	return true;
}

bool range_share(const struct quantity *part, const struct quantity *whole,
		 struct range *out)
{
	if (!ratio(part, whole, out))
		return false;
	out->least *= 100;
	out->most *= 100;
	return true;
}
