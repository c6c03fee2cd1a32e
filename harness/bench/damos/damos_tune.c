/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/damos/damos_tune.h"

#include <math.h>

#include "base/num.h"
#include "kern/damon.h"

void damos_scores_set(struct damos_scores *s, uint64_t score_bp,
		      uint64_t from_ns, uint64_t to_ns)
{
	s->before_bp = s->now_bp;
	s->now_bp = score_bp;
	s->from_ns = from_ns;
	s->to_ns = to_ns;
}

/* Of what was observed; a byte where that is nothing. */
static double error_pct(uint64_t predicted, uint64_t observed)
{
	double whole = observed ? (double)observed : 1;

	return 100 * fabs((double)predicted - (double)observed) / whole;
}

static uint64_t step(const struct damos_tune *t, uint64_t esz_bp,
		     uint64_t score_bp)
{
	return damon_tune_bp(t->tuner, esz_bp, score_bp, t->quota_bytes);
}

static double error_of(const struct damos_tune *t, uint64_t esz_bp,
		       uint64_t observed)
{
	return error_pct(damon_effective_bytes(esz_bp, t->quota_bytes),
			 observed);
}

/* esz_bp is what the formula comes to for this observation. */
static void note(struct damos_tune *t, uint64_t esz_bp, uint64_t observed)
{
	t->esz_bp = esz_bp;
	t->predicted = damon_effective_bytes(esz_bp, t->quota_bytes);
	t->observed = observed;
	t->has_observed = true;
	t->worst_error_pct =
		fmax(t->worst_error_pct, error_pct(t->predicted, observed));
}

/* Windows before the first that was told, under the score before a feed. */
static void catch_up(struct damos_tune *t, const struct damos_scores *s,
		     uint64_t t_ns, uint64_t observed)
{
	uint64_t quiet = s->to_ns ? s->before_bp : s->now_bp;
	uint64_t last = t_ns < s->to_ns ? s->before_bp : s->now_bp;
	uint64_t most = t->reset_ns ? (t_ns - t->start_ns) / t->reset_ns : 0;
	uint64_t bp = t->esz_bp;
	double least = error_of(t, step(t, bp, last), observed);

	for (uint64_t i = 1; i <= most; i++) {
		double error;

		bp = step(t, bp, quiet);
		error = error_of(t, step(t, bp, last), observed);
		if (!(error < least))
			continue;
		least = error;
		t->esz_bp = bp;
		t->n_windows = i;
	}
}

void damos_tune_window(struct damos_tune *t, const struct damos_scores *s,
		       uint64_t t_ns, uint64_t observed)
{
	bool is_before = t_ns < s->from_ns;
	uint64_t before;
	uint64_t now;

	if (!t->n_windows && t_ns > t->start_ns)
		catch_up(t, s, t_ns, observed);
	before = step(t, t->esz_bp, s->before_bp);
	now = step(t, t->esz_bp, s->now_bp);
	if (t_ns >= s->from_ns && t_ns <= s->to_ns)
		is_before = error_of(t, before, observed) <
			    error_of(t, now, observed);
	t->n_windows++;
	t->window_ns = t_ns;
	note(t, is_before ? before : now, observed);
}

void damos_tune_quiet(struct damos_tune *t, const struct damos_scores *s,
		      uint64_t t_ns)
{
	uint64_t score = t_ns < s->to_ns ? s->before_bp : s->now_bp;
	uint64_t next = step(t, t->esz_bp, score);

	/* The kernel counts in jiffies, of up to 10 ms. */
	if (!t->window_ns ||
	    t_ns + 10 * NUM_NS_PER_MS < t->window_ns + t->reset_ns ||
	    damon_effective_bytes(next, t->quota_bytes) != t->observed)
		return;
	t->esz_bp = next;
	t->window_ns = t_ns;
	t->n_windows++;
}

/* So many windows since the last time, and what the formula comes to then. */
struct guess {
	unsigned int n;
	uint64_t esz_bp;
	double error;
};

static void consider(const struct damos_tune *t, struct guess *best,
		     unsigned int n, uint64_t esz_bp, uint64_t observed)
{
	struct guess one = { n, esz_bp, error_of(t, esz_bp, observed) };

	if (one.error < best->error)
		*best = one;
}

void damos_tune_poll(struct damos_tune *t, const struct damos_scores *s,
		     unsigned int n_before, unsigned int most,
		     uint64_t observed)
{
	struct guess best = { 1, step(t, t->esz_bp, s->now_bp), 0 };
	uint64_t before = t->esz_bp;

	/* As good as none: one window is what a period has. */
	best.error = error_of(t, best.esz_bp, observed);
	for (unsigned int k = 0; k <= n_before && k <= most; k++) {
		uint64_t next = before;

		consider(t, &best, k, before, observed);
		for (unsigned int i = k + 1; i <= most; i++) {
			next = step(t, next, s->now_bp);
			consider(t, &best, i, next, observed);
		}
		before = step(t, before, s->before_bp);
	}
	t->n_windows += best.n;
	note(t, best.esz_bp, observed);
}

void damos_tune_follow(struct damos_tune *t)
{
	/* What is cut to the limit says nothing of what lies above it. */
	if (t->has_observed &&
	    !(t->quota_bytes && t->observed >= t->quota_bytes))
		t->esz_bp = t->observed * 10000;
}
