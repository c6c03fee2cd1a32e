/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands below tables: how the figures came about and what to doubt. */
#ifndef OUT_NOTES_H
#define OUT_NOTES_H

#include "out/table.h"

/* "n: 5 of 5 planned runs counted in every arm." */
void note_runs(const struct experiment *e, struct table *t);
/* Length of the window and when it opened. */
void note_window(const struct experiment *e, struct table *t);
/* What "change" and its interval are. */
void note_interval(const struct experiment *e, struct table *t);
/* "TPS: higher is better." for a metric that has a direction. */
void note_direction(struct table *t, const char *metric);
/* An arm in which a metric is there in some counted runs only, and why. */
void note_partial(const struct experiment *e, struct table *t,
		  const char *metric);
/* Machine, kernel and configuration on one line. */
void note_machine(const struct experiment *e, struct table *t);
/* Which shards, on which hosts; nothing where there are none. */
void note_shards(const struct experiment *e, struct table *t);
/* Could the server switch THP off for itself? Nothing without a database. */
void note_thp_disable(const struct experiment *e, struct table *t);

/*
 * What is to be said once of all tables: marks of the experiment, marked,
 * invalid and failed runs, second attempts, runs not done.
 */
void notes_doubts(const struct experiment *e, struct table *t);

/* Arms whose change is another one on each host. */
void note_hosts_differ(const struct experiment *e, struct table *t);

/* What the figures say of schemes of DAMON's that did little. */
void notes_diagnosis(const struct experiment *e, struct table *t);

/* Is there a run that counts? */
bool notes_any_counted(const struct experiment *e);
bool notes_run_counts(const struct run *run);

#endif
