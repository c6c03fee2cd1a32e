/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a history. */
#ifndef OUT_HISTORY_H
#define OUT_HISTORY_H

#include "data/history/changes.h"
#include "data/history/gate.h"
#include "data/history/history_pin.h"
#include "out/table.h"

/* All fill a table that is begun in them; table_free() it. */
void history_table_experiments(const struct history_experiments *x,
			       struct table *t);
void history_table_pins(const struct history_pins *p, struct table *t);
void history_table_points(const struct history_list *list, struct table *t);
/* The changes of each of n series, and its newest point. */
void history_table_changes(const struct changes *list, size_t n,
			   const struct changes_options *options,
			   struct table *t);
/* A pin and the newer experiment that is compared with it. */
void history_table_gate(const struct gate *g, const struct history_pin *pin,
			const struct history_experiment *now, struct table *t);

/* "nightly.conf (9f86d081)"; free() it. */
char *history_config_text(const char *path, const char *hash);

/* "tps, 'T n, D c', db1, nightly.conf (9f86d081)"; free() it. */
char *history_series_text(const struct history_series *s);

/* Some formats need what is around them: an array of tables as JSON. */
void history_print(const struct table *t, enum table_format format,
		   struct str *out);

#endif
