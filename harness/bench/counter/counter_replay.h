/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts from a file in place of the PMU: for tests of all that is above the
 * kernel, and to see a report before the hardware is there. Runs that use it
 * are marked.
 *
 * Lines of cells parted by tabs, '#' begins a comment; the first line has the
 * names of the cells:
 *
 *   t_s group role event code value enabled_ns running_ns
 *
 * A line says what an event of a group has come to, t_s seconds after the
 * counting began, and for how long it should have counted and did. What stands
 * before t_s stays until then; before its first line an event is at 0. All
 * lines of a group at one t_s have the same times. Lines ascend in t_s.
 */
#ifndef BENCH_COUNTER_REPLAY_H
#define BENCH_COUNTER_REPLAY_H

#include <stdint.h>

#include "bench/counter/counter_plan.h"
#include "kern/perf.h"

struct counter_replay;

/*
 * Read a file. *plan gets its groups; counter_plan_free() it. 0; -errno if it
 * cannot be read, -EBADMSG for a bad line ("file:line: what is wrong; what
 * would be right"), both printed. counter_replay_free() it.
 */
int counter_replay_read(const char *path, struct counter_plan *plan,
			struct counter_replay **out);
/* The same for a text; name is what messages call it. */
int counter_replay_parse(const char *name, const char *text,
			 struct counter_plan *plan,
			 struct counter_replay **out);

/* A group of the plan, by its index, so long after the counting began. */
void counter_replay_at(const struct counter_replay *r, size_t group,
		       uint64_t since_ns, struct perf_count *out);
void counter_replay_free(struct counter_replay *r); /* NULL is fine */

#endif
