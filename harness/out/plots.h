/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The makers of single plots, for the list of them in plots.c. */
#ifndef OUT_PLOTS_H
#define OUT_PLOTS_H

#include "out/plot.h"

void plots_timeline(const struct experiment *e, struct plot *p);
void plots_tuner(const struct experiment *e, struct plot *p);
void plots_tps(const struct experiment *e, struct plot *p);
void plots_latency(const struct experiment *e, struct plot *p);
void plots_tlb(const struct experiment *e, struct plot *p);
void plots_effect(const struct experiment *e, struct plot *p);
void plots_mappings(const struct experiment *e, struct plot *p);

#endif
