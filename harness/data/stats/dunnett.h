/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dunnett's many-to-one comparisons (1955, JASA 50:1096; 1964, Biometrics
 * 20:482): several arms against one baseline, where all have as many runs and
 * are as noisy. More is found than by Holm's method, as the arms share the
 * baseline and all tell of the noise.
 */
#ifndef DATA_DUNNETT_H
#define DATA_DUNNETT_H

#include <stddef.h>

/*
 * Two-sided p of a t of n_arms of them, corrected for all: how often the
 * largest of them is as far from 0 where nothing differs. df of the common
 * standard deviation. NAN if something is none.
 */
double dunnett_p(double t, size_t n_arms, double df);

/* The t with this p: the inverse. NAN if p is not between 0 and 1. */
double dunnett_quantile(double p, size_t n_arms, double df);

/*
 * The standard error of a difference of two means, in randomised complete
 * blocks: y[arm * n_blocks + block], the baseline among the arms; what arm and
 * block leave is noise. *df: (n_arms - 1) (n_blocks - 1). NAN for fewer than 2
 * of one.
 */
double dunnett_se(const double *y, size_t n_arms, size_t n_blocks, double *df);

#endif
