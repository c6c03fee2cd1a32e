/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that `compare` prints. */
#ifndef OUT_COMPARE_H
#define OUT_COMPARE_H

#include "out/verdicts.h"

enum compare_style {
	COMPARE_THPBENCH,
	COMPARE_FASTPATH,
	COMPARE_MMTESTS,
	COMPARE_DAMON,
};

struct compare_page {
	struct verdicts verdicts;
	/* The folders: the same twice where arms of one are compared. */
	const struct experiment *base;
	const struct experiment *arm;
	bool has_rules; /* the marks of other tools beside ours */
	enum compare_style style;
};

/*
 * In the style of others there is one table with its notes, and only as
 * TABLE_TEXT, the style of DAMON's letters excepted. JSON is one object:
 *
 *   {"base": {"id", "dir", "machine", "configuration"}, "new": {...},
 *    "correction": "holm" (of the primary metric; or "dunnett"),
 *    "margin_pct": 1, "differences": {"kernel": "6.18 | 6.19"},
 *    "comparisons": [{"baseline": "T n", "arm": "T a", "metrics":
 *      {"tps": {"base", "value", "unit", "better", "n", "ratio", "low",
 *               "high", "p", "p_corrected", "rank", "verdict",
 *               "marks": {"fastpath": "(I)", ...}}}}],
 *    "marks": [...]}
 */
void compare_print(const struct compare_page *page, enum table_format format,
		   struct str *out);

/*
 * "thpbench", "fastpath", "mmtests", "damon"; -1 if it is none of them. The
 * names in the order of the enum, for messages.
 */
int compare_style_parse(const char *word);
extern const char *const compare_styles[];
extern const size_t n_compare_styles;

/*
 * As scripts have it: the exit status by the verdicts on these metrics. A
 * regression comes before what is inconclusive, and that before n/a.
 */
int compare_status(const struct verdicts *v, const struct metric *const *list,
		   size_t n);

#endif
