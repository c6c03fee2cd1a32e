/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/plot_lines.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "data/window.h"
#include "out/notes.h"

enum { PANEL_PX = 250, MARKS = 9 };

/* The phases of a run and how they are shaded. */
static const struct {
	const char *name;
	const char *colour;
} phases[] = {
	{ "start", "#ececec" },  { "load", "#f6f6f6" },
	{ "settle", "#ececec" }, { "measure", "#dfebf5" },
	{ "stop", "#ececec" },
};

bool plot_lines_begin(const struct experiment *e, typical_fn *has,
		      struct plot_lines *out)
{
	bool any = false;

	*out = (struct plot_lines){ .e = e, .is_median = true };
	out->runs = xcalloc(e->n_arms + 1, sizeof(struct run *));
	for (size_t arm = 0; arm < e->n_arms; arm++) {
		bool is_median;

		out->runs[arm] = typical_run(e, arm, has, &is_median);
		out->is_median &= is_median || !out->runs[arm];
		any = any || out->runs[arm];
	}
	return any;
}

static void end_panel(struct plot_lines *l)
{
	if (!l->axes.n)
		return;
	plot_list_number(&l->last, (double)l->styles.n);
	plot_list_number(&l->tops, l->most > 0 ? 1.06 * l->most : 1);
	l->most = 0;
}

void plot_lines_panel(struct plot_lines *l, const char *axis)
{
	end_panel(l);
	plot_list_text(&l->axes, axis);
	plot_list_number(&l->first, (double)l->styles.n + 1);
}

void plot_lines_add(struct plot_lines *l, struct plot *p,
		    const struct plot_line *line)
{
	auto_free char *comment =
		xasprintf("%s, run %u: %s", l->e->arms[line->arm].label,
			  l->runs[line->arm]->number, line->what);
	/* The marks of a line lie apart, and targets have none. */
	size_t step = line->is_dashed ? 2 * line->n : line->n / MARKS + 1;

	if (!line->n)
		return;
	plot_set(p, comment, "t_s\tvalue");
	for (size_t i = 0; i < line->n; i++) {
		plot_row(p, line->points[i], 2);
		l->most = fmax(l->most, line->points[i][1]);
	}
	plot_list_number(&l->styles, plot_style(line->arm));
	plot_list_number(&l->dashes, line->is_dashed ? 2 : 1);
	plot_list_number(&l->steps, (double)step);
}

static double run_end_s(const struct run *run)
{
	const struct series *both[] = { &run->samples, &run->load };
	double end_s = 0;

	for (size_t i = 0; i < ARRAY_SIZE(both); i++)
		if (both[i]->n_rows)
			end_s = fmax(end_s, series_at(both[i],
						      both[i]->n_rows - 1, 0));
	return end_s;
}

/* When a phase ended: the next event of a phase, or the end of the run. */
static double phase_end_s(const struct run *run, double start_s)
{
	double end_s = run_end_s(run);

	for (size_t i = 0; i < run->n_events; i++)
		if (str_eq(run->events[i].name, "phase") &&
		    run->events[i].t_s > start_s)
			end_s = fmin(end_s, run->events[i].t_s);
	return end_s;
}

/* The time in which all runs are in a phase; false if there is none. */
static bool common_band(const struct plot_lines *l, const char *phase,
			double *from_s, double *to_s)
{
	*from_s = 0;
	*to_s = HUGE_VAL;
	for (size_t arm = 0; arm < l->e->n_arms; arm++) {
		const struct run *run = l->runs[arm];
		double start_s;

		if (!run)
			continue;
		start_s = window_phase_start_s(run, phase);
		if (!isfinite(start_s))
			return false;
		*from_s = fmax(*from_s, start_s);
		*to_s = fmin(*to_s, phase_end_s(run, start_s));
	}
	return *to_s > *from_s + 0.05;
}

static void add_phases(const struct plot_lines *l, struct plot *p)
{
	struct plot_list names = { 0 };
	struct plot_list from = { 0 };
	struct plot_list to = { 0 };
	struct plot_list colours = { 0 };
	struct str list = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(phases); i++) {
		double from_s;
		double to_s;

		if (!common_band(l, phases[i].name, &from_s, &to_s))
			continue;
		plot_list_text(&names, phases[i].name);
		plot_list_text(&colours, phases[i].colour);
		plot_list_number(&from, from_s);
		plot_list_number(&to, to_s);
		str_addf(&list, "%s%s %.1f to %.1f", list.len ? ", " : "",
			 phases[i].name, from_s, to_s);
	}
	if (list.len)
		table_note(&p->notes,
			   "Shaded: where all runs shown are in the same phase "
			   "(seconds: %s).",
			   list.text);
	plot_list_end(p, "phase", &names);
	plot_list_end(p, "phase_from", &from);
	plot_list_end(p, "phase_to", &to);
	plot_list_end(p, "phase_grey", &colours);
	str_free(&list);
}

static void add_notes(const struct plot_lines *l, struct plot *p)
{
	if (l->is_median)
		table_note(&p->notes,
			   "One run an arm: the one whose %s is the arm's "
			   "median.",
			   l->e->primary ? l->e->primary : "primary metric");
	else
		table_note(&p->notes, "One run an arm: the first counted; with "
				      "3 or more it is the median.");
	note_runs(l->e, &p->notes);
	note_machine(l->e, &p->notes);
}

void plot_lines_end(struct plot_lines *l, struct plot *p)
{
	auto_free bool *is_shown = xcalloc(l->e->n_arms + 1, sizeof(bool));
	double end_s = 0;

	end_panel(l);
	for (size_t arm = 0; arm < l->e->n_arms; arm++) {
		is_shown[arm] = l->runs[arm];
		if (l->runs[arm])
			end_s = fmax(end_s, run_end_s(l->runs[arm]));
	}
	p->body_px = (unsigned int)(PANEL_PX * l->axes.n);
	plot_number(p, "end_s", end_s);
	plot_list_end(p, "line_style", &l->styles);
	plot_list_end(p, "line_dash", &l->dashes);
	plot_list_end(p, "line_step", &l->steps);
	plot_list_end(p, "axis", &l->axes);
	plot_list_end(p, "first_line", &l->first);
	plot_list_end(p, "last_line", &l->last);
	plot_list_end(p, "top", &l->tops);
	plot_legend(p, l->e, is_shown);
	add_phases(l, p);
	add_notes(l, p);
	free(l->runs);
}
