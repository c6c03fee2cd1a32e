/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Huge pages, TPS and tuners over the seconds of a run. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/column.h"
#include "out/plot_lines.h"
#include "out/plots.h"

enum { MOST_POINTS = 240 };

/* Points of one line: seconds and a value. */
struct points {
	double (*list)[2];
	size_t n;
};

static void add_point(struct points *points, double t_s, double value)
{
	if (!isfinite(value))
		return;
	XGROW(points->list, points->n);
	points->list[points->n][0] = t_s;
	points->list[points->n++][1] = value;
}

/* A column of samples, scaled; of is the column that it is a share of. */
static void sampled(const struct run *run, const char *column, const char *of,
		    double factor, struct points *out)
{
	const struct series *s = &run->samples;
	int col = series_column(s, column);
	int of_col = of ? series_column(s, of) : -1;

	if (col < 0 || (of && of_col < 0))
		return;
	for (size_t row = 0; row < s->n_rows; row++) {
		double value = series_at(s, row, col) * factor;

		if (of)
			value /= series_at(s, row, of_col);
		add_point(out, series_at(s, row, 0), value);
	}
}

/* How many lines of the load are one point. */
static size_t lines_a_point(const struct run *run)
{
	return (run->load.n_rows + MOST_POINTS - 1) / MOST_POINTS;
}

/* Transactions per second, over so many lines of the load each. */
static void reported(const struct run *run, size_t lines, struct points *out)
{
	const struct series *s = &run->load;
	int tx = series_column(s, COL_LOAD_TRANSACTIONS);
	int took = series_column(s, COL_LOAD_INTERVAL);

	if (tx < 0 || took < 0)
		return;
	for (size_t row = 0; row + lines <= s->n_rows; row += lines) {
		double end_s = series_at(s, row + lines - 1, 0);
		double sum = 0;
		double sum_s = 0;

		for (size_t i = row; i < row + lines; i++) {
			sum += series_at(s, i, tx);
			sum_s += series_at(s, i, took);
		}
		if (sum_s > 0)
			add_point(out, end_s - sum_s / 2, sum / sum_s);
	}
}

/* A column, what it is a share of, and the factor to the axis' unit. */
struct source {
	const char *column;
	const char *of;
	double factor;
	bool is_dashed;
};

static void add_points(struct plot_lines *l, struct plot *p, size_t arm,
		       const struct source *source, const struct points *points)
{
	struct plot_line line = {
		.arm = arm,
		.is_dashed = source->is_dashed,
		.what = source->column,
		.points = (const double(*)[2])points->list,
		.n = points->n,
	};

	plot_lines_add(l, p, &line);
}

static void add_column(struct plot_lines *l, struct plot *p,
		       const struct source *source)
{
	for (size_t arm = 0; arm < l->e->n_arms; arm++) {
		struct points points = { 0 };

		if (!l->runs[arm])
			continue;
		sampled(l->runs[arm], source->column, source->of,
			source->factor, &points);
		add_points(l, p, arm, source, &points);
		free(points.list);
	}
}

/* The largest value of a column in the runs shown. */
static double most_of(const struct plot_lines *l, const char *column)
{
	double most = 0;

	for (size_t arm = 0; arm < l->e->n_arms; arm++) {
		struct points points = { 0 };

		if (l->runs[arm])
			sampled(l->runs[arm], column, NULL, 1, &points);
		for (size_t i = 0; i < points.n; i++)
			most = fmax(most, points.list[i][1]);
		free(points.list);
	}
	return most;
}

/* A panel of memory, in GiB if it is that much. */
static void memory_panel(struct plot_lines *l, struct plot *p,
			 const char *column, const char *what)
{
	bool is_large = most_of(l, column) >= (double)NUM_GIB;
	struct source source = {
		.column = column,
		.factor = 1.0 / (double)(is_large ? NUM_GIB : NUM_MIB),
	};
	auto_free char *axis =
		xasprintf("%s, %s", what, is_large ? "GiB" : "MiB");

	plot_lines_panel(l, axis);
	add_column(l, p, &source);
}

static void tps_panel(struct plot_lines *l, struct plot *p)
{
	static const struct source tps = { .column = "TPS" };
	size_t lines = 1;

	for (size_t arm = 0; arm < l->e->n_arms; arm++)
		if (l->runs[arm] && lines_a_point(l->runs[arm]) > lines)
			lines = lines_a_point(l->runs[arm]);
	plot_lines_panel(l, "TPS, 1/s");
	for (size_t arm = 0; arm < l->e->n_arms; arm++) {
		struct points points = { 0 };

		if (!l->runs[arm])
			continue;
		reported(l->runs[arm], lines, &points);
		add_points(l, p, arm, &tps, &points);
		free(points.list);
	}
	if (lines > 1)
		table_note(&p->notes,
			   "Each point of TPS: the mean of %zu lines of the "
			   "load.",
			   lines);
}

void plots_timeline(const struct experiment *e, struct plot *p)
{
	struct plot_lines l;

	if (!plot_lines_begin(e, typical_has_memory, &l))
		plot_miss(p, "no counted run has samples of memory");
	memory_panel(&l, p, COL_HUGE, "huge pages");
	tps_panel(&l, p);
	plot_lines_end(&l, p);
}

/* Does the run have an effective quota of a scheme at some tick? */
static bool has_quota(const struct run *run)
{
	struct points points = { 0 };

	sampled(run, COL_DAMOS_QUOTA, NULL, 1, &points);
	free(points.list);
	return points.n;
}

void plots_tuner(const struct experiment *e, struct plot *p)
{
	static const struct source share = { COL_HUGE, COL_RSS, 100, false };
	static const struct source goal = { COL_DAMOS_GOAL, NULL, 1, false };
	static const struct source target = { COL_DAMOS_TARGET, NULL, 1, true };
	struct plot_lines l;

	if (!plot_lines_begin(e, has_quota, &l))
		plot_miss(p, "no counted run has samples of a DAMOS quota");
	plot_lines_panel(&l, "share of huge pages, %");
	add_column(&l, p, &share);
	plot_lines_panel(&l, "metric of the goal, bp");
	add_column(&l, p, &goal);
	add_column(&l, p, &target);
	memory_panel(&l, p, COL_DAMOS_QUOTA, "effective quota");
	table_note(&p->notes, "Dashed: the target of the goal. Share: huge "
			      "pages of resident memory of the server.");
	plot_lines_end(&l, p);
}
