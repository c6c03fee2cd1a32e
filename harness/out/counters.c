/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of what the PMU and the kernel counted. */
#include "base/mem.h"
#include "base/str.h"
#include "data/metric.h"
#include "out/arms.h"
#include "out/counter_notes.h"
#include "out/tables.h"

/* A column, and whether it is shown though no arm has it. */
struct choice {
	struct arms_column column;
	bool is_always;
};

enum { MOST = 16 };

static bool has_any(const struct experiment *e, const char *metric)
{
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (summary_arm(e, arm, metric).n)
			return true;
	return false;
}

/* Is there a mean of several runs? */
static bool has_many(const struct experiment *e, const char *metric)
{
	for (size_t arm = 0; arm < e->n_arms; arm++)
		if (summary_arm(e, arm, metric).n > 1)
			return true;
	return false;
}

static bool is_recorded(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_runs; i++)
		if (e->runs[i].n_counters)
			return true;
	return false;
}

/* Why the first that has a reason has no figure; NULL: none has one. */
static const char *why_none(const struct experiment *e,
			    const struct choice *choices, size_t n)
{
	for (size_t run = 0; run < e->n_runs; run++) {
		for (size_t i = 0; i < n; i++) {
			const struct value *v =
				run_value(&e->runs[run],
					  choices[i].column.metric);

			if (v && v->why)
				return v->why;
		}
	}
	return NULL;
}

/* A change needs something to be compared with. */
static bool is_wanted(const struct experiment *e, const struct choice *c)
{
	if (c->column.figure == FIGURE_CHANGE && e->n_arms < 2)
		return false;
	return c->is_always || has_any(e, c->column.metric);
}

/* Returns whether there is a figure in it. */
static bool make(const struct experiment *e, struct table *t,
		 const struct choice *choices, size_t n)
{
	struct arms_column columns[MOST];
	bool any = false;
	size_t n_columns = 0;
	const char *why;

	for (size_t i = 0; i < n; i++)
		if (is_wanted(e, &choices[i]))
			columns[n_columns++] = choices[i].column;
	for (size_t i = 0; i < n_columns && !any; i++)
		any = has_any(e, columns[i].metric);
	if (!n_columns || (!any && !is_recorded(e))) {
		table_column(t, "arm", "", true);
		why = why_none(e, choices, n);
		table_note(t, "No run has counted any of it%s%s.",
			   why ? ": " : "", why ? why : "");
		return false;
	}
	arms_table(e, t, columns, n_columns);
	note_counters(e, t, columns, n_columns);
	return any;
}

#define CHANGE(metric_, title_)                                                \
	{                                                                      \
		{ .metric = (metric_),                                         \
		  .title = (title_),                                           \
		  .figure = FIGURE_CHANGE },                                   \
			false                                                  \
	}

void tables_counters(const struct experiment *e, struct table *t)
{
	static const struct choice choices[] = {
		{ { .metric = "dtlb_access", .figure = FIGURE_COUNT }, true },
		{ { .metric = "itlb_access", .figure = FIGURE_COUNT }, true },
		{ { .metric = "dtlb_walk", .figure = FIGURE_COUNT }, true },
		{ { .metric = "itlb_walk", .figure = FIGURE_COUNT }, true },
		{ { .metric = "dtlb_walk_share_pct", .figure = FIGURE_SHARE },
		  true },
		{ { .metric = "itlb_walk_share_pct", .figure = FIGURE_SHARE },
		  true },
		CHANGE("dtlb_walk_share_pct", "DTLB change"),
		CHANGE("itlb_walk_share_pct", "ITLB change"),
		{ { .metric = "dtlb_walk_mpki", .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "itlb_walk_mpki", .figure = FIGURE_DIGITS },
		  false },
		CHANGE("dtlb_walk_mpki", "DTLB MPKI change"),
		CHANGE("itlb_walk_mpki", "ITLB MPKI change"),
	};

	if (!make(e, t, choices, ARRAY_SIZE(choices)))
		return;
	table_note(t,
		   "DTLB misses, ITLB misses: walks in %% of look-ups of the "
		   "L1 TLB; MPKI: walks per 1000 instructions.%s Counts grow "
		   "with the length of the window and with TPS: compare "
		   "shares and MPKI.",
		   has_many(e, "dtlb_walk_share_pct") ||
				   has_many(e, "itlb_walk_share_pct")
			   ? " Each is the mean of the runs' own, not the "
			     "ratio of the mean counts beside it."
			   : "");
}

void tables_walks(const struct experiment *e, struct table *t)
{
	static const struct choice choices[] = {
		{ { .metric = "dtlb_walk_per_tx", .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "itlb_walk_per_tx", .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "dtlb_walk_cycles_per_tx",
		    .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "itlb_walk_cycles_per_tx",
		    .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "dtlb_walk_cycles_pct", .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "itlb_walk_cycles_pct", .figure = FIGURE_DIGITS },
		  false },
		{ { .metric = "dtlb_walk_4k", .figure = FIGURE_COUNT }, false },
		{ { .metric = "dtlb_walk_2m", .figure = FIGURE_COUNT }, false },
		{ { .metric = "dtlb_walk_1g", .figure = FIGURE_COUNT }, false },
		{ { .metric = "itlb_walk_4k", .figure = FIGURE_COUNT }, false },
		{ { .metric = "itlb_walk_2m", .figure = FIGURE_COUNT }, false },
		{ { .metric = "dtlb_stlb_hit", .figure = FIGURE_COUNT },
		  false },
		{ { .metric = "itlb_stlb_hit", .figure = FIGURE_COUNT },
		  false },
	};

	if (make(e, t, choices, ARRAY_SIZE(choices)))
		table_note(t, "tx: transactions of the load in the window.");
}

void tables_software(const struct experiment *e, struct table *t)
{
	static const struct choice choices[] = {
		{ { .metric = "page_faults", .figure = FIGURE_COUNT }, false },
		{ { .metric = "minor_faults", .figure = FIGURE_COUNT }, false },
		{ { .metric = "major_faults", .figure = FIGURE_COUNT }, false },
		{ { .metric = "context_switches", .figure = FIGURE_COUNT },
		  false },
		{ { .metric = "cpu_migrations", .figure = FIGURE_COUNT },
		  false },
		{ { .metric = "task_clock_s", .figure = FIGURE_PLAIN }, false },
	};

	make(e, t, choices, ARRAY_SIZE(choices));
}
