/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of verdicts: what was compared, metric by metric. */
#include "out/verdicts.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/extra.h"
#include "data/stats/stats.h"
#include "out/csv.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"

static const char *const directions[] = {
	[METRIC_NEITHER] = "neither is better",
	[METRIC_MORE] = "higher is better",
	[METRIC_LESS] = "lower is better",
};

static const char *const usual[] = {
	"tps",
	"latency_p95_ms",
	"latency_avg_ms",
	"latency_max_ms",
	"rss_bytes",
	"huge_bytes",
	"huge_share_pct",
	"half_s",
	"most_s",
	"dtlb_walk_mpki",
	"itlb_walk_mpki",
	"tx_per_server_cpu_s",
	"kdamond_cpu_s",
	"khugepaged_cpu_s",
};

bool verdicts_one_base(const struct verdicts *v)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->list[i].base.e != v->list[0].base.e ||
		    v->list[i].base.arm != v->list[0].base.arm ||
		    v->list[i].arm.e != v->list[i].base.e)
			return false;
	return true;
}

char *verdicts_label(const struct verdicts *v, const struct versus *pair,
		     bool is_base)
{
	const struct side *side = is_base ? &pair->base : &pair->arm;
	const char *label = side->e->arms[side->arm].label;

	if (verdicts_one_base(v) || pair->base.e == pair->arm.e)
		return xstrdup(label);
	return xasprintf("%s, %s", label, is_base ? "base" : "new");
}

const struct judgement *verdicts_of(const struct verdicts *v, size_t pair,
				    size_t metric)
{
	for (size_t i = 0; i < v->judged->n; i++) {
		const struct judgement *j = &v->judged->list[i];
		const struct versus *is = &j->versus;

		if (j->metric == v->metrics[metric] &&
		    is->base.e == v->list[pair].base.e &&
		    is->base.arm == v->list[pair].base.arm &&
		    is->arm.e == v->list[pair].arm.e &&
		    is->arm.arm == v->list[pair].arm.arm)
			return j;
	}
	return NULL;
}

static bool has_values(const struct judgements *j, const struct metric *m)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].metric == m && j->list[i].base.n &&
		    j->list[i].arm.n)
			return true;
	return false;
}

static const struct metric *primary_of(const struct judgements *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->list[i].is_primary)
			return j->list[i].metric;
	return NULL;
}

const struct metric **verdicts_usual(const struct judgements *j,
				     const struct experiment *e, size_t *n)
{
	size_t most = ARRAY_SIZE(usual) + e->n_extra + 1;
	const struct metric **out = xcalloc(most, sizeof(const void *));
	const struct metric *primary = primary_of(j);

	*n = 0;
	if (primary)
		out[(*n)++] = primary;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		const struct metric *m = metric_find(usual[i]);

		if (m && m != primary && has_values(j, m))
			out[(*n)++] = m;
	}
	for (size_t i = 0; i < e->n_extra; i++)
		if (&e->extra[i] != primary && has_values(j, &e->extra[i]))
			out[(*n)++] = &e->extra[i];
	return out;
}

static enum figure figure_of(const struct metric *m)
{
	if (str_eq(m->unit, "bytes"))
		return FIGURE_GIB;
	if (str_eq(m->unit, "1"))
		return FIGURE_COUNT;
	return metric_find(m->name) ? FIGURE_PLAIN : FIGURE_DIGITS;
}

void verdicts_metric_column(struct table *t)
{
	table_column(t, "metric", "", true)->csv =
		xstrdup("metric,unit,better,rank");
}

void verdicts_metric_cell(struct table *t, const struct verdicts *v,
			  const struct metric *m)
{
	bool is_primary = m == primary_of(v->judged);
	auto_free char *text =
		xasprintf("%s (%s, %s), %s", m->title, verdicts_unit(m),
			  directions[m->better],
			  is_primary ? "primary" : "secondary");
	auto_str struct str csv = { 0 };

	csv_field(&csv, m->name);
	str_addc(&csv, ',');
	csv_field(&csv, m->unit);
	str_addf(&csv, ",%s,%s", metric_better_text(m->better),
		 is_primary ? "primary" : "secondary");
	table_cell_csv(t, text, csv.text);
}

const char *verdicts_unit(const struct metric *m)
{
	return figure_unit(figure_of(m), m->unit);
}

void verdicts_mean_cell(struct table *t, const struct sample *s,
			const struct metric *m)
{
	auto_free char *text = NULL;
	auto_free char *csv = NULL;

	if (!s->n) {
		table_missing(t, s->why);
		return;
	}
	text = figure_text(figure_of(m), stats_mean(s->x, s->n));
	csv = xasprintf("%.9g", stats_mean(s->x, s->n));
	table_cell_csv(t, text, csv);
}

static void change_cell(struct table *t, const struct judgement *j)
{
	const struct comparison c = { j->n, j->ratio.centre, j->ratio.low,
				      j->ratio.high };

	if (isnan(c.ratio)) {
		table_missing(t, j->why);
		return;
	}
	figure_comparison(t, &c);
}

static void base_row(struct table *t, const struct verdicts *v, size_t pair,
		     size_t metric)
{
	const struct judgement *j = verdicts_of(v, pair, metric);
	auto_free char *label = verdicts_label(v, &v->list[pair], true);
	auto_free char *csv = xasprintf("%zu,n/a", j ? j->base.n : 0);

	if (!j)
		return;
	verdicts_metric_cell(t, v, v->metrics[metric]);
	table_cell(t, "%s", label);
	verdicts_mean_cell(t, &j->base, j->metric);
	table_cell_csv(t, "baseline", "0,0,0");
	table_cell_csv(t, "-", csv);
	table_cell(t, "-");
}

static void arm_row(struct table *t, const struct verdicts *v, size_t pair,
		    size_t metric)
{
	const struct judgement *j = verdicts_of(v, pair, metric);
	auto_free char *label = verdicts_label(v, &v->list[pair], false);

	if (!j)
		return;
	verdicts_metric_cell(t, v, v->metrics[metric]);
	table_cell(t, "%s", label);
	verdicts_mean_cell(t, &j->arm, j->metric);
	change_cell(t, j);
	verdict_cells(t, v->judged, j->versus.arm.e, j->versus.arm.arm,
		      j->metric->name, j->n);
}

void verdicts_note_estimate(const struct verdicts *v, struct table *t)
{
	const struct judgements *judged = v->judged;
	bool is_paired = judged->n && judged->list[0].is_paired;

	if (verdicts_by_dunnett(judged))
		table_note(t, "Change: mean of the log ratios within blocks. "
			      "Intervals: 95 %%; of the primary metric by "
			      "Dunnett's method, for all arms together and of "
			      "the noise of all; else Student's, each by "
			      "itself.");
	else if (is_paired)
		table_note(t, "Change: mean of the log ratios within blocks; "
			      "95 %% Student interval, each by itself.");
	else
		table_note(t, "Change: difference of the mean logs of all "
			      "runs, which share no blocks; 95 %% interval by "
			      "Welch, each by itself.");
}

/* "TPS, T a: 2 of 3 and 2" of a judgement; nothing: not in the list. */
typedef void lister(const struct judgement *j, struct str *out);

/*
 * Where a figure is missing in some runs, the change is not that of the means
 * beside it: say so, and of how many blocks it is.
 */
static void list_fewer(const struct judgement *j, struct str *out)
{
	if (j->is_paired && j->n && (j->n < j->base.n || j->n < j->arm.n))
		str_addf(out, ": %zu of %zu and %zu", j->n, j->base.n,
			 j->arm.n);
}

/* Figures that are counted coarsely may differ by the same everywhere. */
static void list_spreadless(const struct judgement *j, struct str *out)
{
	if (isfinite(j->effect.se) && !(j->effect.se > 0) &&
	    fabs(j->effect.d) > 0)
		str_addf(out, " (%zu)", j->n);
}

static void note_list(const struct verdicts *v, lister *list, const char *what,
		      struct table *t)
{
	auto_str struct str all = { 0 };

	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t i = 0; i < v->n; i++) {
			const struct judgement *j = verdicts_of(v, i, m);
			auto_str struct str one = { 0 };
			auto_free char *label =
				verdicts_label(v, &v->list[i], false);

			if (j)
				list(j, &one);
			if (one.len)
				str_addf(&all, "%s %s, %s%s",
					 all.len ? ";" : "",
					 v->metrics[m]->title, label, one.text);
		}
	}
	if (all.len)
		table_note(t, "%s:%s.", what, all.text);
}

void verdicts_table(const struct verdicts *v, struct table *t)
{
	bool is_one = verdicts_one_base(v);

	if (!v->n) {
		table_note(t, "One arm: there is nothing to compare.");
		return;
	}
	verdicts_metric_column(t);
	table_column(t, "arm", "", true);
	table_column(t, "value", "", false);
	figure_change_column(t);
	verdict_columns(t);
	t->is_grouped = true;
	for (size_t m = 0; m < v->n_metrics; m++) {
		for (size_t pair = 0; pair < v->n; pair++) {
			if (!is_one || pair == 0)
				base_row(t, v, pair, m);
			arm_row(t, v, pair, m);
		}
	}
	verdicts_note_estimate(v, t);
	table_note(t, "Value: the mean over the counted runs.");
	note_list(v, list_fewer,
		  "Changes of fewer blocks than the baseline and the arm have "
		  "figures, and so not those of the values shown",
		  t);
	note_list(v, list_spreadless,
		  "No spread at all, so that p is 0 however few blocks or runs "
		  "there are (n)",
		  t);
	note_verdicts(v->judged, t);
}

/* --- of a whole experiment --- */

static void make(const struct experiment *e,
		 void (*fill)(const struct verdicts *v, struct table *t),
		 struct table *t)
{
	auto_free struct versus *list = xcalloc(e->n_arms + 1, sizeof(*list));
	struct judgements judged;
	struct verdicts v = { .list = list, .judged = &judged };

	judge_experiment(e, NULL, &judged);
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (arm != e->baseline && !judge_is_aa(e, arm))
			list[v.n++] = (struct versus){ { e, e->baseline },
						       { e, arm } };
	v.metrics = verdicts_usual(&judged, e, &v.n_metrics);
	fill(&v, t);
	free(v.metrics);
	judgements_free(&judged);
}

void tables_verdicts(const struct experiment *e, struct table *t)
{
	make(e, verdicts_table, t);
	note_runs(e, t);
	note_window(e, t);
}

void tables_power(const struct experiment *e, struct table *t)
{
	make(e, verdicts_power, t);
}

void tables_diagnostics(const struct experiment *e, struct table *t)
{
	diagnostics_columns(t);
	diagnostics_rows(e, "", t);
	make(e, verdicts_checks, t);
	diagnostics_note(e, t);
}
