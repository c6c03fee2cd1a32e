/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy statistics of numbers (Szekely & Rizzo), with distances to the power
 * of 1: how far two samples X and Y are apart,
 *   E = 2 mean|x - y| - mean|x - x'| - mean|y - y'|,
 * the means of X and Y by themselves over all pairs of different members, as
 * in Matteson & James (arXiv 1306.4933), who weigh it: Q = E mn / (m + n).
 */
#ifndef DATA_ENERGY_H
#define DATA_ENERGY_H

#include <stddef.h>
#include <stdint.h>

/*
 * Up to so many values a split is sought with every end of what follows it:
 * X = x[0..at), Y = x[at..end), for each end, at a cost of n * n. Of more
 * values the end is n alone, at a cost of n log n.
 */
enum { ENERGY_ALL_ENDS = 400 };

/* The statistics of a series in any order: what splitting it needs. */
struct energy;

/* x is copied. energy_free() it. */
struct energy *energy_new(const double *x, size_t n);
void energy_free(struct energy *e);

/* The order of the values, for whoever shuffles it: indexes below n. */
uint32_t *energy_order(struct energy *e);

struct energy_split {
	size_t at; /* the first value behind the split */
	double q;
};

/*
 * The split with the largest Q, in the order of energy_order(), with at least
 * so many values (2 or more) on each side. n >= 2 * least.
 */
struct energy_split energy_best(struct energy *e, size_t least);

/* E of two samples, n, m >= 2. */
double energy_distance(const double *x, size_t n, const double *y, size_t m);

#endif
