/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several comparisons at once. */
#ifndef DATA_MULTIPLE_H
#define DATA_MULTIPLE_H

#include <stddef.h>

/*
 * Holm's step-down correction (1979, Scand. J. Statist. 6:65), in place: p
 * times the number of those not smaller, never less than that of a smaller
 * one, at most 1. The chance of any false finding among all stays below the
 * level. A NAN is none of them and stays.
 */
void multiple_holm(double *p, size_t n);

/* How many of p are numbers: the size of the family. */
size_t multiple_count(const double *p, size_t n);

#endif
