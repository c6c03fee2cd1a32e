/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was measured, in a few words from the record's facts. */
#ifndef OUT_ABOUT_H
#define OUT_ABOUT_H

#include "data/record.h"

/* All are for free(); what is not recorded is left out. */

/* "db7, Linux 6.18.44, x86_64, AMD EPYC, 2 CPUs, 24.0 GiB" */
char *about_machine(const struct experiment *e);
/* "sysbench, oltp_read_only, uniform, 4 tables of 200000 rows, ..." */
char *about_workload(const struct experiment *e);
/*
 * "10.11.19-MariaDB, buffer pool 1G, CPUs 0-1; of 'b': ...": its own, and those
 * that arms name; "no database" without one.
 */
char *about_server(const struct experiment *e);

#endif
