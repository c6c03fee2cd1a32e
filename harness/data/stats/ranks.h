/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What rests on the order of values alone, as benchstat of Go judges by
 * default: medians, their intervals, and the U test.
 */
#ifndef DATA_RANKS_H
#define DATA_RANKS_H

#include <stddef.h>

#include "data/stats/stats.h"

/*
 * The two-sided p of Mann and Whitney's U test. Exact up to 50 values in each
 * sample, with ties up to 25, by counting all ways to part the ranks (ties
 * share their mean); beyond that the normal approximation, corrected for ties
 * and continuity. 1 if all values are equal; NAN if a sample is empty.
 */
double ranks_u_p(const double *x, size_t n_x, const double *y, size_t n_y);

/*
 * The median and an interval between two of the sorted values that holds the
 * true one at least with this confidence, of such the narrowest in ranks, the
 * lower of two equal ones. An end that would lie outside the values is
 * infinite: fewer than 6 give no interval of 95 %.
 */
struct stats_interval ranks_median(const double *x, size_t n,
				   double confidence);

#endif
