/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An experiment as JSON, for scripts:
 *
 *   {"experiment": {"id", "title", ...}, "baseline": "T n",
 *    "arms": [{"label", "settings": {...},
 *              "runs": [{"number", "block", "attempt", "state", "reason",
 *                        "metrics": {"tps": 18432.17, "half_s":
 *                                    {"missing": "why"}}}],
 *              "metrics": {"tps": {"value", "unit", "better", "n", "ratio",
 *                                  "low", "high"},
 *                          "half_s": {"missing": "why"}}}],
 *    "marks": ["Run 4 (T n) is marked, ..."], "tables": [...]}
 *
 * What is not there has "missing" with the reason and no "value". ratio, low
 * and high are left out of the baseline and where there are too few blocks.
 */
#ifndef OUT_JSON_H
#define OUT_JSON_H

#include "out/table.h"

/* Add the object and a newline; "tables" only if n > 0. */
void json_experiment(const struct experiment *e, const size_t *tables, size_t n,
		     struct str *out);

#endif
