/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of bench/counter/event_file.h: from sections of keys to what they
 * mean. */
#ifndef BENCH_EVENT_FILE_READ_H
#define BENCH_EVENT_FILE_READ_H

#include "bench/config/config_text.h"
#include "bench/counter/event_file.h"

void event_file_fill(const struct text *t, struct event_file *out,
		     struct faults *faults);

#endif
