/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What DAMOS schemes say of themselves, and their tuners beside the formula. */
#include "base/mem.h"
#include "out/arms.h"
#include "out/tables.h"

void tables_damos(const struct experiment *e, struct table *t)
{
	static const struct arms_column columns[] = {
		{ "damos_tried_bytes", NULL, NULL, FIGURE_GIB },
		{ "damos_applied_bytes", NULL, NULL, FIGURE_GIB },
		{ "damos_qt_exceeds", NULL, NULL, FIGURE_COUNT },
		{ "damos_quota_bytes", "quota", NULL, FIGURE_COUNT },
		{ "damos_goal_bp", "goal", NULL, FIGURE_PLAIN },
		{ "damos_goal_target_bp", "target", NULL, FIGURE_COUNT },
		{ "damos_error_pct", "off formula", NULL, FIGURE_PLAIN },
		{ "damos_cpu_s", "CPU", NULL, FIGURE_PLAIN },
	};

	arms_table_some(e, t, columns, ARRAY_SIZE(columns));
	if (!t->n_cells)
		table_note(t, "No counted run had a DAMOS scheme.");
	table_note(t, "Source: the schemes' own statistics. Tried and applied "
		      "are summed over all attempts, and no measure of huge "
		      "pages: what was huge before counts as applied, gaps "
		      "count as tried.");
	table_note(t, "Quota: what may be acted on in an interval, at the end "
		      "of the window. Off formula: the largest difference "
		      "between it and what the tuner's formula predicts.");
}
