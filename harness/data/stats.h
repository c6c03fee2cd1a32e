/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small statistics; the unit is one run, never one second of it. */
#ifndef DATA_STATS_H
#define DATA_STATS_H

#include <stddef.h>

double stats_mean(const double *x, size_t n);   /* NAN for n = 0 */
double stats_stddev(const double *x, size_t n); /* n - 1; NAN for n < 2 */
/* The middle one, or the mean of the middle two; sorts x. NAN for n = 0. */
double stats_median(double *x, size_t n);

/* The p quantile of Student's t; df >= 1. */
double stats_t_quantile(double p, double df);

struct stats_interval {
	double centre;
	double low; /* NAN where n < 2 */
	double high;
};

/*
 * The mean of n values and its two-sided interval at this confidence (0.95),
 * by Student's t with n - 1 degrees of freedom. Of logarithms of paired
 * ratios this is the paired interval: exchange the pairs and all three change
 * their sign exactly.
 */
struct stats_interval stats_t_interval(const double *x, size_t n,
				       double confidence);

#endif
