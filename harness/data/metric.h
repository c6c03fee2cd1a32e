/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of metrics: every figure that a run is described by. */
#ifndef DATA_METRIC_H
#define DATA_METRIC_H

#include <stddef.h>

enum metric_better {
	METRIC_NEITHER,
	METRIC_MORE,
	METRIC_LESS,
};

enum metric_kind {
	METRIC_GAUGE,   /* a level: the mean over the window */
	METRIC_COUNTER, /* a sum: end of the window minus its start */
};

struct metric {
	const char *name;  /* as in files, JSON and on the command line */
	const char *title; /* short, for table headers: "huge pages" */
	const char *unit;  /* "1/s", "ms", "bytes", "%", "s", "1" */
	enum metric_better better;
	enum metric_kind kind;
	const char *source; /* where the figure comes from */
	const char *help;   /* one line: what it means */
};

/* All metrics, in the order in which they are shown. */
extern const struct metric metrics[];
extern const size_t n_metrics;

/* By name; NULL if there is none. */
const struct metric *metric_find(const char *name);
/* "more", "less", "neither". */
const char *metric_better_text(enum metric_better better);

#endif
