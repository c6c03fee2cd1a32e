/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the arm's DAMOS scheme says of itself, and its tuner beside our
 * prediction. Bytes tried and applied are no measure of huge pages.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "bench/collect/collectors.h"
#include "data/column.h"

enum {
	NR_TRIED,
	TRIED,
	NR_APPLIED,
	APPLIED,
	EXCEEDS,
	SNAPSHOTS,
	QUOTA,
	PREDICTED,
	ERROR,
	WINDOWS,
	FEED,
	GOAL,
	TARGET,
	CPU,
	N_COLUMNS
};

static const char *const columns[N_COLUMNS] = {
	[NR_TRIED] = COL_DAMOS_NR_TRIED,
	[TRIED] = COL_DAMOS_TRIED,
	[NR_APPLIED] = COL_DAMOS_NR_APPLIED,
	[APPLIED] = COL_DAMOS_APPLIED,
	[EXCEEDS] = COL_DAMOS_EXCEEDS,
	[SNAPSHOTS] = COL_DAMOS_SNAPSHOTS,
	[QUOTA] = COL_DAMOS_QUOTA,
	[PREDICTED] = COL_DAMOS_PREDICTED,
	[ERROR] = COL_DAMOS_ERROR,
	[WINDOWS] = COL_DAMOS_WINDOWS,
	[FEED] = COL_DAMOS_FEED,
	[GOAL] = COL_DAMOS_GOAL,
	[TARGET] = COL_DAMOS_TARGET,
	[CPU] = COL_DAMOS_CPU,
};

static void *damos_open(const struct collect_target *t, char **source,
			char **why)
{
	if (!t->has_scheme) {
		*why = xstrdup("no DAMOS scheme in this arm");
		return NULL;
	}
	*source = xstrdup("/" DAMON_ROOT);
	return xcalloc(1, 1); /* it has none of its own */
}

static const char *const *damos_columns(void *state, size_t *n)
{
	(void)state;
	*n = N_COLUMNS;
	return columns;
}

static void fill_stats(const struct damon_stats *s, double *cells)
{
	cells[NR_TRIED] = (double)s->nr_tried;
	cells[TRIED] = (double)s->sz_tried_bytes;
	cells[NR_APPLIED] = (double)s->nr_applied;
	cells[APPLIED] = (double)s->sz_applied_bytes;
	cells[EXCEEDS] = (double)s->qt_exceeds;
	if (s->has_snapshots)
		cells[SNAPSHOTS] = (double)s->nr_snapshots;
}

static void damos_fill(void *state, const struct collect_target *t,
		       double *cells)
{
	struct damos_sample s;

	(void)state;
	if (!t->damos || damos_sample(t->damos, &s))
		return;
	if (s.has_stats)
		fill_stats(&s.stats, cells);
	cells[QUOTA] = s.quota_bytes;
	cells[PREDICTED] = s.predicted_bytes;
	cells[ERROR] = s.worst_error_pct;
	cells[WINDOWS] = s.n_windows;
	cells[FEED] = s.feed_s;
	cells[GOAL] = s.goal_current_bp;
	cells[TARGET] = s.goal_target_bp;
	cells[CPU] = s.kdamond_cpu_s;
}

static void damos_close(void *state)
{
	free(state);
}

const struct collector collector_damos = {
	.name = "damos",
	.help = "what the arm's DAMOS scheme says of itself",
	.open = damos_open,
	.columns = damos_columns,
	.sample = damos_fill,
	.close = damos_close,
	.none = "the scheme did not run at any tick",
};
