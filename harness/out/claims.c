/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/claims.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/extra.h"
#include "out/csv.h"
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
	if (f->evidence.is_change)
		text = xasprintf("%+.*f %% [%+.*f, %+.*f]", digits,
				 f->ours.centre, digits, f->ours.low, digits,
				 f->ours.high);
	else
		text = amount_text(f, m);
	csv = xasprintf("%.9g,%.9g,%.9g,%zu", f->ours.centre, f->ours.low,
			f->ours.high, f->n);
	table_cell_csv(t, text, csv);
}

/* A row before all claims of the table are judged together. */
struct claim_row {
	char *what;
	char *arm;
	char *claimed;
	const struct metric *m;           /* NULL: not one of these runs */
	const enum metric_better *better; /* not owned; NULL: not known */
};

struct claim_rows {
	struct claim_row *list;
	struct claim_finding *findings; /* as many */
	size_t n;
};

static void add_row(struct claim_rows *rows, const struct claim_row *row,
		    const struct claim_finding *f)
{
	rows->findings = mem_grow(rows->findings, rows->n, sizeof(*f));
	rows->findings[rows->n] = *f;
	XGROW(rows->list, rows->n);
	rows->list[rows->n++] = *row;
}

static void add_claim(const struct experiment *e, const struct claim *claim,
		      struct claim_rows *rows)
{
	const struct metric *m = extra_find(e, claim->metric);
	const struct claim_row row = {
		xasprintf("%s: %s", claim->name, claim->metric),
		xstrdup(claim->arm),
		xstrdup(claim->expect),
		m,
		m ? &m->better : NULL,
	};
	struct claim_finding f;

	claim_judge(e, claim, &f);
	add_row(rows, &row, &f);
}

/* What the correction has changed, as the intervals do not show it. */
static void note_correction(const struct claim_rows *rows, size_t family,
			    struct table *t)
{
	auto_str struct str list = { 0 };

	for (size_t i = 0; i < rows->n; i++)
		if (rows->findings[i].outcome != rows->findings[i].alone)
			str_addf(&list, "%s %s of %s %s", list.len ? ";" : "",
				 rows->list[i].what, rows->list[i].arm,
				 claim_outcome_text(rows->findings[i].alone));
	if (family > 1)
		table_note(t,
			   "Outcomes: at 5 %%, corrected by Holm's method for "
			   "the %zu claims of this table that have an "
			   "interval.",
			   family);
	if (list.len)
		table_note(t, "By its own interval alone:%s.", list.text);
}

static void add_notes(const struct experiment *e, struct table *t)
{
	table_note(t, "Here: the mean over the runs with its 95 %% Student "
		      "interval; a change: the mean of the log ratios within "
		      "each block with its own.");
	table_note(t, "Reproduced: all of the interval is as claimed. "
		      "Contradicted: all of it is on the other side. Not "
		      "reproduced: it leaves out what is claimed. Cannot tell: "
		      "else.");
	note_runs(e, t);
	note_machine(e, t);
}

void claims_metric_cell(struct table *t, const char *name,
			const enum metric_better *better)
{
	static const char *const directions[] = {
		[METRIC_NEITHER] = " (neither is better)",
		[METRIC_MORE] = " (higher is better)",
		[METRIC_LESS] = " (lower is better)",
	};
	auto_free char *text = xasprintf("%s%s", name,
					 better ? directions[*better]
						: " (direction not known)");
	auto_str struct str csv = { 0 };

	csv_field(&csv, name);
	table_cell_csv(t, text, csv.text);
}

/* Judge them together, print them, and forget them. */
static void end_rows(struct claim_rows *rows, struct table *t,
		     struct claims_counts *counts)
{
	size_t family = claims_correct(rows->findings, rows->n);

	for (size_t i = 0; i < rows->n; i++) {
		struct claim_row *row = &rows->list[i];
		struct claim_finding *f = &rows->findings[i];

		claims_metric_cell(t, row->what, row->better);
		table_cell(t, "%s", row->arm);
		table_cell(t, "%s", row->claimed);
		add_ours(f, row->m, t);
		table_cell(t, "%s", claim_outcome_text(f->outcome));
		counts->n[f->outcome]++;
	}
	note_correction(rows, family, t);
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->list[i].what);
		free(rows->list[i].arm);
		free(rows->list[i].claimed);
		claim_finding_free(&rows->findings[i]);
	}
	free(rows->list);
	free(rows->findings);
}

void claims_configured(const struct experiment *e, struct table *t,
		       struct claims_counts *counts)
{
	struct claim_rows rows = { 0 };

	add_columns(t, "claim");
	for (size_t i = 0; i < e->n_claims; i++)
		add_claim(e, &e->claims[i], &rows);
	end_rows(&rows, t, counts);
	add_notes(e, t);
}

/* "+0.59 %"; "-0.06 % (-)" of what was called insignificant; "above 0". */
static char *claimed_text(const struct published_value *v, double pct)
{
	if (!isfinite(pct))
		return xstrdup("above 0");
	if (!v->is_change)
		return xasprintf("%+.2f %%", pct);
	return xasprintf("%+.2f %% (%s)", v->number, *v->mark ? v->mark : "-");
}

/* Judge a change if there are both arms and the metric; else say why not. */
static void judge_value(const struct experiment *e, const struct published *p,
			const struct published_value *v, double pct,
			struct claim_finding *f)
{
	const struct metric *m = extra_find(e, v->metric);
	size_t base;
	size_t arm;

	*f = claim_nothing();
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
			    const struct published_value *v,
			    struct claim_rows *rows)
{
	const struct metric *m = extra_find(e, v->metric);
	struct claim_row row = { .m = m,
				 .better = m ? &m->better : &v->better };
	struct claim_finding f;
	double pct;

	if (!published_change(p, v, &pct))
		return;
	judge_value(e, p, v, pct, &f);
	row.what = xstrdup(v->metric);
	row.arm = xstrdup(v->arm);
	row.claimed = claimed_text(v, pct);
	add_row(rows, &row, &f);
}

void claims_published(const struct experiment *e, const struct published *p,
		      struct table *t, struct claims_counts *counts)
{
	struct claim_rows rows = { 0 };

	add_columns(t, "claim");
	for (size_t i = 0; i < p->n_claims; i++) {
		struct claim claim = p->claims[i];
		size_t arm;

		if (published_arm(p, claim.arm, e, &arm))
			claim.arm = e->arms[arm].label;
		add_claim(e, &claim, &rows);
	}
	for (size_t i = 0; i < p->n_values; i++)
		add_value_claim(e, p, &p->values[i], &rows);
	end_rows(&rows, t, counts);
	table_note(t, "A published change is borne out by its direction: how "
		      "large it is depends on the machine.");
	if (p->base)
		table_note(t, "Changes are against '%s'.", p->base);
	if (p->n_values && p->values[0].is_change)
		table_note(t, "Marks of the letter: (I) a significant "
			      "improvement, (R) a regression, (-) neither.");
	add_notes(e, t);
}
