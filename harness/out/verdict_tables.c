/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside the verdicts: power, and other tools' marks. */
#include <math.h>

#include "base/mem.h"
#include "data/import/foreign.h"
#include "out/verdicts.h"

/* Do fn for each judgement that is shown. */
typedef void row_fn(struct table *t, const struct verdicts *v, size_t pair,
		    size_t metric, const struct judgement *j);

static void each(struct table *t, const struct verdicts *v, row_fn *fn)
{
	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t pair = 0; pair < v->n; pair++) {
			const struct judgement *j = verdicts_of(v, pair, m);

			if (j)
				fn(t, v, pair, m, j);
		}
	}
}

static void label_cells(struct table *t, const struct verdicts *v, size_t pair,
			size_t metric)
{
	auto_free char *label = verdicts_label(v, &v->list[pair], false);

	table_cell(t, "%s", v->metrics[metric]->title);
	table_cell(t, "%s", label);
}

/* --- power --- */

static void power_row(struct table *t, const struct verdicts *v, size_t pair,
		      size_t metric, const struct judgement *j)
{
	double shows;
	size_t needs;

	if (j->verdict != VERDICT_INCONCLUSIVE)
		return;
	label_cells(t, v, pair, metric);
	table_cell(t, "%zu", j->n);
	shows = judgement_shows(j);
	if (isnan(shows)) {
		table_missing(t, "one block or run shows no spread");
		table_missing(t, "one block or run shows no spread");
		return;
	}
	table_cell(t, "%.2f", 100 * shows);
	needs = judgement_needs(j, v->judged->margin);
	if (needs)
		table_cell(t, "%zu", needs);
	else
		table_missing(t, "more than a million");
}

void verdicts_power(const struct verdicts *v, struct table *t)
{
	bool is_paired = v->judged->n && v->judged->list[0].is_paired;
	auto_free char *needs =
		xasprintf("needed for %.4g %%", 100 * v->judged->margin);
	const char *unit = is_paired ? "blocks" : "runs an arm";

	table_column(t, "metric", "", true);
	table_column(t, "arm", "", true);
	table_column(t, "n", unit, false);
	table_column(t, "shows at least", "%", false);
	table_column(t, needs, unit, false);
	each(t, v, power_row);
	if (!t->n_cells) {
		table_note(t, "No comparison is inconclusive.");
		return;
	}
	table_note(t, "Of the inconclusive: an effect as large as 'shows at "
		      "least' is found in 80 %% of such experiments, with the "
		      "spread of this one, at the level of its family's first "
		      "step (5 %% over the number of comparisons).");
}

/* --- rules --- */

static void rule_row(struct table *t, const struct verdicts *v, size_t pair,
		     size_t metric, const struct judgement *j)
{
	auto_free char *label = verdicts_label(v, &v->list[pair], false);
	auto_free char *perf =
		xasprintf("%.2f", foreign_perf_pct(j->arm.x, j->arm.n));

	if (!j->base.n || !j->arm.n)
		return;
	verdicts_metric_cell(t, v, v->metrics[metric]);
	table_cell(t, "%s", label);
	table_cell(t, "%s", verdict_text(j->verdict));
	for (size_t i = 0; i < n_foreign_rules; i++)
		table_cell(t, "%s",
			   foreign_mark(&foreign_rules[i], j->metric->better,
					j->base.x, j->base.n, j->arm.x,
					j->arm.n));
	if (j->arm.n < 2)
		table_missing(t, "one run has no spread");
	else if (!isfinite(foreign_perf_pct(j->arm.x, j->arm.n)))
		table_missing(t, "0 in every run of the arm");
	else
		table_cell(t, "%s", perf);
}

void verdicts_rules(const struct verdicts *v, struct table *t)
{
	verdicts_metric_column(t);
	table_column(t, "arm", "", true);
	table_column(t, "ours", "", true);
	for (size_t i = 0; i < n_foreign_rules; i++)
		table_column(t, foreign_rules[i].title, "", true);
	table_column(t, "perf +-", "%", false);
	t->is_grouped = true;
	each(t, v, rule_row);
	for (size_t i = 0; i < n_foreign_rules; i++)
		table_note(t, "%s: %s.", foreign_rules[i].title,
			   foreign_rules[i].help);
	table_note(t, "perf +-: the standard error of the arm's mean in %% of "
		      "it, as perf stat prints it; no interval.");
	table_note(t, "None of these corrects for several arms or metrics, and "
		      "none pairs by block; '-': no mark, or no direction is "
		      "better.");
}
