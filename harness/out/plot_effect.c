/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change of every metric against the baseline, with its interval. */
#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/summary.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/plots.h"

enum { ROW_PX = 17 };

/* One change, and where it stands. */
struct effect {
	double row;
	struct comparison change;
	size_t arm;
};

struct effects {
	struct effect *list;
	size_t n;
	struct plot_list names;
	struct plot_list name_rows;
	struct plot_list texts;
	struct plot_list text_rows;
	struct plot_list stripes_from;
	struct plot_list stripes_to;
	bool *is_shown; /* arms */
	double row;
	size_t longest;
	size_t n_left_out; /* metrics that are the same in all blocks */
};

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

/* As figure_change(), with fewer digits where they are many. free() it. */
static char *effect_text(const struct comparison *c)
{
	auto_free char *change = NULL;

	if (isfinite(c->high) && fabs(percent(c->high)) >= 100)
		return xasprintf("%+.0f %% [%+.0f, %+.0f]  n = %zu",
				 percent(c->ratio), percent(c->low),
				 percent(c->high), c->n);
	change = figure_change(c);
	return xasprintf("%s  n = %zu", change, c->n);
}

/* Is there anything to see: does any arm differ from the baseline? */
static bool differs(const struct experiment *e, const char *metric, bool *any)
{
	bool is_different = false;

	*any = false;
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct comparison c = summary_compare(e, arm, metric);

		if (arm == e->baseline || !c.n)
			continue;
		*any = true;
		is_different = is_different || fabs(c.ratio - 1) > 1e-12 ||
			       c.high - c.low > 1e-12;
	}
	return is_different;
}

static void add_name(const struct metric *m, double from, double to,
		     struct effects *out)
{
	static const char *const directions[] = {
		[METRIC_NEITHER] = "",
		[METRIC_MORE] = ", more is better",
		[METRIC_LESS] = ", less is better",
	};
	auto_free char *name =
		xasprintf("%s%s", m->title, directions[m->better]);

	plot_list_text(&out->names, name);
	plot_list_number(&out->name_rows, (from + to) / 2);
	if (strlen(name) > out->longest)
		out->longest = strlen(name);
	/* Every second metric has a stripe behind it. */
	if (out->names.n % 2) {
		plot_list_number(&out->stripes_from, from - 0.5);
		plot_list_number(&out->stripes_to, to + 0.5);
	}
}

static void add_metric(const struct experiment *e, const struct metric *m,
		       struct effects *out)
{
	double from = out->row + 1;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct comparison c = summary_compare(e, arm, m->name);
		auto_free char *text = NULL;

		if (arm == e->baseline || !c.n)
			continue;
		text = effect_text(&c);
		out->is_shown[arm] = true;
		XGROW(out->list, out->n);
		out->list[out->n++] = (struct effect){ ++out->row, c, arm };
		plot_list_text(&out->texts, text);
		plot_list_number(&out->text_rows, out->row);
	}
	add_name(m, from, out->row, out);
}

/* Without an interval the bar has no length. */
static void add_set(const struct effects *all, struct plot *p)
{
	plot_set(p, "changes, and their 95 % intervals",
		 "row\tchange\tlow\thigh\tstyle");
	for (size_t i = 0; i < all->n; i++) {
		const struct effect *one = &all->list[i];
		const struct comparison *c = &one->change;
		bool has = isfinite(c->low) && isfinite(c->high);
		const double cells[] = {
			one->row,
			percent(c->ratio),
			percent(has ? c->low : c->ratio),
			percent(has ? c->high : c->ratio),
			plot_style(one->arm),
		};

		plot_row(p, cells, ARRAY_SIZE(cells));
	}
}

/* The range of the axis: beyond all intervals, and never less than +-1 %. */
static void add_range(const struct effects *all, struct plot *p)
{
	double least = -1;
	double most = 1;

	for (size_t i = 0; i < all->n; i++) {
		const struct comparison *c = &all->list[i].change;

		least = fmin(least, fmin(percent(c->ratio), percent(c->low)));
		most = fmax(most, fmax(percent(c->ratio), percent(c->high)));
	}
	/* A wild interval of a few blocks must not squeeze all others. */
	plot_number(p, "least", sinh(asinh(least) * 1.06));
	plot_number(p, "most", sinh(fmin(asinh(most) * 1.06, asinh(2e5))));
}

static void add_lists(const struct experiment *e, struct effects *all,
		      struct plot *p)
{
	auto_free char *axis = xasprintf("change against '%s', %%",
					 e->arms[e->baseline].label);

	plot_text(p, "axis_text", axis);
	plot_number(p, "n_row", all->row);
	plot_number(p, "label_px", plot_label_px(all->longest));
	plot_list_end(p, "name", &all->names);
	plot_list_end(p, "name_row", &all->name_rows);
	plot_list_end(p, "change", &all->texts);
	plot_list_end(p, "change_row", &all->text_rows);
	plot_list_end(p, "stripe_from", &all->stripes_from);
	plot_list_end(p, "stripe_to", &all->stripes_to);
	p->body_px = (unsigned int)(ROW_PX * (all->row + 1)) + 58;
}

static void add_notes(const struct experiment *e, size_t n_left_out,
		      struct plot *p)
{
	bool is_paired = !extra_is_imported(e);

	note_interval(e, &p->notes);
	table_note(&p->notes,
		   "Scale: linear within +-1 %%, as a logarithm beyond. n: %s. "
		   "Metrics of which none has one are not shown.",
		   is_paired ? "blocks in which both arms have a value; none "
			       "is 0"
			     : "runs with a value, of the arm that has fewer; "
			       "none is 0");
	if (n_left_out)
		table_note(&p->notes,
			   "Not shown: %zu metrics that are the same in every "
			   "%s.",
			   n_left_out, is_paired ? "block" : "run");
	note_window(e, &p->notes);
	note_machine(e, &p->notes);
}

void plots_effect(const struct experiment *e, struct plot *p)
{
	struct effects all = { 0 };

	if (e->n_arms < 2) {
		plot_miss(p, "there is one arm, so nothing to compare");
		return;
	}
	all.is_shown = xcalloc(e->n_arms, sizeof(*all.is_shown));
	for (size_t i = 0; i < extra_count(e); i++) {
		const struct metric *m = extra_at(e, i);
		bool any;

		if (differs(e, m->name, &any))
			add_metric(e, m, &all);
		else
			all.n_left_out += any;
	}
	if (!all.n)
		plot_miss(p, extra_is_imported(e)
				     ? "no metric has values above 0 of an arm "
				       "and the baseline"
				     : "no block has values of an arm and the "
				       "baseline");
	add_set(&all, p);
	add_range(&all, p);
	plot_legend(p, e, all.is_shown);
	add_lists(e, &all, p);
	add_notes(e, all.n_left_out, p);
	free(all.list);
	free(all.is_shown);
}
