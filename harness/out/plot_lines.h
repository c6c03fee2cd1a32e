/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines over the seconds of runs, for plots/series.gp. */
#ifndef OUT_PLOT_LINES_H
#define OUT_PLOT_LINES_H

#include "out/plot.h"
#include "out/typical.h"

/* What is gathered while panels and lines are added. */
struct plot_lines {
	const struct experiment *e;
	const struct run **runs; /* n_arms: the run shown, or NULL */
	bool is_median;          /* each is its arm's median */
	struct plot_list styles;
	struct plot_list dashes;
	struct plot_list steps;
	struct plot_list axes;
	struct plot_list first;
	struct plot_list last;
	struct plot_list tops;
	double most; /* of the panel's lines */
};

/* Choose a run of each arm that has what is wanted. False if there is none. */
bool plot_lines_begin(const struct experiment *e, typical_fn *has,
		      struct plot_lines *out);
/* A panel; its lines come next. */
void plot_lines_panel(struct plot_lines *l, const char *axis);
/* One line: an arm's, solid or dashed. */
struct plot_line {
	size_t arm;
	bool is_dashed;
	const char *what;          /* for the data file */
	const double (*points)[2]; /* seconds and a value; not owned */
	size_t n;
};

/* Nothing for no points. */
void plot_lines_add(struct plot_lines *l, struct plot *p,
		    const struct plot_line *line);
/*
 * The settings of all, phases, legend and notes on runs and window. Lines are
 * cut off at the end of the last run. Frees what l holds.
 */
void plot_lines_end(struct plot_lines *l, struct plot *p);

#endif
