/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the counters of a run come to: from columns of samples.tsv, by way of
 * counters.tsv, to roles. What the PMU did not count is never a number.
 */
#ifndef DATA_COUNTED_H
#define DATA_COUNTED_H

#include "data/record.h"
#include "data/window.h"

/* Least share of the time on the PMU, in %, where counters.tsv has none. */
#define COUNTED_LIMIT_PCT 95

/* One role over the window. */
struct counted {
	double number;  /* scaled by enabled / running */
	double seconds; /* between the two ticks that it is a difference of */
};

/*
 * The role, and with it another one of the same group, so that their ratio is
 * exact (other NULL: none). The first group that has both and was on the PMU
 * long enough is taken. False with out->why set:
 *   the reason that counters.tsv has for a role or event;
 *   "multiplexed: ..." if the group was on the PMU for less than the limit;
 *   "unsupported: ..." for an event of the PMU that counted nothing in the
 *   whole run while it was on it: the kernel opens what a PMU does not have
 *   and reads 0 (arm_pmuv3). Walks by page size may be 0 where another event
 *   of the group is not.
 */
bool counted_take(const struct window *w, const char *role, const char *other,
		  struct value *out, struct counted got[2]);

/* A fact of counters.tsv; "" if it has none of that name. */
const char *counted_fact(const struct run *run, const char *name);

/*
 * The share of the window in which a group was on the PMU, in %; NAN if that
 * is not known.
 */
double counted_running_pct(const struct run *run, const char *group);

#endif
