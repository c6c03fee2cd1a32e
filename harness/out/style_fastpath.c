/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as Arm's Fastpath prints them. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/import/foreign.h"
#include "out/cells.h"
#include "out/style.h"
#include "out/wrap.h"

enum {
	MOST_TITLE = 60, /* of a metric, in characters */
	MOST_FIRST = 30, /* wider cells go on in the next line */
	MOST_OTHER = 16,
	HEADERS = 2,
};

static size_t width_of(const struct cells *c, size_t col)
{
	size_t most = col ? MOST_OTHER : MOST_FIRST;
	size_t width = cells_width(c, col);

	return width < most ? width : most;
}

static void rule(const struct cells *c, char sign, struct str *out)
{
	for (size_t col = 0; col < c->n_columns; col++) {
		str_addc(out, '+');
		for (size_t i = 0; i < width_of(c, col) + 2; i++)
			str_addc(out, sign);
	}
	str_add(out, "+\n");
}

/* One line of a row: what is left of each cell, moved on. */
static bool grid_line(const struct cells *c, const char **left, bool is_first,
		      struct str *out)
{
	bool more = false;

	for (size_t col = 0; col < c->n_columns; col++) {
		/* What goes on stands further in than what begins. */
		size_t indent = col || is_first ? 0 : 4;
		size_t width = width_of(c, col) - indent;
		size_t lead = is_first ? strspn(left[col], " ") : 0;
		size_t skip;
		size_t n = wrap_take(left[col] + lead, width - lead, &skip);
		int fill = (int)(width - lead - n);

		str_addf(out, "| %*s%*s%.*s%*s ", (int)(indent + lead), "",
			 col ? fill : 0, "", (int)n, left[col] + lead,
			 col ? 0 : fill, "");
		left[col] += lead + n + skip;
		more |= *left[col] != '\0';
	}
	str_add(out, "|\n");
	return more;
}

static void grid_row(const struct cells *c, size_t row, struct str *out)
{
	auto_free const char **left = xcalloc(c->n_columns, sizeof(*left));
	bool is_first = true;

	for (size_t col = 0; col < c->n_columns; col++)
		left[col] = cells_at(c, row, col);
	while (grid_line(c, left, is_first, out))
		is_first = false;
}

/* By its rule; of an imported table the mark that it had. */
static const char *mark_of(const struct judgement *j)
{
	const struct side *arm = &j->versus.arm;
	const char *printed = extra_mark(arm->e, arm->e->arms[arm->arm].label,
					 j->metric->name);

	if (*printed)
		return printed;
	return foreign_mark(&foreign_rules[0], j->metric->better, j->base.x,
			    j->base.n, j->arm.x, j->arm.n);
}

static char *mark_cell(const struct judgement *j)
{
	const char *mark;

	if (!j || !isfinite(style_mean_pct(j)))
		return xstrdup("n/a");
	mark = mark_of(j);
	return xasprintf("%s%s%.2f%%", str_eq(mark, "-") ? "" : mark,
			 str_eq(mark, "-") ? "" : " ", style_mean_pct(j));
}

static const char *workload_name(const struct verdicts *v)
{
	const struct facts *w = &v->list[0].base.e->workload;
	const char *name = facts_get(w, "script");

	if (!*name)
		name = facts_get(w, "program");
	return *name ? name : "benchmark";
}

/* One baseline: its column, then the arms. Else a column a pair. */
static void fill_head(const struct verdicts *v, struct cells *c)
{
	bool is_one = verdicts_one_base(v);

	cells_add(c, xstrdup("Benchmark"));
	if (is_one)
		cells_add(c, verdicts_label(v, &v->list[0], true));
	for (size_t i = 0; i < v->n; i++)
		cells_add(c, verdicts_label(v, &v->list[i], false));
	cells_add(c, xstrdup("  Result Class"));
	for (size_t i = 1; i < c->n_columns; i++)
		cells_add(c, xstrdup(i == 1 && is_one ? "(base)" : ""));
}

static void fill_suite(const char *name, struct cells *c)
{
	cells_add(c, xstrdup(name));
	for (size_t i = 1; i < c->n_columns; i++)
		cells_add(c, xstrdup(""));
}

static void fill_row(const struct verdicts *v, size_t m, struct cells *c)
{
	auto_free char *label = style_metric(v, m, MOST_TITLE);

	cells_add(c, xasprintf("  %s", label));
	if (verdicts_one_base(v))
		cells_add(c, xstrdup("0.00%"));
	for (size_t i = 0; i < v->n; i++)
		cells_add(c, mark_cell(verdicts_of(v, i, m)));
}

/* Benchmarks as they were run, each a suite of its own. */
static bool fill_points(const struct verdicts *v, struct cells *c)
{
	const struct experiment *e = v->list[0].base.e;
	const char *suite = NULL;

	for (size_t i = 0; !extra_is_imported(e) && i < e->n_extra; i++) {
		for (size_t m = 0; m < v->n_metrics; m++) {
			if (v->metrics[m] != &e->extra[i])
				continue;
			if (!suite || !str_eq(suite, e->extra[i].source))
				fill_suite(e->extra[i].source, c);
			suite = e->extra[i].source;
			fill_row(v, m, c);
		}
	}
	return suite;
}

static void fill(const struct verdicts *v, struct cells *c)
{
	*c = (struct cells){ .n_columns = v->n + 1 + verdicts_one_base(v) };
	fill_head(v, c);
	if (fill_points(v, c))
		return;
	fill_suite(workload_name(v), c);
	for (size_t m = 0; m < v->n_metrics; m++)
		fill_row(v, m, c);
}

static size_t total_width(const struct verdicts *v)
{
	struct cells c;
	size_t width = 1;

	fill(v, &c);
	for (size_t col = 0; col < c.n_columns; col++)
		width += width_of(&c, col) + 3;
	cells_free(&c);
	return width;
}

static void print_part(const struct verdicts *v, struct str *out)
{
	struct cells c;

	fill(v, &c);
	rule(&c, '-', out);
	for (size_t row = 0; row < cells_rows(&c); row++) {
		if (row == HEADERS)
			rule(&c, '=', out);
		grid_row(&c, row, out);
	}
	rule(&c, '-', out);
	cells_free(&c);
}

void style_fastpath(const struct verdicts *v, struct str *out)
{
	struct verdicts part;
	size_t from = 0;

	while (style_next_part(v, &from, total_width, &part)) {
		print_part(&part, out);
		str_addc(out, '\n');
	}
}

/* Does the grid show a mark that an imported table had? */
static bool has_printed_mark(const struct verdicts *v)
{
	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t i = 0; i < v->n; i++) {
			const struct side *arm = &v->list[i].arm;

			if (*extra_mark(arm->e, arm->e->arms[arm->arm].label,
					v->metrics[m]->name))
				return true;
		}
	}
	return false;
}

void style_fastpath_note(const struct verdicts *v, struct table *t)
{
	auto_free char *base = style_base(v);

	style_note_metrics(v, MOST_TITLE, t);
	table_note(t,
		   "Change of the mean over the runs, in %% of %s. (I) "
		   "improvement, (R) regression: %s%s.",
		   base,
		   has_printed_mark(v) ? "as the imported table has it, else "
				       : "",
		   foreign_rules[0].help);
}
