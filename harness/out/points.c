/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmarks of an experiment: a row a point and arm, one after another. */
#include "base/mem.h"
#include "data/extra.h"
#include "data/import/foreign.h"
#include "data/stats/sample.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"
#include "out/verdicts.h"

/* The rule of which readers of such tables know the marks. */
static const struct foreign_rule *fastpath(void)
{
	return &foreign_rules[0];
}

static void mark_cell(const struct experiment *e, struct table *t, size_t arm,
		      const struct metric *m)
{
	struct sample base;
	struct sample s;

	sample_take(e, e->baseline, m->name, &base);
	sample_take(e, arm, m->name, &s);
	table_cell(t, "%s",
		   arm == e->baseline ? "-"
				      : foreign_mark(fastpath(), m->better,
						     base.x, base.n, s.x, s.n));
	sample_free(&base);
	sample_free(&s);
}

static void name_cell(struct table *t, const struct metric *m)
{
	static const char *const directions[] = {
		[METRIC_NEITHER] = "neither is better",
		[METRIC_MORE] = "higher is better",
		[METRIC_LESS] = "lower is better",
	};
	auto_free char *text = xasprintf("%s (%s, %s)", m->title, m->unit,
					 directions[m->better]);
	auto_free char *csv = xasprintf("%s,%s,%s", m->name, m->unit,
					metric_better_text(m->better));

	table_cell_csv(t, text, csv);
}

static void add_row(const struct experiment *e, const struct judgements *j,
		    struct table *t, size_t arm, const struct metric *m)
{
	struct arm_summary s = summary_arm(e, arm, m->name);

	name_cell(t, m);
	table_cell(t, "%s", e->arms[arm].label);
	figure_mean(t, &s, FIGURE_DIGITS);
	figure_change_cell(t, e, arm, m->name);
	verdict_cells(t, j, e, arm, m->name, s.n);
	mark_cell(e, t, arm, m);
}

/* What the figures of each benchmark are, once. */
static void note_sources(const struct experiment *e, struct table *t)
{
	for (size_t i = 0; i < e->n_extra; i++) {
		const struct metric *m = &e->extra[i];

		if (i && str_eq(m->source, e->extra[i - 1].source))
			continue;
		table_note(t, "%s: %s.", m->source, m->help);
	}
}

void tables_points(const struct experiment *e, struct table *t)
{
	struct judgements j;

	if (extra_is_imported(e) || !e->n_extra) {
		table_note(t, "None: no benchmark was run.");
		return;
	}
	judge_experiment(e, NULL, &j);
	table_column(t, "point", "", true)->csv = xstrdup("point,unit,better");
	table_column(t, "arm", "", true);
	table_column(t, "value", "", false);
	figure_change_column(t);
	verdict_columns(t);
	table_column(t, "mark", "", true);
	t->is_grouped = true;
	for (size_t i = 0; i < e->n_extra; i++)
		for (size_t arm = 0; arm < e->n_arms; arm++)
			add_row(e, &j, t, arm, &e->extra[i]);
	note_sources(e, t);
	note_runs(e, t);
	if (e->n_extra > 1)
		table_note(t, "Order: in each run that of the table, the same "
			      "for all arms; what a point left to those behind "
			      "it is in their figures.");
	table_note(t, "Estimator: the mean of run means.");
	note_interval(e, t);
	note_verdicts(&j, t);
	table_note(t, "Mark: %s's, (I) improvement, (R) regression: %s.",
		   fastpath()->title, fastpath()->help);
	judgements_free(&j);
}
