/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/energy.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * Values lie by their ranks in cells, and a Fenwick tree over the cells says
 * how many lie below and their sum. A tree over the values themselves would not
 * stay in the cache; what is left to be read in random order is fetched ahead.
 * Without both, time grew faster than n log n (tests/bench/history.sh).
 */
enum { CELL = 8, AHEAD = 32 };

/* A node of the tree: how many values, and their sum. */
struct node {
	double n;
	double sum;
};

struct energy {
	size_t n;
	uint32_t *order; /* ranks: indexes into sorted */
	double *sorted;
	double *to_all; /* of each rank, the sum of distances to all others */
	uint8_t *taken; /* of each cell, a bit a value that is in the tree */
	struct node *tree; /* n_cells + 1 */
	size_t n_cells;
	double *now;     /* all ends: the values in their order */
	double *column;  /* all ends: distances to X, a sum for each value */
	double *within;  /* all ends: sums over pairs of x[0..end) */
	double *inverse; /* 1 / k */
};

struct energy *energy_new(const double *x, size_t n)
{
	struct energy *e = xcalloc(1, sizeof(*e));
	auto_free size_t *by_rank = xcalloc(n + 1, sizeof(*by_rank));
	double total = 0;
	double before = 0;

	e->n = n;
	e->order = xcalloc(n + 1, sizeof(*e->order));
	e->sorted = xcalloc(n + CELL + 1, sizeof(*e->sorted));
	e->to_all = xcalloc(n + 1, sizeof(*e->to_all));
	e->n_cells = n / CELL + 1;
	e->taken = xcalloc(e->n_cells, sizeof(*e->taken));
	e->tree = xcalloc(e->n_cells + 1, sizeof(*e->tree));
	e->now = xcalloc(n + 1, sizeof(*e->now));
	e->column = xcalloc(n + 1, sizeof(*e->column));
	e->within = xcalloc(n + 1, sizeof(*e->within));
	e->inverse = xcalloc(n + 1, sizeof(*e->inverse));
	gsl_sort_index(by_rank, x, 1, n);
	for (size_t i = 0; i < n; i++) {
		e->order[by_rank[i]] = (uint32_t)i;
		/* Distances from the smallest: sums lose fewer digits. */
		e->sorted[i] = x[by_rank[i]] - x[by_rank[0]];
		total += e->sorted[i];
		e->inverse[i + 1] = 1 / (double)(i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		double k = (double)i;

		e->to_all[i] = k * e->sorted[i] - before + (total - before) -
			       ((double)n - k) * e->sorted[i];
		before += e->sorted[i];
	}
	return e;
}

void energy_free(struct energy *e)
{
	if (!e)
		return;
	free(e->order);
	free(e->sorted);
	free(e->to_all);
	free(e->taken);
	free(e->tree);
	free(e->now);
	free(e->column);
	free(e->within);
	free(e->inverse);
	free(e);
}

uint32_t *energy_order(struct energy *e)
{
	return e->order;
}

/*
 * Q from sums over pairs: n values of X with the sum xx, m of Y with yy, xy
 * between them.
 */
static double weigh(const struct energy *e, size_t n, size_t m, double xx,
		    double yy, double xy)
{
	return 2 * e->inverse[n + m] *
	       (xy - (double)m * e->inverse[n - 1] * xx -
		(double)n * e->inverse[m - 1] * yy);
}

static void keep_best(struct energy_split *best, size_t at, double q)
{
	if (q > best->q)
		*best = (struct energy_split){ at, q };
}

/* Sums over the pairs of x[0..end), for each end. */
static void fill_within(struct energy *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->n; i++)
		e->now[i] = e->sorted[e->order[i]];
	for (size_t end = 0; end < e->n; end++) {
		double value = e->now[end];

		e->within[end] = sum;
		for (size_t i = 0; i < end; i++)
			sum += fabs(value - e->now[i]);
	}
	e->within[e->n] = sum;
}

/*
 * For each split the ends in turn. What lies within Y is what lies within both
 * less what lies within X and between them.
 */
static struct energy_split best_of_all_ends(struct energy *e, size_t least)
{
	struct energy_split best = { least, -HUGE_VAL };

	fill_within(e);
	memset(e->column, 0, e->n * sizeof(*e->column));
	for (size_t at = 1; at + least <= e->n; at++) {
		double added = e->now[at - 1];
		double xx = e->within[at];
		double xy = 0;

		for (size_t j = at; j < e->n; j++) {
			e->column[j] += fabs(added - e->now[j]);
			xy += e->column[j];
			if (at < least || j + 1 - at < least)
				continue;
			keep_best(&best, at,
				  weigh(e, at, j + 1 - at, xx,
					e->within[j + 1] - xx - xy, xy));
		}
	}
	return best;
}

/* What the next rounds of best_of_one_end() read. */
static void fetch_ahead(const struct energy *e, size_t i)
{
	size_t rank;

	if (i + AHEAD >= e->n)
		return;
	rank = e->order[i + AHEAD];
	__builtin_prefetch(&e->sorted[rank / CELL * CELL]);
	__builtin_prefetch(&e->sorted[rank]);
	__builtin_prefetch(&e->to_all[rank]);
	__builtin_prefetch(&e->tree[rank / CELL + 1]);
}

/* The sum of distances from the value of a rank to those in the tree. */
static double distances(const struct energy *e, size_t rank, double n,
			double sum)
{
	const double *cell = &e->sorted[rank / CELL * CELL];
	unsigned int mask = e->taken[rank / CELL] & ((1U << rank % CELL) - 1);
	double below_n = __builtin_popcount(mask);
	double below = 0;
	double x = e->sorted[rank];

	/* Without a branch that nobody could foretell. */
	for (unsigned int i = 0; i < CELL; i++)
		below += cell[i] * (double)(mask >> i & 1);
	for (size_t i = rank / CELL; i; i &= i - 1) {
		below_n += e->tree[i].n;
		below += e->tree[i].sum;
	}
	return below_n * x - below + (sum - below) - (n - below_n) * x;
}

static void insert(struct energy *e, size_t rank)
{
	double x = e->sorted[rank];

	e->taken[rank / CELL] |= (uint8_t)(1U << rank % CELL);
	for (size_t i = rank / CELL + 1; i <= e->n_cells; i += i & (~i + 1)) {
		e->tree[i].n += 1;
		e->tree[i].sum += x;
	}
}

/* All that follows is Y: each value moves from Y to X once. */
static struct energy_split best_of_one_end(struct energy *e, size_t least)
{
	struct energy_split best = { least, -HUGE_VAL };
	double xx = 0;
	double xy = 0;
	double yy = 0;
	double sum = 0;

	memset(e->tree, 0, (e->n_cells + 1) * sizeof(*e->tree));
	memset(e->taken, 0, e->n_cells * sizeof(*e->taken));
	for (size_t i = 0; i < e->n; i++)
		yy += e->to_all[i] / 2;
	for (size_t i = 0; i + least < e->n; i++) {
		size_t rank = e->order[i];
		double to_x = distances(e, rank, (double)i, sum);
		double to_y = e->to_all[rank] - to_x;

		fetch_ahead(e, i);
		insert(e, rank);
		sum += e->sorted[rank];
		xx += to_x;
		yy -= to_y;
		xy += to_y - to_x;
		if (i + 1 >= least)
			keep_best(&best, i + 1,
				  weigh(e, i + 1, e->n - i - 1, xx, yy, xy));
	}
	return best;
}

struct energy_split energy_best(struct energy *e, size_t least)
{
	return e->n <= ENERGY_ALL_ENDS ? best_of_all_ends(e, least)
				       : best_of_one_end(e, least);
}

double energy_distance(const double *x, size_t n, const double *y, size_t m)
{
	double xy = 0;
	double xx = 0;
	double yy = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			xy += fabs(x[i] - y[j]);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			xx += fabs(x[i] - x[j]);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < i; j++)
			yy += fabs(y[i] - y[j]);
	return 2 * xy / ((double)n * (double)m) -
	       2 * xx / ((double)n * (double)(n - 1)) -
	       2 * yy / ((double)m * (double)(m - 1));
}
