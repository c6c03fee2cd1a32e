/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be wrong with the runs, and whether other methods agree. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/stats/fieller.h"
#include "data/stats/quality.h"
#include "data/stats/resample.h"
#include "out/tables.h"
#include "out/verdicts.h"

/* A table, and what stands before the name of each of its rows. */
struct lines {
	struct table *t;
	const char *prefix;
};

static void row(const struct lines *l, const char *what, const char *found,
		const char *word)
{
	struct table *t = l->t;

	table_cell(t, "%s%s", l->prefix, what);
	table_cell(t, "%s", found);
	table_cell(t, "%s", word);
}

/* --- the runs --- */

static const char *doubt(double p)
{
	return p < JUDGE_LEVEL ? "look" : "fine";
}

static void drift_rows(const struct experiment *e, const struct quality *q,
		       const struct lines *l)
{
	const char *none = extra_is_imported(e)
				   ? "imported runs have no order in common"
				   : "too few runs to tell";
	auto_free char *drift =
		xasprintf("%+.2f %% from first to last run, p %.3f",
			  q->drift_pct, q->drift_p);
	auto_free char *order =
		xasprintf("F(%zu, %zu) %.2f, p %.3f", q->order_df[0],
			  q->order_df[1], q->order_f, q->order_p);

	if (isnan(q->drift_p))
		row(l, "drift", none, "-");
	else
		row(l, "drift", drift, doubt(q->drift_p));
	if (isnan(q->order_p))
		row(l, "place in the block", none, "-");
	else
		row(l, "place in the block", order, doubt(q->order_p));
}

static void series_rows(const struct quality *q, const struct lines *l)
{
	auto_free char *worth =
		xasprintf("n_eff %.0f of %.0f a run", q->effective, q->samples);
	auto_free char *cold =
		xasprintf("%zu of %zu windows begin too early, by up to %.0f s",
			  q->n_cold, q->n_long, q->coldest_s);

	if (!q->n_series) {
		row(l, "samples of the load", "none in the window", "-");
		return;
	}
	row(l, "samples of the load", worth, "-");
	if (!q->n_long)
		row(l, "warm-up (MSER-5)", "fewer than 20 samples a run", "-");
	else if (q->n_cold)
		row(l, "warm-up (MSER-5)", cold, "look");
	else
		row(l, "warm-up (MSER-5)", "no window begins too early",
		    "fine");
}

static void outlier_rows(const struct experiment *e, const struct quality *q,
			 const struct lines *l)
{
	if (q->n < 6)
		row(l, "outlying runs", "too few runs to tell", "-");
	else if (!q->n_outliers)
		row(l, "outlying runs", "none", "fine");
	for (size_t i = 0; i < q->n_outliers; i++) {
		const struct quality_outlier *o = &q->outliers[i];
		auto_free char *found =
			xasprintf("run %u (%s): %+.2f %%", o->number,
				  e->arms[o->arm].label, o->off_pct);

		row(l, "outlying run", found, "look");
	}
}

/* --- other methods --- */

enum { LEAST_FOR_BCA = 10 };

/* A check and the t test beside it. */
static void beside(struct table *t, const char *check, const char *says,
		   const char *label, const struct judgement *j,
		   const char *word)
{
	auto_free char *found = xasprintf("%s, %s: %s; t: p %.4f", label,
					  j->metric->title, says, j->p);

	row(&(struct lines){ t, "" }, check, found, word);
}

static bool is_below(double p)
{
	return p < JUDGE_LEVEL;
}

static void check_p(struct table *t, const char *check, double p,
		    const char *label, const struct judgement *j)
{
	auto_free char *says = xasprintf("p %.4f", p);

	if (!isnan(p) && is_below(p) != is_below(j->p))
		beside(t, check, says, label, j, "look");
}

/* An interval of the mean log ratio. */
static void check_interval(struct table *t, const char *check,
			   struct stats_interval i, const char *label,
			   const struct judgement *j)
{
	bool has_zero = i.low <= 0 && i.high >= 0;
	auto_free char *says =
		xasprintf("[%+.2f, %+.2f] %%", 100 * expm1(i.low),
			  100 * expm1(i.high));

	if (!isnan(i.low) && has_zero == is_below(j->p))
		beside(t, check, says, label, j, "look");
}

static void check_fieller(struct table *t, const char *label,
			  const struct judgement *j)
{
	struct fieller f =
		fieller_ratio(j->base.x, j->base.n, j->arm.x, j->arm.n, 0.95);
	bool has_one = f.low <= 1 && f.high >= 1;
	auto_free char *says = f.is_unbounded ? xstrdup("unbounded")
					      : xasprintf("[%+.2f, %+.2f] %%",
							  100 * (f.low - 1),
							  100 * (f.high - 1));

	/* Beside Welch's interval of the primary metric it always stands. */
	if (f.is_unbounded || (!isnan(f.low) && has_one == is_below(j->p)))
		beside(t, "Fieller", says, label, j, "look");
	else if (j->is_primary && !isnan(f.low))
		beside(t, "Fieller", says, label, j, "fine");
}

/* Is there a method beside the t test for it? */
static bool has_check(const struct judgement *j)
{
	return !isnan(j->p) && (!j->is_paired || j->n > 2);
}

static void check(struct table *t, const char *label, const struct judgement *j)
{
	uint64_t seed = j->versus.arm.e->seed;

	if (!j->is_paired) {
		check_fieller(t, label, j);
		return;
	}
	/* Fewer than 6 blocks have no p below 0.05 by signs at all. */
	if (j->n > 5)
		check_p(t, "sign-flip permutation",
			resample_sign_flip(j->d, j->n, seed), label, j);
	check_interval(t, "Johnson's, for skew",
		       effect_johnson(j->d, j->n, 0.95), label, j);
	if (j->n >= LEAST_FOR_BCA)
		check_interval(t, "BCa bootstrap",
			       resample_bca(j->d, j->n, 0.95, seed), label, j);
}

void verdicts_checks(const struct verdicts *v, struct table *t)
{
	size_t before = t->n_cells;
	size_t n = 0;

	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t pair = 0; pair < v->n; pair++) {
			const struct judgement *j = verdicts_of(v, pair, m);
			auto_free char *label =
				verdicts_label(v, &v->list[pair], false);

			if (!j || !has_check(j))
				continue;
			n++;
			check(t, label, j);
		}
	}
	if (!n)
		row(&(struct lines){ t, "" }, "other methods",
		    "too few runs for any", "-");
	else if (t->n_cells == before)
		row(&(struct lines){ t, "" }, "other methods",
		    "all agree with Student's t", "fine");
	table_note(t, "Other methods: sign-flip permutation (from 6 blocks), "
		      "Johnson's interval, BCa bootstrap (from 10); without "
		      "blocks "
		      "Fieller's interval, of the primary metric always. Else "
		      "shown where one falls on another side of 5 %% than "
		      "Student's t, before correction.");
}

void diagnostics_columns(struct table *t)
{
	table_column(t, "what", "", true);
	table_column(t, "found", "", true);
	table_column(t, "word", "", true);
}

void diagnostics_rows(const struct experiment *e, const char *prefix,
		      struct table *t)
{
	struct lines l = { t, prefix };
	struct quality q;

	quality_find(e, e->primary, &q);
	drift_rows(e, &q, &l);
	series_rows(&q, &l);
	outlier_rows(e, &q, &l);
	quality_free(&q);
}

void diagnostics_note(const struct experiment *e, struct table *t)
{
	const struct metric *m = extra_find(e, e->primary);

	table_note(
		t,
		"Of %s. 'look' is for the reader: no run is dropped and no "
		"window moved by it. Drift and place are judged at 5 %%; one "
		"in twenty sound experiments shows each.",
		m ? m->title : e->primary);
}
