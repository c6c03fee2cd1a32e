/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of bench/counter/event_file.h: what must hold of a file as a whole. */
#ifndef BENCH_EVENT_FILE_CHECK_H
#define BENCH_EVENT_FILE_CHECK_H

#include "bench/config/config_fault.h"
#include "bench/counter/event_file.h"

/* last: the number of lines, for what is missing as a whole. */
void event_file_check(const struct event_file *f, unsigned int last,
		      struct faults *faults);

/* Is it a role of the CPU's counters? Else a fault with the nearest one. */
bool event_role_is(const char *name, unsigned int line, struct faults *faults);

#endif
