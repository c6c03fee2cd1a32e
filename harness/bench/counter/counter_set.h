/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of one run: the plan's groups, opened and read. */
#ifndef BENCH_COUNTER_SET_H
#define BENCH_COUNTER_SET_H

#include "bench/config/config.h"
#include "bench/counter/counter_plan.h"
#include "bench/counter/counter_replay.h"
#include "kern/perf.h"

struct journal;

/* One group of the plan. */
struct counter_live {
	bool is_on;        /* to be counted in this run */
	struct perf *perf; /* NULL: not open */
	char *why;         /* and why; NULL: nothing was there to count */
};

struct counter_set {
	const struct root *root;
	const struct collect_config *config; /* outlives it */
	struct counter_plan plan;
	struct counter_live *live;     /* plan.n_groups of them */
	struct counter_replay *replay; /* in place of the kernel; or NULL */
	uint64_t began_ns;             /* of the replay: clock_ns() */
	size_t turn;                   /* from 0 */
	size_t n_turns;
};

/*
 * The groups that count in a turn, from 0: the plan's in their order, as many
 * as the PMU has room for at once, and those of the kernel's own events in
 * each. Returns how many turns it takes until each group had one, at least 1.
 */
size_t counter_turn(const struct counter_plan *plan, size_t turn, bool *is_on);

/*
 * Make the plan for what a configuration wants of this machine and choose the
 * groups for a block (from 1). Nothing is opened. 0, or -errno (printed):
 * -EBADMSG for a bad event file or replay. counter_set_free() it.
 */
int counter_set_make(const struct root *root, const struct config *config,
		     unsigned int block, struct counter_set *out);
/* Only to find out whether it can be made: 0 or -errno as above. */
int counter_set_check(const struct root *root, const struct config *config);
void counter_set_free(struct counter_set *s);

/*
 * Open the groups that are on, each by itself: one that is refused leaves its
 * reason. A group that is open stays so. Of a replay the time begins.
 */
void counter_set_open(struct counter_set *s, const struct perf_target *target);
/* The same of one group, by its index in the plan. */
void counter_set_open_group(struct counter_set *s, size_t i,
			    const struct perf_target *target);
struct cgroup;
/*
 * Open them by CPU, by the scope of the configuration: what runs at all, or in
 * a cgroup (NULL: there is none). Groups of a PMU that not all CPUs have count
 * on those that do.
 */
void counter_set_open_cpus(struct counter_set *s, const struct cgroup *cg);
/*
 * The same for a process that runs: it is stopped for that moment, which
 * stands in the journal first; NULL: it is a child of ours.
 */
void counter_set_attach(struct counter_set *s, struct journal *j, pid_t pid);
/* What no group could be opened for. Takes the text. */
void counter_set_refuse(struct counter_set *s, char *why);

/* A group, by its index in the plan. False: it is not open, or not read. */
bool counter_set_read(const struct counter_set *s, size_t group,
		      struct perf_count *out);

/*
 * The column of samples.tsv for an event of a group; event == n and n + 1 are
 * the group's times (data/column.h). free() it.
 */
char *counter_column(const struct counter_group *g, size_t event);

struct store_run;
/* counters.tsv. Returns the store's error. */
int counter_set_store(const struct counter_set *s, struct store_run *store);

#endif
