/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Total and huge memory of one run of each arm, as it went. */
#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "data/column.h"
#include "out/csv.h"
#include "out/figure.h"
#include "out/notes.h"
#include "out/tables.h"
#include "out/typical.h"

/* The phase of a run at a moment, "" before the first. */
static const char *phase_at(const struct run *run, double t_s)
{
	const char *phase = "";

	for (size_t i = 0; i < run->n_events; i++)
		if (str_eq(run->events[i].name, "phase") &&
		    run->events[i].t_s <= t_s)
			phase = run->events[i].detail;
	return phase;
}

/* "T n (run 3, the median)"; in CSV "T n,3". */
static void add_group(const struct experiment *e, const struct run *run,
		      bool is_median, struct table *t)
{
	const char *label = e->arms[run->arm].label;
	auto_free char *text =
		xasprintf("%s (run %u, %s)", label, run->number,
			  is_median ? "the median" : "the first counted");
	auto_str struct str csv = { 0 };

	csv_field(&csv, label);
	str_addf(&csv, ",%u", run->number);
	table_cell_csv(t, text, csv.text);
}

static void add_row(const struct run *run, size_t row, struct table *t)
{
	const struct series *s = &run->samples;
	double t_s = series_at(s, row, 0);
	double rss = series_at(s, row, series_column(s, COL_RSS));
	double huge = series_at(s, row, series_column(s, COL_HUGE));
	auto_free char *total_text = figure_text(FIGURE_MIB, rss);
	auto_free char *huge_text = figure_text(FIGURE_MIB, huge);

	table_cell(t, "%s", phase_at(run, t_s));
	table_cell(t, "%.1f", t_s);
	table_cell(t, "%s", total_text);
	table_cell(t, "%s", huge_text);
	if (rss > 0)
		table_cell(t, "%.2f", 100 * huge / rss);
	else
		table_missing(t, "nothing is resident at this tick");
}

/*
 * The first tick with figures, every tick at which huge has changed, and the
 * last: ticks without figures come before the server is there.
 */
static void add_run(const struct experiment *e, const struct run *run,
		    bool is_median, struct table *t)
{
	const struct series *s = &run->samples;
	int col = series_column(s, COL_HUGE);
	double shown = (double)NAN;
	size_t last = 0;

	for (size_t row = 0; row < s->n_rows; row++)
		if (typical_is_read(s, row))
			last = row;
	for (size_t row = 0; row <= last; row++) {
		double huge = series_at(s, row, col);

		if (!typical_is_read(s, row) ||
		    (row < last && fabs(huge - shown) < 0.5))
			continue;
		add_group(e, run, is_median, t);
		add_row(run, row, t);
		shown = huge;
	}
}

void tables_timeline(const struct experiment *e, struct table *t)
{
	table_column(t, "arm", "", true)->csv = xstrdup("arm,run");
	table_column(t, "phase", "", true);
	table_column(t, "seconds", "s", false);
	table_column(t, "total", "MiB", false);
	table_column(t, "huge", "MiB", false);
	table_column(t, "share", "%", false);
	t->is_grouped = true;
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		bool is_median;
		const struct run *run =
			typical_run(e, arm, typical_has_memory, &is_median);

		if (run)
			add_run(e, run, is_median, t);
		else
			table_note(t,
				   "'%s': no counted run has samples of "
				   "memory.",
				   e->arms[arm].label);
	}
	table_note(t, "Rows: the first tick with a server, each at which huge "
		      "has changed, and the last; seconds since the start of "
		      "the run.");
	table_note(t,
		   "One run an arm: with 3 or more, the one whose %s is "
		   "the median of the arm.",
		   e->primary ? e->primary : "primary metric");
	table_note(t, "Source: samples, tick by tick; total is RSS, huge what "
		      "is mapped by whole PMDs.");
	note_thp_disable(e, t);
}
