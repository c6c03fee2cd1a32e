/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a configuration will be able to show: for plan and run --pilot. */
#ifndef CMD_FORESEE_H
#define CMD_FORESEE_H

#include "bench/config/config.h"
#include "out/foresight.h"

/* --cv PCT, above 0 and below 100. 0, or STATUS_USAGE (printed). */
int foresee_cv(const char *value, double *cv);

/* All but cv; what it points to is the configuration's. */
void foresee(const struct config *c, struct foresight *out);

/*
 * Print the spread of the primary metric between the runs of a pilot's folder,
 * and what the configuration will show with it. 0 or an exit status (printed).
 */
int foresee_pilot(const char *dir, const struct foresight *f);

#endif
