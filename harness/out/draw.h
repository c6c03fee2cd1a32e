/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots as files: gnuplot draws them. */
#ifndef OUT_DRAW_H
#define OUT_DRAW_H

#include "out/plot.h"

enum draw_form {
	DRAW_SVG,
	DRAW_PNG,
};

/* "svg", "png". -1 if it is neither. */
int draw_form_parse(const char *word);
extern const char *const draw_forms[];
extern const size_t n_draw_forms;

/*
 * Draw one plot into an existing folder: NAME.tsv (its data), NAME.gp (draws it
 * again: gnuplot NAME.gp there) and NAME.svg or NAME.png. Returns 1, or 0 if
 * its data are missing: *why is then the reason, free() it; or -errno
 * (printed), -ENOENT if there is no gnuplot.
 */
int draw_plot(const struct experiment *e, const struct plot_maker *maker,
	      const char *dir, enum draw_form form, char **why);

/* What a plot is, that is not one of a result folder. */
struct draw_what {
	const char *name; /* of its files */
	const char *help; /* its title */
	const char *subtitle;
	const char *script; /* in plots/ */
};

/* The same of a plot that is filled. 0 or -errno (printed). */
int draw_made(struct plot *p, const struct draw_what *what, const char *dir,
	      enum draw_form form);

#endif
