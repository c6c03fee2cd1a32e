/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/changes.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/edivisive.h"
#include "data/stats/effect.h"
#include "data/stats/multiple.h"

/* Of one series: its values, and what effects are taken of. */
struct values {
	double *x;
	double *y;   /* logs, or x itself */
	double *sum; /* of y[0..i) */
	size_t n;
	bool is_ratio;
};

static void values_take(const struct history_series *s, struct values *v)
{
	v->n = s->n;
	v->x = xcalloc(s->n + 1, sizeof(*v->x));
	v->y = xcalloc(s->n + 1, sizeof(*v->y));
	v->sum = xcalloc(s->n + 2, sizeof(*v->sum));
	v->is_ratio = true;
	for (size_t i = 0; i < s->n; i++) {
		v->x[i] = s->points[i].mean;
		v->is_ratio &= v->x[i] > 0;
	}
	for (size_t i = 0; i < s->n; i++) {
		v->y[i] = v->is_ratio ? log(v->x[i]) : v->x[i];
		v->sum[i + 1] = v->sum[i] + v->y[i];
	}
}

static void values_free(struct values *v)
{
	free(v->x);
	free(v->y);
	free(v->sum);
}

static double mean_of(const struct values *v, size_t from, size_t to)
{
	return (v->sum[to] - v->sum[from]) / (double)(to - from);
}

size_t changes_segment(const struct changes *c, size_t i)
{
	return i ? c->list[i - 1].at : 0;
}

static size_t end_of(const struct changes *c, size_t i, size_t n)
{
	return i + 1 < c->n ? c->list[i + 1].at : n;
}

/* How large a step of the mean of y is, as a share. */
static double share(const struct values *v, double before, double after)
{
	if (v->is_ratio)
		return fabs(expm1(after - before));
	return fabs(before) > 0  ? fabs((after - before) / before)
	       : fabs(after) > 0 ? HUGE_VAL
				 : 0;
}

static double share_of(const struct changes *c, const struct values *v,
		       size_t i)
{
	size_t at = c->list[i].at;

	return share(v, mean_of(v, changes_segment(c, i), at),
		     mean_of(v, at, end_of(c, i, v->n)));
}

/* The smallest goes first: it may hide in which of two steps a change lies. */
static void drop_small(struct changes *c, const struct values *v, double least)
{
	while (c->n) {
		size_t smallest = 0;
		double size = HUGE_VAL;

		for (size_t i = 0; i < c->n; i++) {
			double s = share_of(c, v, i);

			if (s < size) {
				size = s;
				smallest = i;
			}
		}
		if (size >= least)
			return;
		c->n--;
		memmove(&c->list[smallest], &c->list[smallest + 1],
			(c->n - smallest) * sizeof(*c->list));
	}
}

static enum verdict verdict_of(const struct history_series *s, double d)
{
	if (s->better == METRIC_NEITHER)
		return VERDICT_DIFFERS;
	return (d > 0) == (s->better == METRIC_MORE) ? VERDICT_IMPROVED
						     : VERDICT_REGRESSED;
}

static void set_size(struct change *c, const struct effect *e, bool is_ratio)
{
	struct stats_interval i = effect_interval(e, 0.95);

	c->is_ratio = is_ratio;
	c->size = i;
	if (is_ratio)
		c->size = (struct stats_interval){ exp(i.centre), exp(i.low),
						   exp(i.high) };
}

static void measure(struct changes *c, const struct values *v)
{
	for (size_t i = 0; i < c->n; i++) {
		struct change *x = &c->list[i];
		size_t from = changes_segment(c, i);
		size_t to = end_of(c, i, v->n);
		struct effect e = effect_welch(v->y + from, x->at - from,
					       v->y + x->at, to - x->at);

		x->before = stats_mean(v->x + from, x->at - from);
		x->after = stats_mean(v->x + x->at, to - x->at);
		set_size(x, &e, v->is_ratio);
		x->verdict = verdict_of(c->series, e.d);
	}
}

/* What the means of the segments leave of the squares of y. */
static double squares_left(const struct changes *c, const struct values *v)
{
	double squares = 0;

	for (size_t i = 0; i <= c->n; i++) {
		size_t from = changes_segment(c, i);
		size_t to = i < c->n ? c->list[i].at : v->n;
		double mean = mean_of(v, from, to);

		for (size_t k = from; k < to; k++)
			squares += (v->y[k] - mean) * (v->y[k] - mean);
	}
	return squares;
}

/* A segment takes a mean and a place, a line two numbers. */
static void find_drift(struct changes *c, const struct values *v)
{
	auto_free double *place = NULL;
	size_t taken = 2 * c->n + 1;
	double b[2];
	double cov[3];
	double squares;

	if (!c->n || v->n <= taken)
		return;
	place = xcalloc(v->n, sizeof(*place));
	for (size_t i = 0; i < v->n; i++)
		place[i] = (double)i;
	gsl_fit_linear(place, 1, v->y, 1, v->n, &b[0], &b[1], &cov[0], &cov[1],
		       &cov[2], &squares);
	c->is_drift = squares / (double)(v->n - 2) <
		      squares_left(c, v) / (double)(v->n - taken);
}

/* Is what came last as good as what was in front of it? */
static void find_made_good(struct changes *c, const struct values *v,
			   double least)
{
	size_t last = c->n ? c->list[c->n - 1].at : 0;
	double now = mean_of(v, last, v->n);

	for (size_t i = 0; i < c->n; i++) {
		struct change *x = &c->list[i];
		double was = mean_of(v, changes_segment(c, i), x->at);

		x->is_made_good = x->verdict == VERDICT_REGRESSED &&
				  (verdict_of(c->series, now - was) !=
					   VERDICT_REGRESSED ||
				   share(v, was, now) < least);
	}
}

/*
 * The newest point as one more draw of its segment: a t of n - 2 degrees of
 * freedom, whose error is that of the mean and that of one point.
 */
static void find_newest(struct changes *c, const struct values *v)
{
	size_t from = changes_segment(c, c->n);
	size_t others = v->n ? v->n - 1 - from : 0;
	struct change *x = &c->newest;
	struct effect e;

	*x = (struct change){ .at = v->n - 1, .p = (double)NAN };
	if (others < 3)
		return;
	e.d = v->y[x->at] - stats_mean(v->y + from, others);
	e.se = stats_stddev(v->y + from, others) * sqrt(1 + 1 / (double)others);
	e.df = (double)(others - 1);
	x->p = effect_p(&e);
	x->before = stats_mean(v->x + from, others);
	x->after = v->x[x->at];
	set_size(x, &e, v->is_ratio);
	x->verdict = VERDICT_INCONCLUSIVE;
}

static void find_cuts(struct changes *c, const struct values *v)
{
	struct edivisive_options o =
		edivisive_at_level(v->n, JUDGE_LEVEL / (double)c->family);
	size_t least = edivisive_least_values(&o);
	struct edivisive cuts = { 0 };

	if (v->n >= 2 * o.least)
		edivisive(v->x, v->n, &o, &cuts);
	/* With a few less, steps of a rare kind are found. */
	if (!cuts.n && v->n < least)
		c->why = xasprintf("%zu points; change points need %zu", v->n,
				   least);
	c->list = xcalloc(cuts.n + 1, sizeof(*c->list));
	for (size_t i = 0; i < cuts.n; i++)
		c->list[c->n++] = (struct change){ .at = cuts.cuts[i].at,
						   .p = cuts.cuts[i].p };
	edivisive_free(&cuts);
}

static bool is_family(const struct history_series *a,
		      const struct history_series *b)
{
	return str_eq(a->host, b->host) && str_eq(a->config, b->config) &&
	       str_eq(a->metric, b->metric);
}

static size_t family_size(const struct history_list *list, size_t of)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		n += is_family(&list->list[i], &list->list[of]);
	return n;
}

static void judge_newest(struct changes *c, double p, double magnitude)
{
	struct change *x = &c->newest;
	double d = x->is_ratio ? log(x->size.centre) : x->size.centre;
	double step = x->is_ratio           ? fabs(x->size.centre - 1)
		      : fabs(x->before) > 0 ? fabs(d / x->before)
					    : HUGE_VAL;

	x->p = p;
	if (x->verdict != VERDICT_NONE && p < JUDGE_LEVEL && step >= magnitude)
		x->verdict = verdict_of(c->series, d);
}

/* By Holm, within each family. */
static void correct_newest(struct changes *all, const struct history_list *list,
			   double magnitude)
{
	auto_free double *p = xcalloc(list->n + 1, sizeof(*p));
	auto_free size_t *where = xcalloc(list->n + 1, sizeof(*where));
	auto_free bool *is_done = xcalloc(list->n + 1, sizeof(*is_done));

	for (size_t first = 0; first < list->n; first++) {
		size_t n = 0;

		for (size_t i = first; i < list->n; i++) {
			if (is_done[i] ||
			    !is_family(&list->list[i], &list->list[first]))
				continue;
			is_done[i] = true;
			where[n] = i;
			p[n++] = all[i].newest.p;
		}
		multiple_holm(p, n);
		for (size_t i = 0; i < n; i++)
			judge_newest(&all[where[i]], p[i], magnitude);
	}
}

void changes_find(const struct history_list *list,
		  const struct changes_options *options, struct changes **out)
{
	struct changes *all = xcalloc(list->n + 1, sizeof(*all));

	for (size_t i = 0; i < list->n; i++) {
		struct changes *c = &all[i];
		struct values v = { 0 };

		c->series = &list->list[i];
		c->family = family_size(list, i);
		values_take(c->series, &v);
		find_cuts(c, &v);
		drop_small(c, &v, options->magnitude);
		measure(c, &v);
		find_drift(c, &v);
		find_made_good(c, &v, options->magnitude);
		find_newest(c, &v);
		values_free(&v);
	}
	correct_newest(all, list, options->magnitude);
	*out = all;
}

void changes_free(struct changes *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].list);
		free(list[i].why);
	}
	free(list);
}
