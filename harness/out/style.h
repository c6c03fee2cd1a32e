/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparisons in the forms of other tools, and what has to stand below them
 * all the same: unit, n, direction, interval, estimator. For out/compare.c.
 */
#ifndef OUT_STYLE_H
#define OUT_STYLE_H

#include "out/verdicts.h"

/* The tables in the forms of others, at most WRAP_WIDTH columns a part. */
void style_fastpath(const struct verdicts *v, struct str *out);
void style_mmtests(const struct verdicts *v, struct str *out);
void style_damon(const struct verdicts *v, struct table *t);

/* What the form itself leaves to be said of its figures. */
void style_fastpath_note(const struct verdicts *v, struct table *t);
void style_mmtests_note(const struct verdicts *v, struct table *t);
void style_damon_note(const struct verdicts *v, struct table *t);
/* How wide that table would be as text. */
size_t style_damon_width(const struct verdicts *v);

/*
 * "TPS", or "metric 3" for a title of more than so many characters, which then
 * stands in style_note_titles(). free() it.
 */
char *style_title(const struct verdicts *v, size_t metric, size_t most);

/* The first metric's changes with their intervals, and what these are. */
void style_note_intervals(const struct verdicts *v, struct table *t);

/* "TPS (1/s, higher)": the unit, and what is better. free() it. */
char *style_metric(const struct verdicts *v, size_t metric, size_t most);
void style_note_titles(const struct verdicts *v, size_t most, struct table *t);
/* And what stands in brackets behind each. */
void style_note_metrics(const struct verdicts *v, size_t most, struct table *t);
/* The change of the means in %: what these tools print, blocks or not. */
double style_mean_pct(const struct judgement *j);
/* 'T n', or what the columns called "base" are. free() it. */
char *style_base(const struct verdicts *v);

/*
 * The pairs from *from on whose table, as width() of it says, is not wider than
 * WRAP_WIDTH; one at least. *from moves on; false: there are none left.
 */
bool style_next_part(const struct verdicts *v, size_t *from,
		     size_t (*width)(const struct verdicts *v),
		     struct verdicts *part);

#endif
