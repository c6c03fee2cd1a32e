/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured in the course of time: the values of every counted run of
 * every experiment that was added, in a database (data/history/sql.h). Hosts
 * are never pooled; a series has one host, configuration, arm and metric.
 *
 * Tables, the same in SQLite and MariaDB:
 *   meta        name value                     "version": of the tables
 *   experiment  uid name title host config config_path created program
 *               primary_metric baseline margin
 *   metric      experiment name title unit better
 *   run         experiment number block attempt arm kernel state
 *   measured    experiment run metric value
 *   pin         name host config experiment pinned   (since version 2)
 * uid is 16 hex digits of what an experiment is: added twice it is the same.
 *
 * All return 0 or -errno and print what is wrong (data/history/sql.h: -EAGAIN,
 * -EACCES, -EIO).
 */
#ifndef DATA_HISTORY_H
#define DATA_HISTORY_H

#include "data/record.h"
#include "data/history/sql.h"

#define HISTORY_VERSION 2

struct history {
	struct sql db;
};

/*
 * store: as --store has it; NULL: the default (data/history/sql_url.h). Tables
 * of an older version are brought to ours; -ENOTSUP for a newer one. Where
 * there is none, one is made if may_make, else -ENOENT.
 */
int history_open(const char *store, bool may_make, struct history *out);
void history_close(struct history *h);

/* The same for tests: the tables as that version had them. */
int history_open_version(const char *store, int version, struct history *out);

/* Print the reason of the last failure; returns err. */
int history_fail(const struct history *h, int err);

/* --- adding --- */

struct history_request {
	const char *host;   /* of what says none; NULL: that is an error */
	const char *kernel; /* the same */
};

struct history_added {
	char uid[17];
	size_t n_runs;   /* counted runs of the folder */
	size_t n_new;    /* of them now added */
	size_t n_values; /* values now added */
	size_t n_differ; /* values that are there otherwise: they stay */
};

/*
 * Add the counted runs of an experiment whose values are filled in, all or
 * none. A run that is there is left as it is. A connection that is lost is made
 * again and the work done again. -EILSEQ: it has no counted run, or host or
 * kernel are not known.
 */
int history_add(struct history *h, const struct experiment *e,
		const struct history_request *request,
		struct history_added *out);

/* What an experiment is: the same for each copy of its folder. */
void history_uid(const struct experiment *e, char uid[17]);
/*
 * "db1"; of guests "db1 guest kvm", "db1 guest tcg": they are as little to be
 * compared as two machines. "" if not recorded. free() it.
 */
char *history_host(const struct experiment *e);
/* The kernel of a run; "" if not recorded. free() it. */
char *history_kernel(const struct experiment *e, const struct run *run);

#endif
