/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benchmarks in a configuration: their points, and what names one. */
#ifndef BENCH_CONFIG_POINTS_H
#define BENCH_CONFIG_POINTS_H

#include <stdbool.h>

#include "bench/config/config.h"
#include "bench/config/config_fault.h"
#include "bench/config/config_text.h"

/*
 * Make the points of what was read, and say what is wrong with them. Keys
 * that they give another meaning are filled in: counters are those of the
 * system, as no process lasts.
 */
void config_points(const struct text *text, struct config *c,
		   struct faults *faults);

/* A metric of the table or of a point; NULL: none. */
const struct metric *config_metric(const struct config *c, const char *name);

/* False where there are points that could not be made for other faults. */
bool config_knows_metrics(const struct config *c);

/*
 * The primary metric: a point's where there are points, the first where none
 * is named.
 */
void config_primary(const struct text *text, struct config *c,
		    struct faults *faults);

#endif
