/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/claims.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/extra.h"
#include "out/figure.h"
#include "out/notes.h"

static void add_columns(struct table *t, const char *what)
{
	/* Above its rows: what is claimed and what is here fit side by side. */
	t->is_grouped = true;
	table_column(t, what, "", true);
	table_column(t, "arm", "", true);
	table_column(t, "claimed", "", false);
	table_column(t, "here", "", false)->csv =
		xstrdup("here,here_low,here_high,n");
	table_column(t, "outcome", "", true);
}

/* The figure and the unit that a metric is printed in. */
static enum figure figure_for(const struct metric *m)
{
	if (str_eq(m->unit, "bytes"))
		return FIGURE_GIB;
	return str_eq(m->unit, "1") ? FIGURE_COUNT : FIGURE_PLAIN;
}

/* "1.239 [1.236, 1.243] GiB"; free() it. */
static char *amount_text(const struct claim_finding *f, const struct metric *m)
{
	enum figure figure = figure_for(m);
	const char *unit = figure_unit(figure, m->unit);
	auto_free char *centre = figure_text(figure, f->ours.centre);
	auto_free char *low = figure_text(figure, f->ours.low);
	auto_free char *high = figure_text(figure, f->ours.high);

	return xasprintf("%s [%s, %s]%s%s", centre, low, high,
			 str_eq(unit, "1") ? "" : " ",
			 str_eq(unit, "1") ? "" : unit);
}

static void add_ours(const struct claim_finding *f, const struct metric *m,
		     struct table *t)
{
	int digits = fabs(f->ours.high) < 100 ? 2 : 0;
	auto_free char *text = NULL;
	auto_free char *csv = NULL;

	if (!m || !isfinite(f->ours.low)) {
		table_missing(t, f->why ? f->why : "no value");
		return;
	}
	if (f->is_change)
		text = xasprintf("%+.*f %% [%+.*f, %+.*f]", digits,
				 f->ours.centre, digits, f->ours.low, digits,
				 f->ours.high);
	else
		text = amount_text(f, m);
	csv = xasprintf("%.9g,%.9g,%.9g,%zu", f->ours.centre, f->ours.low,
			f->ours.high, f->n);
	table_cell_csv(t, text, csv);
}

static void add_finding(const struct claim_finding *f, const struct metric *m,
			struct table *t, struct claims_counts *counts)
{
	add_ours(f, m, t);
	table_cell(t, "%s", claim_outcome_text(f->outcome));
	counts->n[f->outcome]++;
}

static void add_claim(const struct experiment *e, const struct claim *claim,
		      struct table *t, struct claims_counts *counts)
{
	struct claim_finding f;

	claim_judge(e, claim, &f);
	table_cell(t, "%s: %s", claim->name, claim->metric);
	table_cell(t, "%s", claim->arm);
	table_cell(t, "%s", claim->expect);
	add_finding(&f, extra_find(e, claim->metric), t, counts);
	claim_finding_free(&f);
}

static void add_notes(const struct experiment *e, struct table *t)
{
	table_note(t, "Here: the mean over the runs with its 95 %% Student "
		      "interval; a change: the mean of the log ratios within "
		      "each block with its own. Each claim is judged by "
		      "itself.");
	table_note(t, "Reproduced: all of the interval is as claimed. "
		      "Contradicted: all of it is on the other side. Not "
		      "reproduced: it leaves out what is claimed. Cannot tell: "
		      "else.");
	note_runs(e, t);
	note_machine(e, t);
}

void claims_configured(const struct experiment *e, struct table *t,
		       struct claims_counts *counts)
{
	add_columns(t, "claim");
	for (size_t i = 0; i < e->n_claims; i++)
		add_claim(e, &e->claims[i], t, counts);
	add_notes(e, t);
}

/* "+0.59 %"; "-0.06 % (-)" of what was called insignificant; "above 0". */
static void add_claimed(const struct published_value *v, double pct,
			struct table *t)
{
	if (!isfinite(pct))
		table_cell(t, "above 0");
	else if (v->is_change && !*v->mark)
		table_cell(t, "%+.2f %% (-)", v->number);
	else if (v->is_change)
		table_cell(t, "%+.2f %% (%s)", v->number, v->mark);
	else
		table_cell(t, "%+.2f %%", pct);
}

/* Judge a change if there are both arms and the metric; else say why not. */
static void judge_value(const struct experiment *e, const struct published *p,
			const struct published_value *v, double pct,
			struct claim_finding *f)
{
	const struct metric *m = extra_find(e, v->metric);
	size_t base;
	size_t arm;

	*f = (struct claim_finding){ .outcome = CLAIM_CANNOT_TELL,
				     .ours = { NAN, NAN, NAN } };
	if (!m)
		f->why = xstrdup("not a metric of these runs");
	else if (!published_arm(p, v->arm, e, &arm))
		f->why = xstrdup("no such arm here");
	else if (!p->base || !published_arm(p, p->base, e, &base))
		f->why = xasprintf("no arm '%s' here, the base",
				   p->base ? p->base : "");
	else
		claim_judge_change(e, arm, base, m, pct, f);
}

static void add_value_claim(const struct experiment *e,
			    const struct published *p,
			    const struct published_value *v, struct table *t,
			    struct claims_counts *counts)
{
	struct claim_finding f;
	double pct;

	if (!published_change(p, v, &pct))
		return;
	judge_value(e, p, v, pct, &f);
	table_cell(t, "%s", v->metric);
	table_cell(t, "%s", v->arm);
	add_claimed(v, pct, t);
	add_finding(&f, extra_find(e, v->metric), t, counts);
	claim_finding_free(&f);
}

void claims_published(const struct experiment *e, const struct published *p,
		      struct table *t, struct claims_counts *counts)
{
	add_columns(t, "claim");
	for (size_t i = 0; i < p->n_claims; i++) {
		struct claim claim = p->claims[i];
		size_t arm;

		if (published_arm(p, claim.arm, e, &arm))
			claim.arm = e->arms[arm].label;
		add_claim(e, &claim, t, counts);
	}
	for (size_t i = 0; i < p->n_values; i++)
		add_value_claim(e, p, &p->values[i], t, counts);
	table_note(t, "A published change is borne out by its direction: how "
		      "large it is depends on the machine.");
	if (p->base)
		table_note(t, "Changes are against '%s'.", p->base);
	if (p->n_values && p->values[0].is_change)
		table_note(t, "Marks of the letter: (I) a significant "
			      "improvement, (R) a regression, (-) neither.");
	add_notes(e, t);
}
