/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/counter/counter_plan.h among themselves. */
#ifndef BENCH_COUNTER_PARTS_H
#define BENCH_COUNTER_PARTS_H

#include "bench/counter/counter_plan.h"
#include "bench/counter/event_files.h"
#include "kern/cpu_pmu.h"

/* A plan being made for a PMU that is known. */
struct counter_job {
	const struct counter_ask *ask;
	const struct cpu_pmu *sysfs;
	bool is_hybrid; /* raw events go to the PMU's own type */
	const struct event_file *file;
	const struct event_pmu *pmu;
	const char *tables; /* of libpfm4, or EVENT_RAW */
	struct counter_plan *out;
};

/* Take the text. */
void counter_add_missing(struct counter_plan *plan, const char *role,
			 char *why);
void counter_add_note(struct counter_plan *plan, const char *role, char *text,
		      bool is_proxy);

/*
 * The events of a role, to be freed with counter_events_free(); NULL with
 * *why (free() it) where it cannot be counted here.
 */
struct counter_event *counter_encode(const struct counter_job *job,
				     const struct event_role *role, char **why);
void counter_events_free(struct counter_event *events, size_t n);

/*
 * Which of the PMU's tables libpfm4 has; EVENT_RAW if it has none: it is older
 * than the CPU, or of another architecture than a recorded machine.
 */
const char *counter_tables(const struct event_pmu *pmu);

/* The groups of the file that fit, and why roles are in none. */
void counter_add_groups(const struct counter_job *job);

#endif
