/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What changed in a series of a history, and where: change points by
 * E-Divisive (data/history/edivisive.h) over the points, each the mean of an
 * experiment's runs; and the newest point against the segment that it is in,
 * since a change is seen by E-Divisive only when three points are behind it.
 *
 * The series of one host, configuration and metric (its arms) are a family:
 * E-Divisive has the 5 % level divided by their number, the p of the newest
 * points are corrected by Holm's method. So a family in which nothing changes
 * has changes in 5 % of cases and off points in another 5 %, half of them
 * regressions.
 */
#ifndef DATA_CHANGES_H
#define DATA_CHANGES_H

#include "data/history/history_read.h"
#include "data/stats/judge.h"

struct change {
	size_t at; /* the first point behind it */
	double p;
	double before; /* mean of the points of the segment in front of it */
	double after;  /* and of that which it begins */
	/*
	 * After / before as a ratio with its 95 % interval (Welch on logs); a
	 * difference, if a value is not above 0. The place was chosen where the
	 * difference is large: the interval leaves that out of account.
	 */
	bool is_ratio;
	struct stats_interval size;
	enum verdict verdict; /* improved, regressed, differs */
	/* A regression that a later segment makes good, to within the least
	 * magnitude. */
	bool is_made_good;
};

struct changes {
	const struct history_series *series;
	struct change *list; /* by place */
	size_t n;
	size_t family; /* series that the level was divided by */
	char *why;     /* too few points to find any; else NULL */
	/*
	 * A straight line through all points leaves less of their variance than
	 * the segments do: there is a change, but no place where it is.
	 */
	bool is_drift;
	/*
	 * The newest point against the others of its segment: at is its place,
	 * verdict VERDICT_NONE if they are fewer than 3, INCONCLUSIVE if it is
	 * no outlier.
	 */
	struct change newest;
};

struct changes_options {
	double magnitude; /* smaller changes are none: 0.01 is 1 % */
};

/* Of each series of the list, which must outlive it. changes_free() it. */
void changes_find(const struct history_list *list,
		  const struct changes_options *options, struct changes **out);
void changes_free(struct changes *list, size_t n);

/* The first point of the segment that change i (n: the last) ends. */
size_t changes_segment(const struct changes *c, size_t i);

#endif
