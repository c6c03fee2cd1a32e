/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/window.h"

#include <math.h>
#include <stdint.h>

#include "base/str.h"

double window_time(const struct window *w, size_t row)
{
	return series_at(&w->run->samples, row, 0);
}

void window_find(const struct run *run, struct window *out)
{
	size_t n = run->samples.n_rows;

	*out = (struct window){
		.run = run,
		.is_there = isfinite(run->measure_start_s) &&
			    isfinite(run->measure_end_s),
	};
	if (n > 1)
		out->interval_s =
			(window_time(out, n - 1) - window_time(out, 0)) /
			(double)(n - 1);
	if (!out->is_there)
		return;
	while (out->first < n && window_time(out, out->first) <
					 run->measure_start_s - WINDOW_SLACK_S)
		out->first++;
	out->end = out->first;
	while (out->end < n && window_time(out, out->end) <=
				       run->measure_end_s + WINDOW_SLACK_S)
		out->end++;
}

/* Rows ascend in time: from below is the first row at or behind t_s. */
static size_t row_from(const struct window *w, double t_s)
{
	size_t low = 0;
	size_t high = w->run->samples.n_rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (window_time(w, middle) < t_s)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool window_tick_at(const struct window *w, int col, double t_s, size_t *row)
{
	const struct series *s = &w->run->samples;
	double reach = w->interval_s + WINDOW_SLACK_S;
	double nearest = INFINITY;

	for (size_t i = row_from(w, t_s - reach); i < s->n_rows; i++) {
		double away = fabs(window_time(w, i) - t_s);

		if (window_time(w, i) > t_s + reach)
			break;
		if (away < nearest && isfinite(series_at(s, i, col))) {
			nearest = away;
			*row = i;
		}
	}
	return isfinite(nearest);
}

bool window_has_line(const struct window *w, size_t row, int interval_col)
{
	double end_s = series_at(&w->run->load, row, 0);
	double begin_s = end_s - series_at(&w->run->load, row, interval_col);

	return w->is_there &&
	       begin_s >= w->run->measure_start_s - WINDOW_SLACK_S &&
	       end_s <= w->run->measure_end_s + WINDOW_SLACK_S;
}

double window_phase_start_s(const struct run *run, const char *phase)
{
	for (size_t i = 0; i < run->n_events; i++)
		if (str_eq(run->events[i].name, "phase") &&
		    str_eq(run->events[i].detail, phase))
			return run->events[i].t_s;
	return NAN;
}
