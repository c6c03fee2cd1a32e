/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run's part of its experiment's diagnostics. For data/stats/quality.c. */
#ifndef DATA_QUALITY_SERIES_H
#define DATA_QUALITY_SERIES_H

#include "data/stats/quality.h"

/*
 * Add the transaction rates of the run's window to samples, effective,
 * n_series, n_long, n_cold and coldest_s; nothing where it has too few.
 */
void quality_add_series(const struct run *run, struct quality *out);

#endif
