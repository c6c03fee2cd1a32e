/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands below tables of counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/metric.h"
#include "out/tables.h"

#include "figures.h"

/* Cells of counters.tsv: kind, group, role, event, code, column, text. */
static void add(struct run *run, const char *const cells[7])
{
	XGROW(run->counters, run->n_counters);
	run->counters[run->n_counters++] = (struct counter_record){
		.kind = xstrdup(cells[0]),
		.group = xstrdup(cells[1]),
		.role = xstrdup(cells[2]),
		.event = xstrdup(cells[3]),
		.code = xstrdup(cells[4]),
		.column = xstrdup(cells[5]),
		.text = xstrdup(cells[6]),
	};
}

static const char *const records[][7] = {
	{ "fact", "", COUNTER_SCOPE, "", "", "", "server" },
	{ "fact", "", COUNTER_LEVEL, "", "", "", "user" },
	{ "event", "pages", "dtlb_walk_2m", "x::D2", "4:0x1", "ctr_d2", "" },
	{ "event", "pages", "itlb_walk_2m", "x::I2", "4:0x2", "ctr_i2", "" },
	{ "event", "software", "page_faults", "perf::PAGE-FAULTS", "1:0x2",
	  "ctr_pf", "" },
	{ "note", "", "dtlb_walk_2m", "", "", "", "of 2 MiB and 4 MiB" },
	{ "note", "", "itlb_walk_2m", "", "", "", "of 2 MiB and 4 MiB" },
};

/* One arm, a run on each of two machines. */
static void make_experiment(struct experiment *e, bool is_replayed)
{
	static const char *const pmus[] = { "Skylake (skx)", "Zen 4 (zen4)" };
	static const double figures[] = { 5, 6 };

	figures_make(e, 1, 2);
	figures_set(e, 0, "dtlb_walk_2m", figures);
	figures_set(e, 0, "itlb_walk_2m", figures);
	figures_set(e, 0, "page_faults", figures);
	figures_set(e, 0, "dtlb_walk_share_pct", figures);
	for (size_t i = 0; i < e->n_runs; i++) {
		const char *const pmu[] = { "fact", "", COUNTER_PMU, "",
					    "",     "", pmus[i] };
		const char *const replay[] = { "fact", "", COUNTER_REPLAY, "",
					       "",     "", "counts.tsv" };

		for (size_t k = 0; k < ARRAY_SIZE(records); k++)
			add(&e->runs[i], records[k]);
		add(&e->runs[i], pmu);
		if (is_replayed)
			add(&e->runs[i], replay);
	}
}

struct row {
	const char *table;
	bool is_replayed;
	const char *notes[3];
	const char *absent;
};

static bool has_note(const struct table *t, const char *note)
{
	for (size_t i = 0; i < t->n_notes; i++)
		if (str_eq(t->notes[i], note))
			return true;
	return false;
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct experiment e;
	struct table t;

	make_experiment(&e, row->is_replayed);
	table_begin(&t, row->table, "");
	for (size_t i = 0; i < n_table_makers; i++)
		if (str_eq(table_makers[i].name, row->table))
			table_makers[i].make(&e, &t);
	for (size_t i = 0; i < ARRAY_SIZE(row->notes) && row->notes[i]; i++)
		if (!has_note(&t, row->notes[i]))
			fail_msg("not there: %s", row->notes[i]);
	for (size_t i = 0; i < t.n_notes; i++)
		if (strstr(t.notes[i], row->absent))
			fail_msg("there: %s", t.notes[i]);
	table_free(&t);
	experiment_free(&e);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("one remark on two roles", "walks", false,
		    { "dtlb_walk_2m: of 2 MiB and 4 MiB.",
		      "itlb_walk_2m: of 2 MiB and 4 MiB." },
		    "replayed"),
		ROW("machines of two kinds", "walks", false,
		    { "Source: perf_event_open, Skylake (skx) and Zen 4 "
		      "(zen4); of the server, user." },
		    "user+kernel"),
		ROW("a share is a mean too", "counters", false,
		    { "DTLB misses, ITLB misses: walks in % of look-ups of "
		      "the L1 TLB; MPKI: walks per 1000 instructions. Each is "
		      "the mean of the runs' own, not the ratio of the mean "
		      "counts beside it. Counts grow with the length of the "
		      "window and with TPS: compare shares and MPKI." },
		    "replayed"),
		/* level is of the PMU alone. */
		ROW("the kernel's own events", "software", false,
		    { "Source: perf_event_open, events of the kernel; of the "
		      "server, user+kernel." },
		    "skx"),
		ROW("what was not measured", "walks", true,
		    { "Source: replayed from counts.tsv, not measured." },
		    "perf_event_open"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
