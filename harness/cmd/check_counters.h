/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench check: the counters, as text and as JSON. */
#ifndef CMD_CHECK_COUNTERS_H
#define CMD_CHECK_COUNTERS_H

#include <jansson.h>

#include "bench/check/check_counters.h"

/* One line a group, one for each reason that roles are missing, and notes. */
void counters_print(const struct check_counters *c);

/* NULL: no plan was made. */
json_t *counters_json(const struct check_counters *c);

#endif
