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

/*
 * The two-sided p of a difference with this standard error, by Student's t.
 * Without any spread it is 0, or 1 where the difference is 0. NAN if one of
 * them is not known.
 */
double stats_t_p(double difference, double se, double df);

/*
 * What to multiply a standard deviation of n values with, so that the true one
 * is below it with probability p (normal values, chi-squared); NAN for n < 2.
 */
double stats_sd_factor(size_t n, double p);

/*
 * The correlation of neighbours, as NIST's StRD defines it: the sum of
 * (x[i] - mean) (x[i - 1] - mean) over that of the squares. NAN for n < 2.
 */
double stats_lag1(const double *x, size_t n);

/* The slope of least squares of y over x; NAN where it has none. */
struct stats_slope {
	double slope;
	double se; /* NAN for n < 3 */
	double p;  /* two-sided, of no slope at all */
};
struct stats_slope stats_slope(const double *x, const double *y, size_t n);

/* One-way analysis of variance of y in groups (0 <= group < n_groups). */
struct stats_anova {
	size_t df_between;
	size_t df_within;
	double ss_between;
	double ss_within;
	double f;
	double p;
};
/* f and p are NAN where a group has no value, or nothing is left within. */
struct stats_anova stats_anova(const double *y, const size_t *group, size_t n,
			       size_t n_groups);

/* The upper tail of F with these degrees of freedom. */
double stats_f_p(double f, double df_between, double df_within);

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
