/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of bench/check/check.h: what the counters of this machine are asked.
 */
#ifndef BENCH_CHECK_COUNTERS_H
#define BENCH_CHECK_COUNTERS_H

#include <stdbool.h>

#include "bench/counter/counter_plan.h"

struct check_counters {
	bool is_made; /* plan is there */
	struct counter_plan plan;
	bool is_tried; /* each group was opened on ourselves */
	char **why;    /* of each group: why not; NULL: it counts */
};

void check_counters_free(struct check_counters *c);

#endif
