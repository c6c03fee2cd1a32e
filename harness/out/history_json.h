/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What changed, for scripts:
 *
 *   {"magnitude_pct": 1, "series": [{"host", "config", "config_path", "arm",
 *    "metric", "unit", "better", "points": 9,
 *    "changes": [{"before": {"kernel", "experiment", "id", "measured",
 *                            "mean"},
 *                 "behind": {...}, "n_before", "n_behind",
 *                 "change_pct", "low_pct", "high_pct", "p", "verdict",
 *                 "made_good"}],
 *    "newest": {the same} or {"missing": why}}]}
 *
 * before and behind are the points on both sides; mean is that of the segment.
 * Of values that are not above 0 it is "difference", "low" and "high".
 */
#ifndef OUT_HISTORY_JSON_H
#define OUT_HISTORY_JSON_H

#include "base/str.h"
#include "data/history/changes.h"

void history_json_changes(const struct changes *list, size_t n,
			  const struct changes_options *options,
			  struct str *out);

#endif
