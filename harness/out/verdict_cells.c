/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns p and verdict of tables with a row an arm. */
#include <math.h>
#include <stdint.h>

#include "base/mem.h"
#include "out/verdicts.h"

void verdict_columns(struct table *t)
{
	table_column(t, "p", "", false)->csv = xstrdup("n,p_corrected");
	table_column(t, "verdict", "", true)->csv = xstrdup("verdict");
}

/* n, and p unless it is NAN. */
static void p_cell(struct table *t, size_t n, double p)
{
	auto_free char *text =
		p < 0.001 ? xstrdup("<.001") : xasprintf("%.3f", p);
	auto_free char *csv = isnan(p) ? xasprintf("%zu,n/a", n)
				       : xasprintf("%zu,%.6g", n, p);

	table_cell_csv(t, isnan(p) ? "-" : text, csv);
}

/* The arm that repeats the baseline has a verdict of its own. */
static bool aa_cells(struct table *t, const struct experiment *e,
		     const char *metric, size_t n)
{
	struct judgements aa;
	bool is_its = false;

	judge_aa(e, &aa);
	if (aa.n && str_eq(aa.list[0].metric->name, metric)) {
		p_cell(t, n, aa.list[0].p);
		table_cell(t, aa.list[0].p < JUDGE_LEVEL ? "A/A differs"
							 : "A/A sound");
		is_its = true;
	}
	judgements_free(&aa);
	return is_its;
}

void verdict_cells(struct table *t, const struct judgements *j,
		   const struct experiment *e, size_t arm, const char *metric,
		   size_t n)
{
	const struct side side = { e, arm };
	const struct judgement *is = judgement_of(j, &side, metric);

	if (!is && judge_is_aa(e, arm) && aa_cells(t, e, metric, n))
		return;
	if (!is) {
		p_cell(t, n, NAN);
		table_cell(t, "-");
	} else if (is->verdict == VERDICT_NONE) {
		p_cell(t, n, NAN);
		table_missing(t, is->why);
	} else {
		p_cell(t, n, is->p_corrected);
		table_cell(t, "%s", verdict_text(is->verdict));
	}
}

static void family_range(const struct judgements *j, bool is_primary,
			 size_t *least, size_t *most)
{
	*least = SIZE_MAX;
	*most = 0;
	for (size_t i = 0; i < j->n; i++) {
		size_t n = j->list[i].family;

		if (j->list[i].is_primary != is_primary || !n)
			continue;
		*least = n < *least ? n : *least;
		*most = n > *most ? n : *most;
	}
}

bool verdicts_by_dunnett(const struct judgements *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].is_dunnett)
			return true;
	return false;
}

void note_verdicts(const struct judgements *j, struct table *t)
{
	auto_str struct str families = { 0 };
	size_t primary[2];
	size_t others[2];

	family_range(j, true, &primary[0], &primary[1]);
	family_range(j, false, &others[0], &others[1]);
	if (primary[1])
		str_addf(&families, " of the primary metric over %zu%s",
			 primary[1],
			 verdicts_by_dunnett(j) ? " (by Dunnett's)" : "");
	if (others[1])
		str_addf(&families,
			 "%s of a secondary one over all arms and metrics of "
			 "its source, %zu",
			 families.len ? ";" : "", others[0]);
	if (others[1] && others[0] < others[1])
		str_addf(&families, " to %zu", others[1]);
	if (families.len)
		table_note(t, "p: two-sided, corrected by Holm's method:%s.",
			   families.text);
	if (j->dunnett && !verdicts_by_dunnett(j))
		table_note(t, "Not by Dunnett's method: it needs a value of "
			      "every arm in every block, above 0, against one "
			      "baseline.");
	table_note(t,
		   "Verdict: at 5 %%; equivalent: the 90 %% interval lies "
		   "within +-%.4g %%.",
		   100 * j->margin);
}
