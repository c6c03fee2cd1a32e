/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules on sysbench.tsv. */
#include "data/rule.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/column.h"
#include "data/need.h"
#include "data/stats/stats.h"

/* Lines inside the window, each with two cells. */
struct lines {
	double *value;
	double *weight;
	size_t n;
};

static void lines_free(struct lines *lines)
{
	free(lines->value);
	free(lines->weight);
}

/* All lines for which both cells are there. lines_free() it. */
static bool take_lines(const struct window *w, const struct rule *rule,
		       struct value *out, struct lines *lines)
{
	const struct series *s = &w->run->load;
	int interval = need_reported(w, COL_LOAD_INTERVAL, out);
	int value = need_reported(w, rule->column, out);
	int weight = need_reported(w, rule->other, out);

	*lines = (struct lines){ 0 };
	if (!need_window(w, out) || interval < 0 || value < 0 || weight < 0)
		return false;
	lines->value = xcalloc(s->n_rows, sizeof(double));
	lines->weight = xcalloc(s->n_rows, sizeof(double));
	for (size_t i = 0; i < s->n_rows; i++) {
		lines->value[lines->n] = series_at(s, i, value);
		lines->weight[lines->n] = series_at(s, i, weight);
		if (window_has_line(w, i, interval) &&
		    isfinite(lines->value[lines->n]) &&
		    isfinite(lines->weight[lines->n]))
			lines->n++;
	}
	if (lines->n)
		return true;
	lines_free(lines);
	value_miss(out, "the load reported no %s in the window", rule->column);
	return false;
}

void rule_rate(const struct window *w, const struct rule *rule,
	       struct value *out)
{
	struct lines lines;
	double seconds = 0;
	double sum = 0;

	if (!take_lines(w, rule, out, &lines))
		return;
	for (size_t i = 0; i < lines.n; i++) {
		sum += lines.value[i];
		seconds += lines.weight[i];
	}
	lines_free(&lines);
	if (seconds > 0)
		value_found(out, rule->factor * sum / seconds);
	else
		value_miss(out, "the load's lines cover no time");
}

void rule_line_median(const struct window *w, const struct rule *rule,
		      struct value *out)
{
	struct lines lines;

	if (!take_lines(w, rule, out, &lines))
		return;
	value_found(out, stats_median(lines.value, lines.n));
	lines_free(&lines);
}

void rule_line_mean(const struct window *w, const struct rule *rule,
		    struct value *out)
{
	struct lines lines;
	double weights = 0;
	double sum = 0;

	if (!take_lines(w, rule, out, &lines))
		return;
	for (size_t i = 0; i < lines.n; i++) {
		sum += lines.value[i] * lines.weight[i];
		weights += lines.weight[i];
	}
	lines_free(&lines);
	if (weights > 0)
		value_found(out, sum / weights);
	else
		value_miss(out, "nothing ended in the window");
}

void rule_line_max(const struct window *w, const struct rule *rule,
		   struct value *out)
{
	struct lines lines;
	double most = -INFINITY;

	if (!take_lines(w, rule, out, &lines))
		return;
	for (size_t i = 0; i < lines.n; i++)
		most = fmax(most, lines.value[i]);
	lines_free(&lines);
	value_found(out, most);
}

void rule_line_sum(const struct window *w, const struct rule *rule,
		   struct value *out)
{
	int col = need_reported(w, rule->column, out);
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; col >= 0 && i < w->run->load.n_rows; i++) {
		double cell = series_at(&w->run->load, i, col);

		if (!isfinite(cell))
			continue;
		sum += cell;
		n++;
	}
	if (n)
		value_found(out, sum);
	else
		value_miss(out, "the load reported nothing");
}

void rule_per_cpu(const struct window *w, const struct rule *rule,
		  struct value *out)
{
	static const struct rule rate = { NULL, rule_rate,
					  COL_LOAD_TRANSACTIONS,
					  COL_LOAD_INTERVAL, 1 };
	struct value tps = { 0 };
	struct ticks_span cpu;

	/* Both as rates: lines and ticks cut time differently. */
	rule_rate(w, &rate, &tps);
	if (!tps.is_there) {
		out->why = tps.why;
		return;
	}
	if (!ticks_delta(w, rule->column, false, out, &cpu))
		return;
	if (cpu.delta > 0)
		value_found(out, tps.number *
					 (window_time(w, cpu.to) -
					  window_time(w, cpu.from)) /
					 cpu.delta);
	else
		value_miss(out, "the server used no CPU time");
}
