/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The difference of two arms, as the log of a ratio: unit-free, and exchanging
 * the arms changes its sign exactly.
 */
#ifndef DATA_EFFECT_H
#define DATA_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "data/stats/stats.h"

struct effect {
	double d;  /* mean log ratio; NAN: no values */
	double se; /* its standard error; NAN: too few values */
	double df; /* of Student's t */
};

/*
 * Of d_b = ln(arm / baseline) in each of n blocks: the blocks' differences
 * are what varies, df = n - 1.
 */
struct effect effect_paired(const double *d, size_t n);

/*
 * Of runs that share no block: Welch's t on the logs, df by Satterthwaite
 * (Welch 1947, Biometrika 34). Two runs of each arm are needed.
 */
struct effect effect_welch(const double *log_base, size_t n_base,
			   const double *log_arm, size_t n_arm);

/* d and its interval at this confidence; NAN where se is. */
struct stats_interval effect_interval(const struct effect *e,
				      double confidence);

/* Two-sided p of no difference. */
double effect_p(const struct effect *e);

/*
 * Two one-sided tests at 5 % (Schuirmann 1987): does the 90 % interval lie
 * inside a margin of ratios, 0.01 for 1 %? The margin's edges are
 * +-ln(1 + margin), so that exchanging the arms gives the same answer.
 */
bool effect_is_equivalent(const struct effect *e, double margin);

/*
 * The interval of the mean by Johnson's modified t (1978, JASA 73:536), for
 * skewed differences: all means m whose
 *   t + g / (6 sqrt n) + g t^2 / (3 sqrt n),  t = (mean - m) / se
 * lies between Student's quantiles, g the skewness of d; of two stretches of
 * them the one about the mean. Much wider than Student's where n is small.
 * NAN for n < 3.
 */
struct stats_interval effect_johnson(const double *d, size_t n,
				     double confidence);

#endif
