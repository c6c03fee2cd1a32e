/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the counters of a machine are asked: roles such as dtlb_walk to events
 * of its PMU, in groups that fit its counters. A pure function of the files
 * below a root and of the event files (workloads/events/, HACKING.md).
 */
#ifndef BENCH_COUNTER_PLAN_H
#define BENCH_COUNTER_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/root.h"
#include "bench/counter/counter_role.h"
#include "kern/perf_code.h"
#include "kern/pfm.h"

/* A role with several events (loads, stores) is their sum. */
struct counter_event {
	char *name; /* "skx::ITLB_MISSES:WALK_COMPLETED", "perf::PAGE-FAULTS" */
	char *role; /* "itlb_walk" */
	struct perf_code code;
};

/* Opened and read as one: members of a ratio cover the same time. */
struct counter_group {
	char *name; /* "tlb", "software" */
	struct counter_event *events;
	size_t n;
	bool is_software; /* needs no counter: fits beside every other */
};

struct counter_missing {
	char *role;
	char *why;
};

struct counter_note {
	char *role; /* NULL: of the whole PMU */
	char *text; /* a footnote */
	bool is_proxy;
};

struct counter_plan {
	char *pmu;   /* "skx"; NULL: none that we know */
	char *title; /* "Intel Skylake-SP"; NULL with pmu */
	char *cpus;  /* "0-15": it has no others; NULL: all */
	/* By weight: "tlb" first; "software" is always there and last. */
	struct counter_group *groups;
	size_t n_groups;
	struct counter_missing *missing; /* roles in no group */
	size_t n_missing;
	struct counter_note *notes;
	size_t n_notes;
	unsigned int general; /* counters that take any of the events */
	char *fixed;          /* roles that have one of their own, by blanks */
};

/* What is wanted of which machine. */
struct counter_ask {
	const struct root *root;
	const char *folder; /* more event files, before ours; NULL: none */
	const char *cpus;   /* "0-15": where the server may run; NULL: all */
	bool is_software;   /* the software group alone */
	enum pfm_level level;
};

/*
 * Make the plan. A machine without a PMU, with one that is not known or with
 * several kinds of core has its reasons in missing. counter_plan_free() it.
 * 0; -EBADMSG for a bad event file (printed, "file:line: ..."), -errno for one
 * that cannot be read (printed).
 */
int counter_plan_make(const struct counter_ask *ask, struct counter_plan *out);
void counter_plan_free(struct counter_plan *plan);

/* Why a role is in no group; NULL if it is in one, or is no role. */
const char *counter_plan_missing(const struct counter_plan *plan,
				 const char *role);

/*
 * Can these groups (is_on[i] for groups[i]) count all the time, without taking
 * turns? By the PMU's number of counters, each fixed one used once.
 */
bool counter_groups_fit(const struct counter_plan *plan, const bool *is_on);

#endif
