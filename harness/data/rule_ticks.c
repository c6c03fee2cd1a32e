/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules on samples.tsv. */
#include "data/rule.h"

#include <math.h>

#include "data/need.h"

static bool mean_of(const struct window *w, const char *column,
		    struct value *out, double *mean)
{
	int col = -1;
	double sum = 0;
	size_t n = 0;

	if (need_window(w, out))
		col = need_sampled(w, column, out);
	if (col < 0)
		return false;
	for (size_t i = w->first; i < w->end; i++) {
		double cell = series_at(&w->run->samples, i, col);

		if (!isfinite(cell))
			continue;
		sum += cell;
		n++;
	}
	if (!n && w->first == w->end)
		value_miss(out, "no samples in the window");
	else if (!n)
		value_miss_sampled(w, column, "is missing in the whole window",
				   out);
	*mean = sum / (double)n;
	return n != 0;
}

void rule_mean(const struct window *w, const struct rule *rule,
	       struct value *out)
{
	double mean;

	if (mean_of(w, rule->column, out, &mean))
		value_found(out, rule->factor * mean);
}

/* A ratio of means, not a mean of ratios: each byte weighs the same. */
void rule_share(const struct window *w, const struct rule *rule,
		struct value *out)
{
	double part;
	double whole;

	if (!mean_of(w, rule->column, out, &part) ||
	    !mean_of(w, rule->other, out, &whole))
		return;
	if (whole > 0)
		value_found(out, rule->factor * part / whole);
	else
		value_miss(out, "%s is 0 in the whole window", rule->other);
}

void rule_last(const struct window *w, const struct rule *rule,
	       struct value *out)
{
	double mean;
	int col;

	if (!mean_of(w, rule->column, out, &mean))
		return;
	col = series_column(&w->run->samples, rule->column);
	for (size_t i = w->end; i-- > w->first;) {
		double cell = series_at(&w->run->samples, i, col);

		if (isfinite(cell)) {
			value_found(out, rule->factor * cell);
			return;
		}
	}
}

static bool first_tick_with(const struct window *w, int col, size_t *row)
{
	for (*row = 0; *row < w->run->samples.n_rows; (*row)++)
		if (isfinite(series_at(&w->run->samples, *row, col)))
			return true;
	return false;
}

bool ticks_delta(const struct window *w, const char *column, bool is_whole_run,
		 struct value *out, struct ticks_span *span)
{
	const struct series *s = &w->run->samples;
	bool has_from;
	int col = -1;

	if (need_window(w, out))
		col = need_sampled(w, column, out);
	if (col < 0)
		return false;
	has_from = is_whole_run
			   ? first_tick_with(w, col, &span->from)
			   : window_tick_at(w, col, w->run->measure_start_s,
					    &span->from);
	if (!has_from ||
	    !window_tick_at(w, col, w->run->measure_end_s, &span->to) ||
	    span->to <= span->from) {
		value_miss_sampled(
			w, column,
			first_tick_with(w, col, &span->from)
				? "has no ticks at the window's edges"
				: "has no number in any tick",
			out);
		return false;
	}
	span->delta =
		series_at(s, span->to, col) - series_at(s, span->from, col);
	if (span->delta < 0)
		value_miss(out, "%s went backwards", column);
	return span->delta >= 0;
}

void rule_delta(const struct window *w, const struct rule *rule,
		struct value *out)
{
	struct ticks_span span;

	if (ticks_delta(w, rule->column, false, out, &span))
		value_found(out, rule->factor * span.delta);
}

void rule_run(const struct window *w, const struct rule *rule,
	      struct value *out)
{
	struct ticks_span span;

	if (ticks_delta(w, rule->column, true, out, &span))
		value_found(out, rule->factor * span.delta);
}

/*
 * thp_collapse_alloc counts khugepaged's too: what is left is madvise's and
 * DAMOS's. The two files are read one behind the other, so that khugepaged
 * may be a page ahead.
 */
void rule_run_without(const struct window *w, const struct rule *rule,
		      struct value *out)
{
	struct ticks_span all;
	struct ticks_span part;

	if (ticks_delta(w, rule->column, true, out, &all) &&
	    ticks_delta(w, rule->other, true, out, &part))
		value_found(out,
			    rule->factor * fmax(0, all.delta - part.delta));
}

void rule_reach(const struct window *w, const struct rule *rule,
		struct value *out)
{
	double start_s = window_phase_start_s(w->run, "load");
	const struct series *s = &w->run->samples;
	double final;
	int col;

	if (!mean_of(w, rule->column, out, &final))
		return;
	if (!isfinite(start_s))
		value_miss(out, "no load phase in events.tsv");
	else if (!(final > 0))
		value_miss(out, "no huge pages in the window");
	if (out->why)
		return;
	col = series_column(s, rule->column);
	for (size_t i = 0; i < s->n_rows; i++) {
		double t_s = window_time(w, i);

		if (t_s >= start_s - WINDOW_SLACK_S &&
		    series_at(s, i, col) >= rule->factor * final) {
			value_found(out, fmax(0, t_s - start_s));
			return;
		}
	}
	value_miss(out, "not reached");
}

void rule_recorded(const struct window *w, const struct rule *rule,
		   struct value *out)
{
	value_miss_sampled(w, rule->metric, "was not recorded", out);
}
