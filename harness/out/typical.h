/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run that stands for its arm, where a table or plot shows one. */
#ifndef OUT_TYPICAL_H
#define OUT_TYPICAL_H

#include "data/record.h"

/* What a run must have to be chosen. */
typedef bool typical_fn(const struct run *run);

/* Do its samples have total and huge memory at some tick? */
bool typical_has_memory(const struct run *run);
/* Are both amounts there at this tick? */
bool typical_is_read(const struct series *s, size_t row);

/*
 * Of the counted runs of an arm that have what is wanted, the one whose
 * primary metric is the median (the lower of the middle two) if there are at
 * least 3; else the first. NULL if there is none.
 */
const struct run *typical_run(const struct experiment *e, size_t arm,
			      typical_fn *has, bool *is_median);

#endif
