/* SPDX-License-Identifier: GPL-3.0-or-later */
/* journal.tsv of a result folder: a line a finished attempt at a run. */
#ifndef DATA_RUNLOG_H
#define DATA_RUNLOG_H

#include "data/record.h"

/*
 * Append the line of a run (number, block, arm, attempt, state, dir, reason)
 * that began at this wall clock time and ends now; fsynced. A half-written
 * last line is closed first. 0 or -errno (printed). It is read back by
 * store_load_journal().
 */
int runlog_append(const struct experiment *e, const struct run *run,
		  const char *began);

#endif
