/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/edivisive.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/history/energy.h"

/* Sums of the same values in another order: equal to within this. */
#define SAME 1e-9

struct edivisive_options edivisive_defaults(size_t n)
{
	return (struct edivisive_options){
		.least = 3,
		.level = 0.05,
		.n_orders = n <= 10000 ? 999 : 199,
		.seed = 1,
	};
}

struct edivisive_options edivisive_at_level(size_t n, double level)
{
	/* p below the level, were it not for three orders by chance. */
	enum { BELOW = 4 };
	struct edivisive_options o = edivisive_defaults(n);
	size_t wanted = (size_t)ceil(BELOW / level) - 1;

	o.level = level;
	if (o.n_orders < wanted)
		o.n_orders = wanted;
	return o;
}

size_t edivisive_least_values(const struct edivisive_options *o)
{
	unsigned int n = (unsigned int)(2 * o->least);

	while (2 / exp(gsl_sf_lnchoose(n, n / 2)) > o->level)
		n++;
	return n;
}

struct segment {
	size_t start;
	size_t n;
	bool can_split;
	struct energy_split best;
	/* The largest Q of each random order of it, and the largest of those:
	 * drawn once, when the segment comes to be. */
	double *by_chance;
	double most_by_chance;
};

struct work {
	const double *x;
	const struct edivisive_options *o;
	struct segment *list;
	size_t n;
};

static void draw_orders(const struct work *w, struct segment *s,
			struct energy *e)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	/* Of the segment alone: what is cut elsewhere changes nothing here. */
	uint64_t seed = w->o->seed * 2654435761U + s->start * 40503U + s->n;

	gsl_rng_set(rng, (uint32_t)(seed ^ seed >> 32));
	s->by_chance = xcalloc(w->o->n_orders + 1, sizeof(*s->by_chance));
	s->most_by_chance = -HUGE_VAL;
	for (size_t i = 0; i < w->o->n_orders; i++) {
		gsl_ran_shuffle(rng, energy_order(e), s->n,
				sizeof(*energy_order(e)));
		s->by_chance[i] = energy_best(e, w->o->least).q;
		s->most_by_chance = fmax(s->most_by_chance, s->by_chance[i]);
	}
	gsl_rng_free(rng);
}

static void add_segment(struct work *w, size_t start, size_t n)
{
	struct segment s = { .start = start, .n = n };

	s.can_split = n >= 2 * w->o->least;
	if (s.can_split) {
		struct energy *e = energy_new(w->x + start, n);

		s.best = energy_best(e, w->o->least);
		draw_orders(w, &s, e);
		energy_free(e);
	}
	XGROW(w->list, w->n);
	w->list[w->n++] = s;
}

/* The segment with the best split; NULL if none can be split. */
static struct segment *find_best(const struct work *w)
{
	struct segment *best = NULL;

	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].can_split &&
		    (!best || w->list[i].best.q > best->best.q))
			best = &w->list[i];
	return best;
}

/* The share of random orders in which the largest Q of all is that large. */
static double chance(const struct work *w, double q)
{
	auto_free bool *is_as_large =
		xcalloc(w->o->n_orders + 1, sizeof(*is_as_large));
	size_t n = 1; /* the order that is there is one of them */

	q -= fabs(q) * SAME;
	for (size_t i = 0; i < w->n; i++) {
		const struct segment *s = &w->list[i];

		if (!s->can_split || s->most_by_chance < q)
			continue;
		for (size_t k = 0; k < w->o->n_orders; k++)
			is_as_large[k] |= s->by_chance[k] >= q;
	}
	for (size_t k = 0; k < w->o->n_orders; k++)
		n += is_as_large[k];
	return (double)n / (double)(w->o->n_orders + 1);
}

static void split(struct work *w, struct segment *s)
{
	size_t start = s->start;
	size_t n = s->n;
	size_t at = s->best.at;

	free(s->by_chance);
	*s = w->list[--w->n];
	add_segment(w, start, at);
	add_segment(w, start + at, n - at);
}

static int by_place(const void *a, const void *b)
{
	const struct edivisive_cut *x = a;
	const struct edivisive_cut *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

void edivisive(const double *x, size_t n,
	       const struct edivisive_options *options, struct edivisive *out)
{
	struct work w = { .x = x, .o = options };
	struct segment *s;

	*out = (struct edivisive){ 0 };
	add_segment(&w, 0, n);
	while ((s = find_best(&w)) && s->best.q > 0) {
		double p = chance(&w, s->best.q);

		if (p > options->level)
			break;
		XGROW(out->cuts, out->n);
		out->cuts[out->n++] =
			(struct edivisive_cut){ s->start + s->best.at,
						s->best.q, p };
		split(&w, s);
	}
	if (out->n)
		qsort(out->cuts, out->n, sizeof(*out->cuts), by_place);
	for (size_t i = 0; i < w.n; i++)
		free(w.list[i].by_chance);
	free(w.list);
}

void edivisive_free(struct edivisive *e)
{
	free(e->cuts);
	*e = (struct edivisive){ 0 };
}
