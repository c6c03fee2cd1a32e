/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio of two means, without logarithms. */
#ifndef DATA_FIELLER_H
#define DATA_FIELLER_H

#include <stdbool.h>

#include "data/stats/stats.h"

struct fieller {
	double ratio; /* mean of the arm / mean of the baseline */
	double low;   /* NAN where unbounded, or too few values */
	double high;
	/*
	 * g >= 1: the baseline's mean is not told from 0, and no bounded
	 * interval has the confidence.
	 */
	bool is_unbounded;
};

/*
 * Fieller's interval (1954, JRSS B 16:175) of two arms that share no block;
 * df by Satterthwaite at the ratio found.
 */
struct fieller fieller_ratio(const double *base, size_t n_base,
			     const double *arm, size_t n_arm,
			     double confidence);

#endif
