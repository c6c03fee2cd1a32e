/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of one metric in the runs of one arm. */
#ifndef DATA_SAMPLE_H
#define DATA_SAMPLE_H

#include <stddef.h>

#include "data/record.h"

struct sample {
	double *x; /* of the runs that count and have one, as planned */
	unsigned int *block;
	unsigned int *number; /* of the run, from 1 */
	size_t n;
	const char *why; /* n == 0: the first run's reason, not owned */
};

void sample_take(const struct experiment *e, size_t arm, const char *metric,
		 struct sample *out);
void sample_free(struct sample *s); /* and empties it */

/* How many values are not above 0, and so have no logarithm. */
size_t sample_without_log(const struct sample *s);

/*
 * Why two samples have no ratio, since a value of theirs is not above 0; NULL
 * if all are. Leaving such blocks out would compare other runs than the means
 * that stand beside it. free() it.
 */
char *sample_why_no_ratio(const struct sample *base, const struct sample *arm);

/* The logarithm of each; out has room for s->n. */
void sample_logs(const struct sample *s, double *out);

/*
 * ln(arm / baseline) block by block, where both have a value above 0. d has
 * room for as many as the smaller sample has. Returns how many there are.
 */
size_t sample_log_ratios(const struct sample *base, const struct sample *arm,
			 double *d);

#endif
