/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When has the amount of huge pages stopped changing? */
#ifndef BENCH_SETTLE_H
#define BENCH_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Stable: over the last SETTLE_WINDOW_S seconds, in at least
 * SETTLE_LEAST_TICKS ticks, the amount moved by less than 2 MiB or 0.5 % of
 * its level, whichever is more. (fio's steady state, by deviation: one huge
 * page or a two-hundredth is what a table of GiB with two decimals shows.)
 * khugepaged by default sleeps 10 s between scans, hence the window.
 */
enum {
	SETTLE_WINDOW_S = 12,
	SETTLE_LEAST_TICKS = 4,
	SETTLE_MOST_TICKS = 256,
};

struct settle {
	uint64_t at_ns[SETTLE_MOST_TICKS]; /* a ring of the last ticks */
	double bytes[SETTLE_MOST_TICKS];
	unsigned int n; /* ticks so far */
};

/* Take a tick; NAN is taken as "not known" and never leads to stable. */
void settle_add(struct settle *s, uint64_t now_ns, double huge_bytes);
bool settle_is_stable(const struct settle *s);

#endif
