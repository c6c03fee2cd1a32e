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
	[METRIC_NEITHER] = "neither is better",
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

void tables_benchmarks(const struct experiment *e, struct table *t)
{
	if (!e->n_extra) {
		table_note(t, "None: this folder has no metrics of its own.");
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
	for (size_t i = 0; i < e->n_extra; i++)
		for (size_t arm = 0; arm < e->n_arms; arm++)
			add_row(e, t, arm, &e->extra[i]);
	note_runs(e, t);
	table_note(t, "Estimator: the mean of run means; sd is between runs.");
	note_interval(e, t);
	table_note(t, "Source: %s.", facts_get(&e->workload, "imported"));
}
