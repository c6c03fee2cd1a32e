/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changed, and against what: check and gate. */
#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/edivisive.h"
#include "out/figure.h"
#include "out/history.h"
#include "out/history_cells.h"

void history_change_column(struct table *t)
{
	struct table_column *c = table_column(t, "change [95 %]", "", false);

	c->csv = xstrdup("change,change_low,change_high,change_unit");
}

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

/* The ends of an interval that has none are left empty in CSV. */
static void add_end(struct str *csv, double number)
{
	if (isfinite(number))
		str_addf(csv, "%.17g", number);
	str_addc(csv, ',');
}

void history_change_cell(struct table *t, const struct stats_interval *size,
			 bool is_ratio)
{
	struct stats_interval s = *size;
	const struct comparison c = {
		.n = 2, .ratio = s.centre, .low = s.low, .high = s.high
	};
	auto_free char *text =
		is_ratio ? figure_change(&c) : xasprintf("%+.5g", s.centre);
	auto_str struct str csv = { 0 };

	if (is_ratio)
		s = (struct stats_interval){ percent(s.centre), percent(s.low),
					     percent(s.high) };
	add_end(&csv, s.centre);
	add_end(&csv, s.low);
	add_end(&csv, s.high);
	str_add(&csv, is_ratio ? "%" : "metric's");
	table_cell_csv(t, text, csv.text);
}

/* --- check --- */

struct check_row {
	const struct changes *c;
	const struct change *x;
	const char *what;
	size_t before; /* points on both sides */
	size_t after;
};

static void add_change(struct table *t, const struct check_row *r)
{
	const struct history_series *s = r->c->series;
	const struct history_point *before = &s->points[r->x->at - 1];
	const struct history_point *after = &s->points[r->x->at];

	history_series_cell(t, s);
	table_cell(t, "%s", before->kernel);
	table_cell(t, "%s", after->kernel);
	history_change_cell(t, &r->x->size, r->x->is_ratio);
	table_cell(t, "%.3g", r->x->p);
	table_cell(t, "%s", r->what);
	table_cell(t, "%zu+%zu", r->before, r->after);
	table_cell(t, "%s", before->name);
	table_cell(t, "%s", after->name);
	history_time_cell(t, after->created);
}

static void add_nothing(struct table *t, const struct changes *c)
{
	const struct history_series *s = c->series;

	history_series_cell(t, s);
	table_cell(t, "%s", s->points[0].kernel);
	table_cell(t, "%s", s->points[s->n - 1].kernel);
	table_missing(t, c->why ? c->why : "no change was found");
	table_cell(t, "-");
	table_cell(t, "-");
	table_cell(t, "%zu", s->n);
	table_cell(t, "%s", s->points[0].name);
	table_cell(t, "%s", s->points[s->n - 1].name);
	history_time_cell(t, s->points[s->n - 1].created);
}

static bool is_outlier(const struct change *x)
{
	return x->verdict != VERDICT_NONE && x->verdict != VERDICT_INCONCLUSIVE;
}

static char *what_text(const struct changes *c, const struct change *x)
{
	return xasprintf("%s%s%s", verdict_text(x->verdict),
			 x->is_made_good ? ", made good" : "",
			 c->is_drift ? ", drift" : "");
}

static void add_series(struct table *t, const struct changes *c)
{
	struct check_row r = { .c = c };

	for (size_t i = 0; i < c->n; i++) {
		size_t end = i + 1 < c->n ? c->list[i + 1].at : c->series->n;
		auto_free char *what = what_text(c, &c->list[i]);

		r.x = &c->list[i];
		r.what = what;
		r.before = r.x->at - changes_segment(c, i);
		r.after = end - r.x->at;
		add_change(t, &r);
	}
	if (is_outlier(&c->newest)) {
		auto_free char *what =
			xasprintf("newest %s", verdict_text(c->newest.verdict));

		r.x = &c->newest;
		r.what = what;
		r.before = r.x->at - changes_segment(c, c->n);
		r.after = 1;
		add_change(t, &r);
	} else if (!c->n) {
		add_nothing(t, c);
	}
}

/* What is in the list, as the notes tell of it. */
struct check_sum {
	size_t most; /* points of a series */
	double families;
	bool has_drift;
	bool has_spreadless; /* a change of points that do not vary */
};

static bool is_spreadless(const struct change *x)
{
	return isfinite(x->size.low) && !(x->size.high > x->size.low);
}

static struct check_sum sum_up(const struct changes *list, size_t n)
{
	struct check_sum s = { 0 };

	for (size_t i = 0; i < n; i++) {
		s.most =
			list[i].series->n > s.most ? list[i].series->n : s.most;
		s.families += 1 / (double)list[i].family;
		s.has_drift |= list[i].is_drift;
		s.has_spreadless |= is_outlier(&list[i].newest) &&
				    is_spreadless(&list[i].newest);
		for (size_t k = 0; k < list[i].n; k++)
			s.has_spreadless |= is_spreadless(&list[i].list[k]);
	}
	return s;
}

static void note_check(const struct changes *list, size_t n, double magnitude,
		       struct table *t)
{
	struct check_sum s = sum_up(list, n);
	struct edivisive_options o = edivisive_defaults(s.most);

	table_note(t,
		   "Changes: E-Divisive with %zu or more random orders (seed "
		   "%u), 5 %% divided by the number of arms; at least %zu "
		   "points in a segment, at least %g %% of change. n: points "
		   "on both sides, each the mean of an experiment's runs.",
		   o.n_orders, (unsigned int)o.seed, o.least, 100 * magnitude);
	table_note(t, "Newest: the last point against the others of its "
		      "segment, Student's t, 5 %%, corrected for the arms "
		      "(Holm).");
	table_note(t,
		   "By chance, where nothing changes: one in ten of what is "
		   "judged together (the arms of one host, configuration and "
		   "metric) shows something, one in twenty a regression; here "
		   "%.0f %s judged.",
		   s.families, s.families > 1.5 ? "such are" : "such is");
	if (s.has_drift)
		table_note(t, "Drift: a straight line through all points fits "
			      "better than these steps; where they lie says "
			      "little.");
	if (s.has_spreadless)
		table_note(t, "Of points that do not vary at all the interval "
			      "has no width, and a newest point p 0, of three "
			      "points as of fifty.");
	table_note(t, "Interval: Welch on logs of the two segments' points; it "
		      "leaves out that the place was chosen.");
}

void history_table_changes(const struct changes *list, size_t n,
			   const struct changes_options *options,
			   struct table *t)
{
	table_begin(t, "changes", "what changed in the series");
	history_series_column(t);
	table_column(t, "last before", "", true);
	table_column(t, "first behind", "", true);
	history_change_column(t);
	table_column(t, "p", "", false);
	table_column(t, "what", "", true);
	table_column(t, "n", "", false);
	table_column(t, "before", "", true);
	table_column(t, "behind", "", true);
	table_column(t, "measured", "", true);
	for (size_t i = 0; i < n; i++)
		add_series(t, &list[i]);
	note_check(list, n, options->magnitude, t);
}

/* --- gate --- */

void history_table_gate(const struct gate *g, const struct history_pin *pin,
			const struct history_experiment *now, struct table *t)
{
	table_begin(t, "gate", "against the pinned baseline");
	history_series_column(t);
	table_column(t, "baseline", "", false);
	table_column(t, "now", "", false);
	history_change_column(t);
	table_column(t, "p", "", false);
	table_column(t, "what", "", true);
	for (size_t i = 0; i < g->n; i++) {
		const struct gate_row *r = &g->rows[i];

		history_series_cell(t, r->series);
		if (r->base)
			history_number_cell(t, r->base->mean);
		else
			table_missing(t, r->why);
		if (r->now)
			history_number_cell(t, r->now->mean);
		else
			table_missing(t, r->why);
		if (r->why) {
			table_missing(t, r->why);
			table_missing(t, r->why);
		} else {
			history_change_cell(t, &r->ratio, true);
			table_cell(t, "%.3g", r->p);
		}
		table_cell(t, "%s", verdict_text(r->verdict));
	}
	table_note(t,
		   "Baseline %s: %s, pinned %s. Now: %s, Linux %s, "
		   "measured %s.",
		   pin->name, pin->experiment, pin->pinned, now->name,
		   now->kernels, now->created);
	table_note(t,
		   "Means of the counted runs; change by Welch on logs, p "
		   "corrected for the arms (Holm), margin %g %%. They are two "
		   "sessions: what differs from one to the next is in it.",
		   100 * g->margin);
}
