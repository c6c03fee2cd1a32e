/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs as an event file names them: cpuid and midr of [pmu]. */
#ifndef BENCH_EVENT_MATCH_H
#define BENCH_EVENT_MATCH_H

#include "bench/counter/event_file.h"

/*
 * "GenuineIntel/6/85/0-4" (vendor, family, models, steppings: numbers and
 * ranges by commas; without steppings: all) as cpuid, "0x48/0xd01"
 * (implementer, parts) or "any" as midr. 0 or -EINVAL. event_match_free() it.
 */
int event_match_parse(const char *text, bool is_arm, struct event_match *out);
void event_match_free(struct event_match *m);

bool event_match_is(const struct event_match *m, const struct cpu_id *id);

#endif
