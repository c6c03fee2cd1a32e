/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files in a result folder (data/store.h tells what they hold). */
#ifndef DATA_LAYOUT_H
#define DATA_LAYOUT_H

#include "data/record.h"

#define LAYOUT_MANIFEST "manifest.json"
#define LAYOUT_METRICS "metrics.tsv"
#define LAYOUT_JOURNAL "journal.tsv"
#define LAYOUT_RUNS "runs"

#define LAYOUT_EVENTS "events.tsv"
#define LAYOUT_SAMPLES "samples.tsv"
#define LAYOUT_LOAD "sysbench.tsv"
#define LAYOUT_TOTALS "totals.tsv"
#define LAYOUT_SETTINGS "settings.tsv"
#define LAYOUT_COLLECTORS "collectors.tsv"
#define LAYOUT_COUNTERS "counters.tsv"
#define LAYOUT_AT_END "smaps-end.tsv"

/*
 * The folder of one attempt at a run below the result folder:
 * "runs/003-T-n-D-h", and from the second attempt on "runs/003-T-n-D-h.2".
 * free() it.
 */
char *layout_run_dir(const struct experiment *e, const struct run *run,
		     unsigned int attempt);

#endif
