/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A goal tuner of the kernel followed window by window: what its formula says
 * beside what the kernel shows.
 */
#ifndef BENCH_DAMOS_TUNE_H
#define BENCH_DAMOS_TUNE_H

#include <stdbool.h>
#include <stdint.h>

struct damos_tune {
	const char *tuner;      /* as of damon_tune_bp() */
	uint64_t quota_bytes;   /* the limit by size; 0: none */
	uint64_t reset_ns;      /* a window is at least this long */
	uint64_t start_ns;      /* no window began before (clock_ns()) */
	uint64_t window_ns;     /* when the last one began; 0: none yet */
	uint64_t esz_bp;        /* by the formula, after the last window */
	uint64_t n_windows;     /* so far */
	bool has_observed;      /* the kernel said what it has */
	uint64_t observed;      /* bytes of the last window */
	uint64_t predicted;     /* of the same */
	double worst_error_pct; /* of all windows: |difference| of observed */
};

/* Two scores in turn, and when the second took the place of the first. */
struct damos_scores {
	uint64_t before_bp;
	uint64_t now_bp;
	uint64_t from_ns; /* the change began (clock_ns()) */
	uint64_t to_ns;   /* and was done: in between it may be either */
};

void damos_scores_set(struct damos_scores *s, uint64_t score_bp,
		      uint64_t from_ns, uint64_t to_ns);

/*
 * A window began at t_ns with this quota, which is another than before (the
 * tracepoint tells changes alone). The score that the kernel had is known but
 * for the time of a change: then that which comes nearer. Up to Linux 7.1 the
 * tracepoint leaves out the very first window: of the first that is told, as
 * many came before it, of those that there was time for, as comes nearest.
 */
void damos_tune_window(struct damos_tune *t, const struct damos_scores *s,
		       uint64_t t_ns, uint64_t observed);

/*
 * The kernel looked for work at t_ns, and no change of the quota came before.
 * If a window was due it began now, and by the formula left the quota as it
 * is: where it is cut to its limit, or the score is 10000.
 */
void damos_tune_quiet(struct damos_tune *t, const struct damos_scores *s,
		      uint64_t t_ns);

/*
 * The quota was asked for, and 0 to most windows (1 or more) have begun since
 * the last time, the first n_before of them perhaps before the score changed:
 * their number is that which comes nearest, one of several that are as near.
 */
void damos_tune_poll(struct damos_tune *t, const struct damos_scores *s,
		     unsigned int n_before, unsigned int most,
		     uint64_t observed);

/*
 * The score was not known exactly (a metric that the kernel itself reads): the
 * next prediction starts from what was observed.
 */
void damos_tune_follow(struct damos_tune *t);

#endif
