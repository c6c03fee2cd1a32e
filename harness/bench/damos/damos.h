/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A DAMOS scheme on the server of a run: what an arm asks for, and running
 * it. The files are kern/damon.h's.
 */
#ifndef BENCH_DAMOS_H
#define BENCH_DAMOS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/facts.h"
#include "base/root.h"
#include "base/str.h"
#include "kern/damon.h"
#include "kern/damon_fs.h"

struct config;
struct journal;

/* Which share of memory a goal is about, in basis points of huge pages. */
enum damos_goal {
	DAMOS_GOAL_NONE,
	/*
	 * hugepage_mem_bp: by the kernel itself where it takes the word, else
	 * user_input, fed by us once a reset interval with the same formula:
	 * 10000 * (AnonHugePages + ShmemHugePages + FileHugePages) /
	 * (MemTotal - MemFree) of /proc/meminfo.
	 */
	DAMOS_GOAL_SYSTEM,
	/* AnonHugePages / Anonymous of the server's smaps_rollup; always fed */
	DAMOS_GOAL_PROCESS,
	/* another metric of the kernel's, by its name in setup.scheme.goals */
	DAMOS_GOAL_KERNEL,
};

/* Who runs the scheme. */
enum damos_by {
	DAMOS_BY_SYSFS,  /* DAMON's sysfs tree, as the arm sets it up */
	DAMOS_BY_MODULE, /* the kernel's hugepage sample module */
};

/* damos.* of one arm, filled in by the configuration. */
struct damos_config {
	bool is_used;             /* damos = an action of DAMON's */
	struct damon_setup setup; /* pid and regions not yet */
	enum damos_by by;
	unsigned int n_kdamonds; /* the ranges are split among them */
	bool is_pool;            /* fvaddr: the buffer pool, from smaps */
	enum damos_goal goal;
	uint64_t goal_bp;   /* of SYSTEM and PROCESS */
	bool wants_regions; /* those tried, when the scheme ends */
};

/*
 * The same for DAMOS_BY_MODULE: is a module there, and nobody in its way?
 * -ENOTSUP, -EBUSY.
 */
int damos_module_probe(const struct root *root, char **why);

/*
 * Before an experiment: may its schemes be set up here, and does the kernel
 * offer what they ask for (tried and put back where root is "/" and nobody
 * uses DAMON)? 0; -EBUSY: somebody else uses it; -ENOTSUP; -EACCES: printed,
 * with the arm's line and what would help. Nothing is opened for writing
 * where DAMON is in use.
 */
int damos_check_arms(const struct root *root, const struct config *config);

/* A scheme that runs. */
struct damos;

/*
 * What this kernel's DAMON offers, found by trying each write and putting
 * it back: actions, goal metrics, tuners, optional files; operations are read
 * from the context that is set up for it. Facts
 * "action collapse" = "yes" or "no: EINVAL". Only where nr_kdamonds is 0:
 * -EBUSY otherwise, and -ENOENT without DAMON; *why says it, whose it is
 * (kdamonds' pids, their actions), and what would help (free() it). Nothing
 * is written in those cases.
 */
int damos_probe(const struct root *root, struct facts *out, char **why);

/*
 * "operations vaddr" = "yes" or "no: paddr alone", as a context that is set up
 * lists them; nothing where there is none. Its file operations tells nothing:
 * it takes each word that the kernel knows, and state = on refuses it then
 * (operations_store(), damon_select_ops()).
 */
void damos_note_operations(const struct root *root, struct facts *out);

/*
 * What an arm asks for that the kernel does not offer, by the facts of
 * damos_probe(): "no action collapse (EINVAL): Linux 7.2". NULL: it has all.
 * free() it.
 */
char *damos_lacks(const struct damos_config *c, const struct facts *offered);

/*
 * Could somebody's scheme run here at all? Nothing is written. 0; -ENOENT,
 * -EBUSY, -EACCES: *why as of damos_probe().
 */
int damos_free_to_use(const struct root *root, char **why);

/*
 * Start an arm's scheme on a process: each kdamond is journaled before the
 * first write. EBUSY is tried again with back-off. Errors are printed with
 * the file and the word that was refused. *how tells what was done: "goal
 * hugepage_mem_bp by user_input, fed each 1000 ms" (free() it).
 */
int damos_start(const struct root *root, const struct damos_config *c,
		pid_t pid, struct journal *journal, struct damos **out,
		char **how);

/* When damos_feed() is due (clock_ns()); UINT64_MAX: never. */
uint64_t damos_next_ns(const struct damos *d);

/*
 * Feed a goal of ours with its current value and note the kernel's effective
 * quota beside our prediction. 0; -ESRCH if a kdamond has stopped by itself
 * (printed, with why where it can be known).
 */
int damos_feed(struct damos *d);

/* The sums over all kdamonds, and what the tuner did at its last tick. */
struct damos_sample {
	bool has_stats; /* a sample module may have none */
	struct damon_stats stats;
	double goal_current_bp; /* NAN: no goal */
	double goal_target_bp;
	double quota_bytes;     /* effective; NAN: the kernel does not say */
	double predicted_bytes; /* by damon_tune_bp(); NAN: no goal */
	/* The largest difference of the two in any window, in % of what the
	 * kernel had. */
	double worst_error_pct; /* NAN: no window yet */
	double n_windows;       /* reset intervals seen; NAN: no goal */
	double feed_s;          /* longest from reading the goal's metric until
				 * the kernel had it; NAN: nothing is fed */
	double kdamond_cpu_s;   /* of ours alone */
};

/* 0 or -errno, silent: -ECANCELED if a kdamond has stopped. */
int damos_sample(struct damos *d, struct damos_sample *out);

/*
 * The regions that the scheme is tried on now, as a table with a header:
 * kdamond start end nr_accesses age. Takes an apply interval of the kernel's.
 * 0 or -errno, silent: -EINVAL before Linux 6.2.
 */
int damos_tried_regions(const struct damos *d, struct str *out);

/*
 * Stop, read the last stats before (*last, which may be NULL), take the
 * kdamonds away and free d, which may be NULL. 0 or -errno, printed.
 */
int damos_stop(struct damos *d, struct damos_sample *last);

#endif
