/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/by_host.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/stats/judge.h"
#include "data/stats/multiple.h"
#include "data/stats/sample.h"

static size_t host_of(const struct experiment *e, unsigned int number)
{
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].number == number)
			return e->parts[e->runs[i].part].host;
	return e->n_hosts;
}

/* Keep the runs of one host. */
static void keep_host(const struct experiment *e, size_t host, struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (host_of(e, s->number[i]) != host)
			continue;
		s->x[n] = s->x[i];
		s->block[n] = s->block[i];
		s->number[n++] = s->number[i];
	}
	s->n = n;
}

static double mean(const struct sample *s)
{
	return s->n ? stats_mean(s->x, s->n) : (double)NAN;
}

/* Of a sample without values. */
static const char *why(const struct sample *s)
{
	return s->why ? s->why : "no run on this host has one";
}

/* Log ratios of one host's blocks, behind d[0..n). */
static void take_host(const struct experiment *e, size_t host, size_t arm,
		      const char *metric, struct host_effect *out, double *d)
{
	struct sample base;
	struct sample other;

	sample_take(e, e->baseline, metric, &base);
	sample_take(e, arm, metric, &other);
	keep_host(e, host, &base);
	keep_host(e, host, &other);
	out->base = mean(&base);
	out->arm = mean(&other);
	out->why_base = why(&base);
	out->why_arm = why(&other);
	out->n = sample_log_ratios(&base, &other, d);
	out->effect = (struct effect){ NAN, NAN, NAN };
	if (out->n)
		out->effect = effect_paired(d, out->n);
	sample_free(&base);
	sample_free(&other);
}

void by_host(const struct experiment *e, size_t arm, const char *metric,
	     struct by_host *out)
{
	auto_free double *d = xcalloc(e->n_runs + 1, sizeof(*d));
	auto_free double *means = xcalloc(e->n_hosts + 1, sizeof(*means));
	auto_free size_t *group = xcalloc(e->n_runs + 1, sizeof(*group));
	size_t n = 0;

	*out = (struct by_host){
		.list = xcalloc(e->n_hosts + 1, sizeof(*out->list)),
		.n = e->n_hosts,
		.over_hosts = { NAN, NAN, NAN },
	};
	for (size_t host = 0; host < e->n_hosts; host++) {
		struct host_effect *one = &out->list[host];

		take_host(e, host, arm, metric, one, d + n);
		for (size_t i = 0; i < one->n; i++)
			group[n++] = host;
		if (one->n)
			means[out->n_over++] = one->effect.d;
	}
	out->differ = stats_anova(d, group, n, e->n_hosts);
	if (out->n_over)
		out->over_hosts = effect_paired(means, out->n_over);
}

void by_host_free(struct by_host *b)
{
	free(b->list);
	*b = (struct by_host){ 0 };
}

double *by_host_differ(const struct experiment *e)
{
	double *p = xcalloc(e->n_arms + 1, sizeof(*p));

	for (size_t arm = 0; arm < e->n_arms; arm++) {
		struct by_host b;

		p[arm] = NAN;
		if (arm == e->baseline || judge_is_aa(e, arm) || e->n_hosts < 2)
			continue;
		by_host(e, arm, e->primary, &b);
		p[arm] = b.differ.p;
		by_host_free(&b);
	}
	multiple_holm(p, e->n_arms);
	return p;
}
