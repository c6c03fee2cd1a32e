/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/damos/damos.h among themselves. */
#ifndef BENCH_DAMOS_PARTS_H
#define BENCH_DAMOS_PARTS_H

#include "bench/damos/damos.h"
#include "bench/damos/damos_put.h"
#include "bench/damos/damos_tune.h"
#include "bench/guard/settings.h"
#include "kern/damon_module.h"
#include "kern/tracefs.h"

/* One kernel thread of ours. */
struct kdamond {
	pid_t pid;
	struct damos_tune tune;
};

struct damos {
	const struct root *root;
	const struct damos_config *config;
	pid_t target;
	struct damos_owned owned;
	struct kdamond *list;   /* owned.n of them */
	struct damon_goal goal; /* SYSTEM, PROCESS: as written */
	bool is_fed;            /* user_input */
	bool is_predicted;      /* tune says something */
	struct damos_scores scores;
	double current_bp;    /* of our own reading; NAN: none */
	struct tracefs trace; /* of damos_esz; closed: by asking */
	bool sees_applies;    /* and of damos_stat_after_apply_interval */
	bool is_refreshed;    /* the kernel keeps the stats up to date */
	uint64_t period_ns;
	uint64_t next_ns;
	uint64_t asked_ns; /* when the quota was last asked for */
	uint64_t feed_ns;  /* the longest that a feed took */
	struct damos_sample last;
	struct damon_module module; /* DAMOS_BY_MODULE */
	struct settings module_before;
};

/* --- damos_setup.c: from an arm's wishes to the kernel's files --- */

/*
 * One set-up a kdamond: the ranges found and split, the goal put in. They
 * share their other texts with the configuration: damos_setups_free(). 0 or
 * -errno, printed.
 */
int damos_setups(const struct damos *d, struct damon_setup **out);
void damos_setups_free(struct damon_setup *setups, size_t n);

/*
 * Split ranges into n shares of about the same size, cut at whole steps of
 * step bytes. shares[i] gets its ranges (regions, n_regions). False if there
 * is not that much.
 */
bool damos_split(const struct damon_range *ranges, size_t n_ranges,
		 uint64_t step, struct damon_setup *shares, size_t n);

/* --- damos_try.c: what the kernel takes --- */

/* Set up one kdamond with one of each, not running. 0 or -errno; silent. */
int damos_stage(const struct root *root);
/* Does it take this word in a file of scheme 0? 0 or -errno; silent. */
int damos_try(const struct root *root, const char *file, const char *word);

/* Why a write was refused, and what would help: "...". free() it. */
char *damos_refusal(const struct damon_write *w, int err);

/* --- damos_module.c --- */

/* Journaled, started; 0 or -errno, printed. */
int damos_module_start(struct damos *d, struct journal *journal);
int damos_module_stop(struct damos *d);
/* 0; -ESRCH, printed: it has stopped. */
int damos_module_check_alive(const struct damos *d);

/* --- damos_goal.c --- */

/* The goal's metric now, in basis points. 0 or -errno; silent. */
int damos_goal_read(const struct root *root, enum damos_goal goal, pid_t pid,
		    uint64_t *bp);

/* --- damos_feed.c --- */

/* Note the quota that the kernel computed since the last call. */
int damos_look(struct damos *d);

#endif
