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

bool need_window(const struct window *w, struct value *out);
/*
 * The index of a column of samples.tsv, or -1 with its collector's reason, or
 * the run's failure, or that it is not there.
 */
int need_sampled(const struct window *w, const char *column, struct value *out);
/* The same for sysbench.tsv. */
int need_reported(const struct window *w, const char *column,
		  struct value *out);

#endif
