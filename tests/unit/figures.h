/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Experiments in memory, from figures: one metric or several, by arm. */
#ifndef TESTS_UNIT_FIGURES_H
#define TESTS_UNIT_FIGURES_H

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/metric.h"
#include "data/record.h"

/* Arms "A", "B", ... in so many blocks; the first is the baseline. */
static inline void figures_make(struct experiment *e, size_t n_arms,
				unsigned int blocks)
{
	*e = (struct experiment){
		.dir = xstrdup("results/x"),
		.id = xstrdup("x"),
		.title = xstrdup("x"),
		.config_hash = xstrdup("0"),
		.primary = xstrdup("tps"),
		.blocks = blocks,
		.seed = 1,
		.n_arms = n_arms,
		.arms = xcalloc(n_arms, sizeof(*e->arms)),
		.n_runs = n_arms * blocks,
		.n_planned = n_arms * blocks,
		.runs = xcalloc(n_arms * blocks, sizeof(*e->runs)),
	};
	for (size_t arm = 0; arm < n_arms; arm++)
		e->arms[arm].label = xasprintf("%c", (int)('A' + arm));
	for (size_t i = 0; i < e->n_runs; i++)
		e->runs[i] = (struct run){
			.number = (unsigned int)i + 1,
			.block = (unsigned int)(i / n_arms) + 1,
			.attempt = 1,
			.arm = i % n_arms,
			.reason = xstrdup(""),
			.values = xcalloc(n_metrics, sizeof(struct value)),
		};
}

/* The figures of an arm, block by block; NAN: missing, "lost". */
static inline void figures_set(struct experiment *e, size_t arm,
			       const char *metric, const double *figures)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];
		struct value *v = &run->values[metric_find(metric) - metrics];
		double figure = figures[run->block - 1];

		if (run->arm != arm)
			continue;
		if (isnan(figure))
			*v = (struct value){ .why = xstrdup("lost") };
		else
			*v = (struct value){ .is_there = true,
					     .number = figure };
	}
}

#endif
