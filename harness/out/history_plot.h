/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of a history as one plot. */
#ifndef OUT_HISTORY_PLOT_H
#define OUT_HISTORY_PLOT_H

#include "data/history/changes.h"
#include "out/draw.h"

/* More panels than this are no plot any more. */
enum { HISTORY_PLOT_MOST = 40 };

/*
 * Draw a panel for each of n series into an existing folder, as draw_made()
 * does. n from 1 to HISTORY_PLOT_MOST. 0 or -errno (printed).
 */
int history_plot(const struct changes *list, size_t n, const char *dir,
		 enum draw_form form);

#endif
