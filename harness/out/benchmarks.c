/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that a folder brought along: imported benchmarks. */
#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/stats/ranks.h"
#include "data/stats/sample.h"
#include "out/csv.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"

static const char *const directions[] = {
	[METRIC_NEITHER] = "direction not known",
	[METRIC_MORE] = "higher is better",
	[METRIC_LESS] = "lower is better",
};

static void name_cell(struct table *t, const struct metric *m)
{
	auto_free char *text = xasprintf("%s (%s, %s)", m->title, m->unit,
					 directions[m->better]);
	auto_str struct str csv = { 0 };

	csv_field(&csv, m->name);
	str_addc(&csv, ',');
	csv_field(&csv, m->unit);
	str_addf(&csv, ",%s", metric_better_text(m->better));
	table_cell_csv(t, text, csv.text);
}

/* Did the imported table mark any change? */
static bool has_marks(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_extra; i++)
		for (size_t arm = 0; arm < e->n_arms; arm++)
			if (*extra_mark(e, e->arms[arm].label,
					e->extra[i].name))
				return true;
	return false;
}

static void add_row(const struct experiment *e, struct table *t, size_t arm,
		    const struct metric *m)
{
	struct arm_summary s = summary_arm(e, arm, m->name);

	name_cell(t, m);
	table_cell(t, "%s", e->arms[arm].label);
	figure_mean(t, &s, FIGURE_DIGITS);
	if (s.n == 0) {
		table_missing(t, s.why);
	} else if (!isfinite(s.stddev)) {
		table_missing(t, "one run has no spread");
	} else {
		auto_free char *sd = figure_text(FIGURE_DIGITS, s.stddev);

		table_cell(t, "%s", sd);
	}
	figure_change_cell(t, e, arm, m->name);
	if (has_marks(e)) {
		const char *mark = extra_mark(e, e->arms[arm].label, m->name);

		table_cell(t, "%s", *mark ? mark : "-");
	}
	table_cell(t, "%zu", s.n);
}

/* Does another table show it? */
static bool is_elsewhere(const char *metric)
{
	for (size_t i = 0; i < n_table_makers; i++) {
		auto_free char *copy = xstrdup(table_makers[i].shows);
		auto_free char **names = NULL;
		size_t n = 0;

		if (copy)
			names = str_split(copy, ' ', &n);
		for (size_t k = 0; k < n; k++)
			if (str_eq(names[k], metric))
				return true;
	}
	return false;
}

/* The folder's own, and those of ours that came in and have no table. */
static bool is_here(const struct experiment *e, const struct metric *m)
{
	bool any = false;

	if (!metric_find(m->name))
		return true;
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct value *v = run_value(&e->runs[i], m->name);

		any |= v->is_there || !str_eq(v->why, EXTRA_UNSAID);
	}
	return any && !is_elsewhere(m->name);
}

static void add_rows(const struct experiment *e, struct table *t)
{
	for (size_t i = 0; i < extra_count(e); i++) {
		const struct metric *m = extra_at(e, i);

		for (size_t arm = 0; is_here(e, m) && arm < e->n_arms; arm++)
			add_row(e, t, arm, m);
	}
}

void tables_benchmarks(const struct experiment *e, struct table *t)
{
	if (!extra_is_imported(e)) {
		table_note(t, "None: this folder was not imported.");
		return;
	}
	table_column(t, "benchmark", "", true)->csv =
		xstrdup("benchmark,unit,better");
	table_column(t, "arm", "", true);
	table_column(t, "value", "", false);
	table_column(t, "sd", "", false);
	figure_change_column(t);
	if (has_marks(e))
		table_column(t, "mark", "", true);
	table_column(t, "n", "runs", false);
	t->is_grouped = true;
	add_rows(e, t);
	note_runs(e, t);
	table_note(t, "Estimator: the mean of run means; sd is between runs.");
	note_interval(e, t);
	if (has_marks(e))
		table_note(t, "Mark: as the imported table had it, by runs "
			      "that it does not show.");
	table_note(t, "Source: %s.", facts_get(&e->workload, "imported"));
}

/* --- medians --- */

/* "+- 2 %" of the median, the farther end; as benchstat rounds. */
static void interval_cell(struct table *t, const struct stats_interval *m)
{
	double most = fmax(m->high / m->centre - 1, 1 - m->low / m->centre);
	auto_free char *text = NULL;
	auto_free char *csv = NULL;

	if (!isfinite(most)) {
		table_missing(t, "fewer than 6 values give no such interval");
		return;
	}
	text = xasprintf("%.0f %%", 100 * most);
	csv = xasprintf("%.9g,%.9g", m->low, m->high);
	table_cell_csv(t, text, csv);
}

static void test_cells(struct table *t, const struct sample *base,
		       const struct sample *arm)
{
	double p = ranks_u_p(base->x, base->n, arm->x, arm->n);
	double from = ranks_median(base->x, base->n, 0.95).centre;
	double to = ranks_median(arm->x, arm->n, 0.95).centre;

	if (!base->n || fpclassify(from) == FP_ZERO) {
		table_missing(t, "the baseline has no median, or 0");
		table_missing(t, "the baseline has no median, or 0");
		return;
	}
	table_cell(t, "%+.2f", 100 * (to / from - 1));
	table_cell(t, "%.3f", p);
}

static void median_row(const struct experiment *e, struct table *t, size_t arm,
		       const struct metric *m)
{
	struct stats_interval median;
	struct sample base;
	struct sample s;

	sample_take(e, e->baseline, m->name, &base);
	sample_take(e, arm, m->name, &s);
	median = ranks_median(s.x, s.n, 0.95);
	name_cell(t, m);
	table_cell(t, "%s", e->arms[arm].label);
	if (s.n) {
		auto_free char *text =
			figure_text(FIGURE_DIGITS, median.centre);
		auto_free char *csv = xasprintf("%.9g", median.centre);

		table_cell_csv(t, text, csv);
		interval_cell(t, &median);
	} else {
		table_missing(t, s.why);
		table_missing(t, s.why);
	}
	if (arm == e->baseline || !s.n) {
		table_cell(t, "-");
		table_cell(t, "-");
	} else {
		test_cells(t, &base, &s);
	}
	table_cell(t, "%zu", s.n);
	sample_free(&base);
	sample_free(&s);
}

/* Of our own runs the primary metric, else all that came in. */
static bool has_medians(const struct experiment *e, const struct metric *m)
{
	return extra_is_imported(e) ? is_here(e, m)
				    : str_eq(m->name, e->primary);
}

void tables_medians(const struct experiment *e, struct table *t)
{
	table_column(t, "benchmark", "", true)->csv =
		xstrdup("benchmark,unit,better");
	table_column(t, "arm", "", true);
	table_column(t, "median", "", false);
	table_column(t, "+-", "", false)->csv = xstrdup("low,high");
	table_column(t, "change", "%", false);
	table_column(t, "p", "", false);
	table_column(t, "n", "runs", false);
	t->is_grouped = true;
	for (size_t i = 0; i < extra_count(e); i++)
		for (size_t arm = 0;
		     has_medians(e, extra_at(e, i)) && arm < e->n_arms; arm++)
			median_row(e, t, arm, extra_at(e, i));
	note_runs(e, t);
	table_note(t, "Change: of the medians, against '%s'.",
		   e->n_arms ? e->arms[e->baseline].label : "");
	table_note(t, "+-: the farther end of an interval between two of the "
		      "values that holds the true median with at least 95 %%.");
	table_note(t, "p: Mann and Whitney's U test, two-sided, not corrected "
		      "for their number, blocks not heeded.");
}
