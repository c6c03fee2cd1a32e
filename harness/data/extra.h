/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics that the table of data/metric.h has not: benchmarks that were run
 * (bench/load/points.h) or imported. metrics.tsv of their result folder names
 * them: metric title unit better source help; the values stand in totals.tsv of
 * the runs, as others do. Who looks a metric up for an experiment does it here.
 */
#ifndef DATA_EXTRA_H
#define DATA_EXTRA_H

#include "data/metric.h"
#include "data/record.h"

/* Why an imported run has no value, where its file does not mention it. */
#define EXTRA_UNSAID "the imported file does not say it"

/* Of the table, or of the folder; NULL if neither has it. */
const struct metric *extra_find(const struct experiment *e, const char *name);

/* All of them, those of the table first: 0 <= i < extra_count(). */
size_t extra_count(const struct experiment *e);
const struct metric *extra_at(const struct experiment *e, size_t i);

/*
 * Add one to e; all texts are copied. Nothing if there is one of that name.
 */
void extra_add(struct experiment *e, const struct metric *m);

/* metrics.tsv as text; free() it. */
char *extra_text(const struct experiment *e);
/*
 * Read metrics.tsv of e->dir into e->extra; none if there is no such file.
 * 0 or -errno (printed).
 */
int extra_read(struct experiment *e);
void extra_free(struct experiment *e);

/*
 * The mark that an imported table has beside an arm's change: "(I)" "(R)" of
 * Fastpath. Its makers knew runs that the table does not show. "" for none.
 */
void extra_set_mark(struct experiment *e, const char *arm, const char *metric,
		    const char *mark);
const char *extra_mark(const struct experiment *e, const char *arm,
		       const char *metric);

/*
 * Were its runs imported? They then have no blocks: run k of one arm has
 * nothing to do with run k of another, and nothing may be paired.
 */
bool extra_is_imported(const struct experiment *e);

#endif
