/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns and cells that tables of a history share. */
#ifndef OUT_HISTORY_CELLS_H
#define OUT_HISTORY_CELLS_H

#include "data/history/history_read.h"
#include "data/stats/stats.h"
#include "out/table.h"

/* What a series is; in CSV host, config, arm, metric, unit. */
void history_series_column(struct table *t);
void history_series_cell(struct table *t, const struct history_series *s);

/* Five digits that count; all of them in CSV. */
void history_number_cell(struct table *t, double number);

/* "2026-11-30 12:34"; all of it in CSV. */
void history_time_cell(struct table *t, const char *wall);

/* A ratio as a change in %, with its interval; a difference as it is. */
void history_change_column(struct table *t);
void history_change_cell(struct table *t, const struct stats_interval *size,
			 bool is_ratio);

#endif
