/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/gate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "data/stats/multiple.h"

static const struct history_point *point_of(const struct history_series *s,
					    const char *uid)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->points[i].uid, uid))
			return &s->points[i];
	return NULL;
}

/* NULL if a value is not above 0. free() it. */
static double *logs_of(const struct history_point *p)
{
	double *logs = xcalloc(p->n + 1, sizeof(*logs));

	for (size_t i = 0; i < p->n; i++) {
		if (!(p->x[i] > 0)) {
			free(logs);
			return NULL;
		}
		logs[i] = log(p->x[i]);
	}
	return logs;
}

static void compare(struct gate_row *r, struct effect *e)
{
	auto_free double *base = NULL;
	auto_free double *now = NULL;
	struct stats_interval i;

	r->p = (double)NAN;
	if (!r->base)
		r->why = "the baseline has no such arm or metric";
	else if (!r->now)
		r->why = "the newer experiment has no such arm or metric";
	else if (r->base->n < 2 || r->now->n < 2)
		r->why = "two runs of each are needed";
	if (r->why)
		return;
	base = logs_of(r->base);
	now = logs_of(r->now);
	if (!base || !now) {
		r->why = "a value is not above 0, and so has no ratio";
		return;
	}
	*e = effect_welch(base, r->base->n, now, r->now->n);
	i = effect_interval(e, 0.95);
	r->ratio = (struct stats_interval){ exp(i.centre), exp(i.low),
					    exp(i.high) };
	r->p = effect_p(e);
}

static enum verdict verdict_of(const struct gate_row *r, const struct effect *e,
			       double margin)
{
	enum metric_better better = r->series->better;

	if (r->why)
		return VERDICT_NONE;
	if (r->p < JUDGE_LEVEL && better == METRIC_NEITHER)
		return VERDICT_DIFFERS;
	if (r->p < JUDGE_LEVEL)
		return (e->d > 0) == (better == METRIC_MORE)
			       ? VERDICT_IMPROVED
			       : VERDICT_REGRESSED;
	return effect_is_equivalent(e, margin) ? VERDICT_EQUIVALENT
					       : VERDICT_INCONCLUSIVE;
}

static double margin_of(const struct history_list *list, double margin)
{
	double pct;

	if (isfinite(margin))
		return margin;
	if (list->n && num_percent(list->list[0].margin, &pct) == 0)
		return pct / 100;
	return JUDGE_MARGIN;
}

void gate_judge(const struct history_list *list, const char *base_uid,
		const char *now_uid, double margin, struct gate *out)
{
	auto_free struct effect *effects =
		xcalloc(list->n + 1, sizeof(*effects));
	auto_free double *p = xcalloc(list->n + 1, sizeof(*p));

	*out = (struct gate){
		.rows = xcalloc(list->n + 1, sizeof(*out->rows)),
		.n = list->n,
		.margin = margin_of(list, margin),
	};
	for (size_t i = 0; i < list->n; i++) {
		struct gate_row *r = &out->rows[i];

		r->series = &list->list[i];
		r->base = point_of(r->series, base_uid);
		r->now = point_of(r->series, now_uid);
		compare(r, &effects[i]);
		p[i] = r->p;
	}
	multiple_holm(p, list->n);
	for (size_t i = 0; i < list->n; i++) {
		struct gate_row *r = &out->rows[i];

		r->p = p[i];
		r->verdict = verdict_of(r, &effects[i], out->margin);
	}
}

void gate_free(struct gate *g)
{
	free(g->rows);
	*g = (struct gate){ 0 };
}
