/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures as tables print them: with sensible digits, or why they are not. */
#ifndef OUT_FIGURE_H
#define OUT_FIGURE_H

#include "data/summary.h"
#include "out/table.h"

enum figure {
	FIGURE_PLAIN,   /* 2 decimals: TPS, ms, %, CPU seconds */
	FIGURE_GIB,     /* bytes as GiB, 3 decimals; 0 is exactly none */
	FIGURE_MIB,     /* bytes as MiB, 1 decimal; 0 is exactly none */
	FIGURE_COUNT,   /* whole numbers plain, means with 1 decimal */
	FIGURE_SECONDS, /* 1 decimal */
	FIGURE_SHARE,   /* 9 decimals: % of events of which few are meant */
	FIGURE_DIGITS,  /* 5 digits that count, wherever the point is */
	FIGURE_CHANGE,  /* of an arms_column: the change against the baseline */
};

/* A number in its metric's unit. free() it; "n/a" if it is not finite. */
char *figure_text(enum figure figure, double number);
/* The unit that a figure is printed in; unit is the metric's own. */
const char *figure_unit(enum figure figure, const char *unit);

/* "+0.27 % [-0.11, +0.65]"; "[n/a]" where there is no interval. free() it. */
char *figure_change(const struct comparison *c);

/* A cell: the mean, or why there is none. */
void figure_mean(struct table *t, const struct arm_summary *s,
		 enum figure figure);

/* A cell: a change, which is there. */
void figure_comparison(struct table *t, const struct comparison *c);

/* A column of changes against the baseline, and its cells. */
void figure_change_column(struct table *t);
void figure_change_cell(struct table *t, const struct experiment *e, size_t arm,
			const char *metric);

#endif
