/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The makers of single tables, for the list of them in tables.c. */
#ifndef OUT_TABLES_H
#define OUT_TABLES_H

#include "out/table.h"

void tables_tps(const struct experiment *e, struct table *t);
void tables_latency(const struct experiment *e, struct table *t);
void tables_verdicts(const struct experiment *e, struct table *t);
void tables_power(const struct experiment *e, struct table *t);
void tables_diagnostics(const struct experiment *e, struct table *t);
void tables_settings(const struct experiment *e, struct table *t);
void tables_mappings(const struct experiment *e, struct table *t);
void tables_collapse(const struct experiment *e, struct table *t);
void tables_damos(const struct experiment *e, struct table *t);
void tables_medians(const struct experiment *e, struct table *t);
void tables_benchmarks(const struct experiment *e, struct table *t);
void tables_points(const struct experiment *e, struct table *t);
void tables_counters(const struct experiment *e, struct table *t);
void tables_walks(const struct experiment *e, struct table *t);
void tables_software(const struct experiment *e, struct table *t);
void tables_hosts(const struct experiment *e, struct table *t);
void tables_timeline(const struct experiment *e, struct table *t);

#endif
