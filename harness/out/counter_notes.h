/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands below tables of counters: which events, of whom, how sure. */
#ifndef OUT_COUNTER_NOTES_H
#define OUT_COUNTER_NOTES_H

#include "out/arms.h"

/*
 * For the columns that have figures: the events that stand for each role with
 * their encodings, what is a proxy; the PMU, the scope, whose work; for each
 * group the least share of the window in which it was on the PMU.
 */
void note_counters(const struct experiment *e, struct table *t,
		   const struct arms_column *columns, size_t n);

#endif
