/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cross-checks of the t interval that assume no normal distribution. */
#ifndef DATA_RESAMPLE_H
#define DATA_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "data/stats/stats.h"

/* Up to so many blocks all 2^n changes of sign are tried. */
enum { RESAMPLE_EXACT = 20 };

/*
 * The sign-flip permutation test of d_b: the share of all 2^n ways to give the
 * differences signs whose sum is as far from 0 as that of d. Of more than
 * RESAMPLE_EXACT blocks 20,000 ways are drawn from the seed. The smallest it
 * can be is 2^(1 - n): with 5 blocks 0.0625, so that it never says less than
 * 0.05 there. NAN for n = 0.
 */
double resample_sign_flip(const double *d, size_t n, uint64_t seed);

/*
 * The interval of the mean by the bootstrap, bias-corrected and accelerated
 * (Efron 1987, JASA 82:171), 10,000 draws from the seed. NAN for n < 2; without
 * any spread it is the mean itself.
 */
struct stats_interval resample_bca(const double *d, size_t n, double confidence,
				   uint64_t seed);

#endif
