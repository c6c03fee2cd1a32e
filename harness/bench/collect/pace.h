/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the collectors are due, so that they stay within their budget. */
#ifndef BENCH_PACE_H
#define BENCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Ticks lie on zero + k * interval. Where a tick costs more CPU time than
 * the budget gives for one interval, every m-th place of that grid is used,
 * m = cost / (budget * interval) rounded up. Besides, no tick is due before
 * the budget has paid for all ticks so far and for itself, so that
 *
 *   CPU time of all ticks <= budget * (now - begin)
 *
 * holds at the end of every tick that costs no more than those lately did.
 */
struct pace {
	uint64_t interval_ns; /* as configured */
	double budget;        /* a share of one core; 0: no limit */
	uint64_t zero_ns;     /* of the grid */
	uint64_t begin_ns;    /* the budget flows from here */
	uint64_t spent_ns;    /* CPU time of all ticks */
	double lately_ns;     /* of one tick, moving average */
	uint64_t widest_ns;   /* the widest gap left for the budget; 0: none */
};

/* budget_pct: as collect_config has it. */
void pace_begin(struct pace *p, uint64_t interval_ns, double budget_pct,
		uint64_t now_ns);
/* A tick took so much CPU time. */
void pace_spend(struct pace *p, uint64_t cpu_ns);
/* The interval that ticks keep now: the configured one or a multiple. */
uint64_t pace_interval_ns(const struct pace *p);
/* The first moment after now that a tick may take. */
uint64_t pace_next_ns(struct pace *p, uint64_t now_ns);

#endif
