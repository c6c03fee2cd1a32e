/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user sees while it works: on a terminal one live line on stderr,
 * else a line a phase.
 */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <stdint.h>

struct progress;

/*
 * total: runs in all; run_ns: how long one is expected to take, until some
 * were seen, or 0 where nobody knows. On a terminal that can rewrite a line
 * (TERM is set and not "dumb") the line is drawn at each phase and tick, cut to
 * the terminal's width; elsewhere each phase is a line, and ticks are silent.
 */
struct progress *progress_open(unsigned int total, uint64_t run_ns);
/* In a guest: all goes as records (guest_frame.h) to fd, and its host shows it.
 */
struct progress *progress_open_guest(int fd);
/* A run begins. done: how many are finished. */
void progress_run(struct progress *p, unsigned int done, unsigned int block,
		  unsigned int blocks, const char *arm);
void progress_phase(struct progress *p, const char *phase);
/* Figures for the live line; NAN: not known. */
void progress_tick(struct progress *p, double tps, double huge_bytes);
/* A line that stays (a result, a warning). */
void progress_say(struct progress *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Clears the live line; p may be NULL. */
void progress_close(struct progress *p);

#endif
