/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one clock of a run: CLOCK_MONOTONIC, which no clock step moves. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_ns(void);
/* CPU time of this process, in ns: what a collector costs. */
uint64_t clock_cpu_ns(void);
/* Sleep to this moment of clock_ns(); returns early on a signal. */
void clock_sleep_until(uint64_t ns);
/* The wall clock as "2026-11-30T12:34:56Z", for people only. free() it. */
char *clock_wall_text(void);

#endif
