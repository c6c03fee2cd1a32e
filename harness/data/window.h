/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window of a run in its streams: which ticks and lines belong to it. */
#ifndef DATA_WINDOW_H
#define DATA_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

#include "data/record.h"

/* Edges count as inside to within this: times are stored in microseconds. */
#define WINDOW_SLACK_S 0.001

struct window {
	const struct run *run;
	bool is_there;
	size_t first; /* ticks inside: rows [first, end) of run->samples */
	size_t end;
	/* The mean distance of two ticks: a tick this near an edge is at it. */
	double interval_s;
};

void window_find(const struct run *run, struct window *out);

/* The time of a tick. */
double window_time(const struct window *w, size_t row);

/*
 * The tick nearest to t_s that has a number in this column, at most one
 * interval away. Returns false if there is none.
 */
bool window_tick_at(const struct window *w, int col, double t_s, size_t *row);

/* Does line row of run->load cover only time inside the window? */
bool window_has_line(const struct window *w, size_t row, int interval_col);

/* When a phase began, on the run's clock; NAN if it did not. */
double window_phase_start_s(const struct run *run, const char *phase);

#endif
