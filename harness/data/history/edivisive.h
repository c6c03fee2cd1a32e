/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-Divisive (Matteson & James, arXiv 1306.4933): where the distribution of a
 * series changes. The series is cut where Q (data/history/energy.h) is largest,
 * over all segments; whether that is more than chance is asked of random orders
 * within the segments; from the first cut that is not, there are no more. The
 * chance of a cut too many is therefore about the level, for the whole series.
 */
#ifndef DATA_EDIVISIVE_H
#define DATA_EDIVISIVE_H

#include <stddef.h>
#include <stdint.h>

struct edivisive_options {
	size_t least;    /* values of a segment, 2 or more */
	double level;    /* of p: 0.05 */
	size_t n_orders; /* random orders; p is at least 1 / (n_orders + 1) */
	uint64_t seed;   /* the same gives the same */
};

/*
 * 3 values, 5 %, seed 1; 999 orders of up to 10,000 values, 199 of more, so
 * that 100,000 values take seconds.
 */
struct edivisive_options edivisive_defaults(size_t n);

/* The same at another level, with as many orders as its p needs. */
struct edivisive_options edivisive_at_level(size_t n, double level);

/*
 * The fewest values in which a single step, in their middle and however large,
 * reaches the level: of C(n, n / 2) ways to share them out, two are as good. So
 * it is 8 for 5 %, 9 for 2.5 %.
 */
size_t edivisive_least_values(const struct edivisive_options *o);

struct edivisive_cut {
	size_t at; /* the first value of the new segment */
	double q;
	double p;
};

struct edivisive {
	struct edivisive_cut *cuts; /* by their places */
	size_t n;
};

/* All x finite. edivisive_free() it. */
void edivisive(const double *x, size_t n,
	       const struct edivisive_options *options, struct edivisive *out);
void edivisive_free(struct edivisive *e);

#endif
