/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plot as data: what gnuplot is told, and what it reads. The scripts are
 * those of plots/, which say what they want set; plots/common.gp is the look
 * of all.
 */
#ifndef OUT_PLOT_H
#define OUT_PLOT_H

#include "base/str.h"
#include "out/table.h"

struct plot {
	struct str settings; /* assignments, in gnuplot's language */
	struct str data;     /* sets of rows, parted by two blank lines */
	size_t n_sets;
	struct table notes;   /* only its notes: the lines below the plot */
	char *missing;        /* why it cannot be made; NULL: it can */
	unsigned int body_px; /* height without title, legend and notes */
};

void plot_begin(struct plot *p);
void plot_free(struct plot *p);

/* The reason why it cannot be made; the first counts. */
void plot_miss(struct plot *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Set a variable of the script. A text is quoted so that gnuplot takes it as it
 * is, whatever it holds: as printable ASCII in single quotes.
 */
void plot_text(struct plot *p, const char *variable, const char *text);
void plot_number(struct plot *p, const char *variable, double number);

/* An array that grows: NAME[1..n_NAME] in gnuplot. */
struct plot_list {
	struct str items;
	size_t n;
};

void plot_list_text(struct plot_list *list, const char *text);
void plot_list_number(struct plot_list *list, double number);
/* Set NAME[] and n_NAME; empties the list. */
void plot_list_end(struct plot *p, const char *name, struct plot_list *list);

/* Begin the next set: a comment, and the names of its columns. */
void plot_set(struct plot *p, const char *comment, const char *columns);
/* A row of numbers; NAN is "-", missing. */
void plot_row(struct plot *p, const double *cells, size_t n);

/* The style of an arm in all plots, from 1. */
unsigned int plot_style(size_t arm);

/* Room for labels of up to this many characters, in px. */
unsigned int plot_label_px(size_t longest);

/* The legend: arms whose place in is_shown (n_arms of them) is true. */
void plot_legend(struct plot *p, const struct experiment *e,
		 const bool *is_shown);

/* One plot that can be made. */
struct plot_maker {
	const char *name;
	const char *help;   /* its title */
	const char *script; /* in plots/ */
	/* Fill a plot that plot_begin() was called for, or plot_miss() it. */
	void (*make)(const struct experiment *e, struct plot *p);
};

/* timeline, tps, effect, tuner, tlb, mappings, latency */
extern const struct plot_maker plot_makers[];
extern const size_t n_plot_makers;

#endif
