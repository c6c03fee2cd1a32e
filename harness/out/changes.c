/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a figure and its change against the baseline: tps, latency. */
#include <math.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/metric.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"
#include "out/verdicts.h"

/* Mean, spread, change, verdict: the cells of one metric of one arm. */
static void add_cells(const struct experiment *e, const struct judgements *j,
		      struct table *t, size_t arm, const char *metric)
{
	struct arm_summary s = summary_arm(e, arm, metric);

	figure_mean(t, &s, FIGURE_PLAIN);
	if (s.n == 0)
		table_missing(t, s.why);
	else if (!isfinite(s.stddev))
		table_missing(t, "one run has no spread");
	else
		table_cell(t, "%.2f", s.stddev);
	figure_change_cell(t, e, arm, metric);
	verdict_cells(t, j, e, arm, metric, s.n);
}

static void add_columns(struct table *t, const char *title, const char *unit)
{
	table_column(t, title, unit, false);
	table_column(t, "sd", unit, false);
	figure_change_column(t);
	verdict_columns(t);
}

static void add_notes(const struct experiment *e, const struct judgements *j,
		      struct table *t)
{
	note_runs(e, t);
	note_window(e, t);
	table_note(t, "Estimator: the mean of run means; sd is between runs.");
	note_interval(e, t);
	note_verdicts(j, t);
}

/* Totals of imported logs without a line an interval are no such lines. */
static bool has_lines(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].load.n_rows)
			return true;
	return !extra_is_imported(e);
}

void tables_tps(const struct experiment *e, struct table *t)
{
	struct judgements j;

	judge_experiment(e, metric_find("tps")->source, &j);
	table_column(t, "arm", "", true);
	add_columns(t, "TPS", "1/s");
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		table_cell(t, "%s", e->arms[arm].label);
		add_cells(e, &j, t, arm, "tps");
	}
	note_direction(t, "tps");
	add_notes(e, &j, t);
	judgements_free(&j);
	note_partial(e, t, "tps");
	if (has_lines(e))
		table_note(t, "Source: the load's own lines, one a second, "
			      "inside the window.");
	else
		table_note(t, "Source: the totals of what was imported, which "
			      "are of whole runs, the ramp as well.");
}

/* Why no arm has a value of this metric; NULL if one has. */
static const char *missing_everywhere(const struct experiment *e,
				      const char *metric)
{
	const char *why = NULL;

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct arm_summary s = summary_arm(e, arm, metric);

		if (s.n)
			return NULL;
		if (!why)
			why = s.why;
	}
	return why ? why : "no run";
}

void tables_latency(const struct experiment *e, struct table *t)
{
	static const char *const names[] = {
		"latency_p95_ms",
		"latency_avg_ms",
		"latency_max_ms",
	};
	struct judgements j;

	judge_experiment(e, metric_find(names[0])->source, &j);
	table_column(t, "latency", "", true);
	table_column(t, "arm", "", true);
	add_columns(t, "value", "ms");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct metric *m = metric_find(names[i]);
		const char *why = missing_everywhere(e, names[i]);

		/* The first stays, so that the table is never empty. */
		if (why && i) {
			table_note(t, "%s: n/a in every arm: %s.", m->title,
				   why);
			continue;
		}
		for (size_t arm = 0; arm < e->n_arms; arm++) {
			table_cell(t, "%s", m->title);
			table_cell(t, "%s", e->arms[arm].label);
			add_cells(e, &j, t, arm, names[i]);
		}
		note_partial(e, t, names[i]);
		table_note(t, "%s: %s.", m->title, m->help);
	}
	t->is_grouped = true;
	table_note(t, "All: lower is better.");
	add_notes(e, &j, t);
	judgements_free(&j);
}
