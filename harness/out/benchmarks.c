/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that a folder brought along: imported benchmarks. */
#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
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
	table_column(t, "n", "runs", false);
	t->is_grouped = true;
	add_rows(e, t);
	note_runs(e, t);
	table_note(t, "Estimator: the mean of run means; sd is between runs.");
	note_interval(e, t);
	table_note(t, "Source: %s.", facts_get(&e->workload, "imported"));
}
