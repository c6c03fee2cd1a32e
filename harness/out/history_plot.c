/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/history_plot.h"

#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/stats/stats.h"
#include "out/history.h"

/* So many kernels are named below a panel. */
enum { MOST_TICS = 16, LONGEST_TIC = 18, PANEL_PX = 250 };

struct panels {
	struct plot_list names;
	struct plot_list axes;
	struct plot_list counts;
	struct plot_list least;
	struct plot_list most;
	struct plot_list change_panel;
	struct plot_list change_at;
	struct plot_list tic_panel;
	struct plot_list tic_at;
	struct plot_list tics;
};

static bool is_outlier(const struct changes *c, size_t i)
{
	return i == c->newest.at && c->newest.verdict != VERDICT_NONE &&
	       c->newest.verdict != VERDICT_INCONCLUSIVE;
}

static void add_points(const struct changes *c, struct plot *p,
		       struct panels *panels)
{
	double least = HUGE_VAL;
	double most = -HUGE_VAL;
	double room;

	plot_set(p, "points", "place\tmean\toutlier");
	for (size_t i = 0; i < c->series->n; i++) {
		double mean = c->series->points[i].mean;
		const double cells[] = { (double)i + 1, mean,
					 is_outlier(c, i) };

		plot_row(p, cells, ARRAY_SIZE(cells));
		least = fmin(least, mean);
		most = fmax(most, mean);
	}
	room = 0.06 * (most - least);
	if (!(room > 0))
		room = fabs(most) > 0 ? 0.01 * fabs(most) : 1;
	plot_list_number(&panels->least, least - room);
	plot_list_number(&panels->most, most + room);
}

static void add_segments(const struct changes *c, size_t panel, struct plot *p,
			 struct panels *panels)
{
	const struct history_series *s = c->series;

	plot_set(p, "segments", "from\tto\tmean");
	for (size_t i = 0; i <= c->n; i++) {
		size_t from = changes_segment(c, i);
		size_t to = i < c->n ? c->list[i].at : s->n;
		auto_free double *x = xcalloc(to - from + 1, sizeof(*x));
		double cells[] = { (double)from + 0.5, (double)to + 0.5, 0 };

		for (size_t k = from; k < to; k++)
			x[k - from] = s->points[k].mean;
		cells[2] = stats_mean(x, to - from);
		plot_row(p, cells, ARRAY_SIZE(cells));
		if (i == c->n)
			break;
		plot_list_number(&panels->change_panel, (double)panel);
		plot_list_number(&panels->change_at, (double)to + 0.5);
	}
}

static void add_tics(const struct history_series *s, size_t panel,
		     struct panels *panels)
{
	size_t step = (s->n + MOST_TICS - 1) / MOST_TICS;

	for (size_t i = 0; i < s->n; i += step) {
		auto_free char *tic =
			xstrndup(s->points[i].kernel, LONGEST_TIC);

		plot_list_number(&panels->tic_panel, (double)panel);
		plot_list_number(&panels->tic_at, (double)i + 1);
		plot_list_text(&panels->tics, tic);
	}
}

static void add_panel(const struct changes *c, size_t panel, struct plot *p,
		      struct panels *panels)
{
	const struct history_series *s = c->series;
	auto_free char *name = history_series_text(s);
	auto_free char *axis = xasprintf("%s, %s", s->title, s->unit);

	plot_list_text(&panels->names, name);
	plot_list_text(&panels->axes, axis);
	plot_list_number(&panels->counts, (double)s->n);
	add_points(c, p, panels);
	add_segments(c, panel, p, panels);
	add_tics(s, panel, panels);
}

int history_plot(const struct changes *list, size_t n, const char *dir,
		 enum draw_form form)
{
	const struct draw_what what = {
		.name = "history",
		.help = "what was measured in the course of time",
		.subtitle = "points are means over the runs of an experiment",
		.script = "history.gp",
	};
	struct panels panels = { 0 };
	struct plot p;
	int ret;

	plot_begin(&p);
	for (size_t i = 0; i < n; i++)
		add_panel(&list[i], i + 1, &p, &panels);
	p.body_px = (unsigned int)(n * PANEL_PX);
	plot_list_end(&p, "name", &panels.names);
	plot_list_end(&p, "axis", &panels.axes);
	plot_list_end(&p, "count", &panels.counts);
	plot_list_end(&p, "least", &panels.least);
	plot_list_end(&p, "most", &panels.most);
	plot_list_end(&p, "change_panel", &panels.change_panel);
	plot_list_end(&p, "change_at", &panels.change_at);
	plot_list_end(&p, "tic_panel", &panels.tic_panel);
	plot_list_end(&p, "tic_at", &panels.tic_at);
	plot_list_end(&p, "tic", &panels.tics);
	table_note(&p.notes, "Bars: means of segments; dashed: changes, by "
			     "E-Divisive; in another colour: a newest point "
			     "that is off its segment.");
	ret = draw_made(&p, &what, dir, form);
	plot_free(&p);
	return ret;
}
