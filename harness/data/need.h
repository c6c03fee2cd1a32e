/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a rule needs of a run, or the reason why its value is missing. */
#ifndef DATA_NEED_H
#define DATA_NEED_H

#include <stdbool.h>

#include "data/record.h"
#include "data/window.h"

void value_found(struct value *out, double number);
/* Set the reason, unless there is one already: the first is the cause. */
void value_miss(struct value *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A column of samples.tsv has not what is needed: the reason is its
 * collector's, or the run's failure, or "COLUMN WHAT".
 */
void value_miss_sampled(const struct window *w, const char *column,
			const char *what, struct value *out);

bool need_window(const struct window *w, struct value *out);
/* The index of a column of samples.tsv, or -1 with the reason. */
int need_sampled(const struct window *w, const char *column, struct value *out);
/* The same for sysbench.tsv. */
int need_reported(const struct window *w, const char *column,
		  struct value *out);

#endif
