/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment of some size can show. */
#ifndef DATA_POWER_H
#define DATA_POWER_H

#include <stddef.h>

#define POWER_USUAL 0.8

/*
 * The power of a two-sided t test at level alpha: how often it finds a
 * difference that is delta standard errors large (df as the test has it). From
 * the noncentral t distribution, integrated over the standard deviation's.
 */
double power_t(double delta, double df, double alpha);

/* The delta with this power: the inverse of power_t(). */
double power_delta(double power, double df, double alpha);

/*
 * Paired blocks with a standard deviation sd of their log ratios: the smallest
 * log ratio that n of them show with this power; NAN for n < 2.
 */
double power_paired_shows(double sd, size_t n, double alpha);
/* And how many blocks show a log ratio; 0: more than a million. */
size_t power_paired_needs(double sd, double log_ratio, double alpha);

/*
 * The same for runs that share no block, n in each arm, each with a standard
 * deviation sd of its log: close to 2 (1.96 + 0.84)^2 (sd / log_ratio)^2.
 */
double power_unpaired_shows(double sd, size_t n, double alpha);
size_t power_unpaired_needs(double sd, double log_ratio, double alpha);

#endif
