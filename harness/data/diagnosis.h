/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a scheme of DAMON's did less, or more, than one would think, where the
 * record of its runs says so: known traps of the kernel, each with what would
 * help.
 */
#ifndef DATA_DIAGNOSIS_H
#define DATA_DIAGNOSIS_H

#include "data/record.h"

struct diagnosis {
	size_t arm;
	char *text; /* "in 2 of 3 runs: ..." */
};

struct diagnoses {
	struct diagnosis *list;
	size_t n;
};

/*
 * Look at the runs that count, arm by arm: the quota spent on gaps, a collapse
 * that stops at mappings which cannot be huge, a quota or a tuner still below
 * one huge page, temporal beyond its target, huge pages from before the scheme
 * began, hugepage under never, and a server that has switched THP off for
 * itself. Values are those of summary_fill(). diagnoses_free() it.
 */
void diagnose(const struct experiment *e, struct diagnoses *out);
void diagnoses_free(struct diagnoses *d);

#endif
