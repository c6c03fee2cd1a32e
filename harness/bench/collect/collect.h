/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectors: sources of samples, all on one clock, each with its price. */
#ifndef BENCH_COLLECT_H
#define BENCH_COLLECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "bench/server/server.h"
#include "data/store.h"

struct journal;

/*
 * What is looked at. It outlives the collectors and is filled in as the run
 * goes: collectors are opened before the server starts.
 */
struct collect_target {
	const struct root *root;
	pid_t server_pid; /* 0: not (any more) running */
	pid_t load_pid;
	bool is_edge; /* this tick begins or ends a phase: leave nothing out */
	const struct cgroup *cgroup; /* NULL: none */
	bool has_scheme;             /* the arm has a scheme of DAMON's */
	struct damos *damos;         /* NULL: it does not run (yet) */
	struct journal *journal;     /* NULL: nothing may be made */
	struct server *server;       /* NULL: no database */
	const struct config *config; /* NULL: no counters are wanted */
	unsigned int block;          /* of the plan, from 1 */
};

struct collector {
	const char *name;
	const char *help;
	/*
	 * Returns the state, or NULL with *why (free() it): the collector is
	 * then recorded as missing for that reason. *source says from where
	 * (free() it).
	 */
	void *(*open)(const struct collect_target *t, char **source,
		      char **why);
	/* The names of its columns, fixed from open on; owned by the state. */
	const char *const *(*columns)(void *state, size_t *n);
	/* Fill the cells, all NAN before: what is not there stays so. */
	void (*sample)(void *state, const struct collect_target *t,
		       double *cells);
	void (*close)(void *state);
	/*
	 * A program under test is there and waits for its exec (base/proc.h).
	 * NULL: nothing to do.
	 */
	void (*held)(void *state, const struct collect_target *t, pid_t pid);
	/* What it leaves beside samples, before it closes. NULL: nothing. */
	int (*record)(void *state, struct store_run *store);
	/* Why it is missing if no tick of the run gave it any value. */
	const char *none;
};

/*
 * memory, vmstat, khugepaged, mthp, cgroup, cpu, psi, mariadb, damos, trace,
 * counters
 */
extern const struct collector *const collectors[];
extern const size_t n_collectors;

/* Is a collector among the names of collect_config.off (NULL: none)? */
bool collect_is_off(const char *off, const char *name);

/* All that a run has open. */
struct collect;

/*
 * Opens all that the configuration does not switch off. Never fails. Its CPU
 * time is recorded, and outside the budget.
 */
struct collect *collect_open(const struct collect_target *t,
			     const struct collect_config *c);
/* The same with other collectors than those of the table. */
struct collect *collect_open_list(const struct collect_target *t,
				  const struct collect_config *c,
				  const struct collector *const *list,
				  size_t n);

/* The program under test waits for its exec: collectors may want to know. */
void collect_held(struct collect *c, pid_t pid);

/* Write the header of samples.tsv: a column own_cpu_s ends it. */
int collect_begin(struct collect *c, struct store_run *store);

/*
 * One tick of all, stored as of t_s (seconds since the run's clock began).
 * What each costs is measured by the CPU clock of this process, which must
 * have one thread; so is the writing. Returns the store's error.
 */
int collect_tick(struct collect *c, struct store_run *store, double t_s,
		 const char *phase);

/*
 * When the next tick is due (clock_ns()): on the run's clock a whole number
 * of intervals. The interval is the configured one or, where the CPU time of
 * all ticks would exceed the budget, a multiple (pace.h). The moment stays
 * until a tick was taken; one that was late is not made up.
 */
uint64_t collect_next_ns(const struct collect *c);
/* The widest interval that the budget made; 0: the configured one sufficed. */
uint64_t collect_widened_ns(const struct collect *c);

/* Of the last tick, for the live display and until-stable; NAN: none. */
double collect_last(const struct collect *c, const char *column);

/*
 * Outside the window: smaps of the server, by mapping (mapping.h), stored as
 * smaps-WHEN.tsv. Its sums are compared with what the memory collector says
 * just before and after: *mismatch gets a sentence (free() it) if they differ
 * by more than 1 % and 4 MiB, else NULL. 0 without a server too; -errno if
 * smaps cannot be read (silent) or stored. Its CPU time is a row "mappings"
 * of collectors.tsv, outside the budget, which is for ticks.
 */
int collect_mappings(struct collect *c, struct store_run *store,
		     const char *when, char **mismatch);

/* collectors.tsv (unless store is NULL), then close all and free c. */
int collect_close(struct collect *c, struct store_run *store);

#endif
