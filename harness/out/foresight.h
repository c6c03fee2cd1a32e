/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment that is planned will be able to show. */
#ifndef OUT_FORESIGHT_H
#define OUT_FORESIGHT_H

#include <stdint.h>

#include "base/str.h"

struct foresight {
	const char *metric; /* title of the primary one */
	double cv;          /* between runs, as a ratio: 0.01 for 1 % */
	double margin;      /* a ratio */
	size_t blocks;
	size_t n_arms;        /* in a block */
	size_t n_comparisons; /* arms against the baseline */
	uint64_t run_ns;      /* how long a run takes at the most */
};

/*
 * The smallest effect, in %, that is found in 80 % of such experiments; NAN for
 * one block. As if nothing made the runs of a block alike: the log ratio then
 * varies by sqrt(2) CV.
 */
double foresight_shows_pct(const struct foresight *f);
/* Blocks that the margin needs; 0: more than a million. */
size_t foresight_needs(const struct foresight *f);
/* Both in words, a paragraph. */
void foresight_text(const struct foresight *f, struct str *out);

#endif
