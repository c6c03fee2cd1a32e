/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/stats/sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static bool run_counts(const struct run *run)
{
	return run->state == RUN_OK || run->state == RUN_MARKED;
}

static const char *reason_of(const struct run *run, const struct value *v)
{
	if (!run_counts(run))
		return run->reason && *run->reason ? run->reason
						   : "the run does not count";
	return v->why;
}

static void add(struct sample *s, const struct run *run, double x)
{
	XGROW(s->x, s->n);
	XGROW(s->block, s->n);
	XGROW(s->number, s->n);
	s->x[s->n] = x;
	s->block[s->n] = run->block;
	s->number[s->n++] = run->number;
}

void sample_take(const struct experiment *e, size_t arm, const char *metric,
		 struct sample *out)
{
	*out = (struct sample){ 0 };
	for (size_t i = 0; i < e->n_runs; i++) {
		const struct run *run = &e->runs[i];
		const struct value *v;

		if (run->arm != arm)
			continue;
		v = run_value(run, metric);
		if (run_counts(run) && v->is_there)
			add(out, run, v->number);
		else if (!out->why)
			out->why = reason_of(run, v);
	}
	if (out->n)
		out->why = NULL;
	else if (!out->why)
		out->why = "no run yet";
}

void sample_free(struct sample *s)
{
	free(s->x);
	free(s->block);
	free(s->number);
	*s = (struct sample){ 0 };
}

size_t sample_without_log(const struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += !(s->x[i] > 0);
	return n;
}

static bool has_negative(const struct sample *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->x[i] < 0)
			return true;
	return false;
}

char *sample_why_no_ratio(const struct sample *base, const struct sample *arm)
{
	size_t of_base = sample_without_log(base);
	size_t of_arm = sample_without_log(arm);
	const char *what =
		has_negative(base) || has_negative(arm) ? "0 or less" : "0";

	if (!of_base && !of_arm)
		return NULL;
	if (of_base == base->n && of_arm == arm->n)
		return xasprintf("%s in every run of both: no ratio", what);
	return xasprintf("%s in %zu of %zu runs of the baseline and in %zu of "
			 "%zu of the arm: no ratio",
			 what, of_base, base->n, of_arm, arm->n);
}

void sample_logs(const struct sample *s, double *out)
{
	for (size_t i = 0; i < s->n; i++)
		out[i] = log(s->x[i]);
}

size_t sample_log_ratios(const struct sample *base, const struct sample *arm,
			 double *d)
{
	size_t n = 0;

	/* Both rise: a plan has its blocks one after the other. */
	for (size_t i = 0, k = 0; i < base->n && k < arm->n;) {
		if (base->block[i] < arm->block[k]) {
			i++;
		} else if (base->block[i] > arm->block[k]) {
			k++;
		} else {
			/* A difference of logs changes its sign exactly with
			 * the arms; the log of a ratio would not. */
			if (base->x[i] > 0 && arm->x[k] > 0)
				d[n++] = log(arm->x[k]) - log(base->x[i]);
			i++;
			k++;
		}
	}
	return n;
}
