/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result folder on disk:
 *
 *   manifest.json                 the experiment: configuration, plan, host
 *   journal.tsv                   run block arm attempt state dir start end
 *                                 reason; a line a finished run, fsynced
 *   runs/NNN-arm/                 attempt 2 is NNN-arm.2
 *     events.tsv                  t_s event detail
 *     samples.tsv                 t_s phase and a column a gauge or counter
 *     sysbench.tsv                t_s, what the load reported, second by second
 *     totals.tsv                  metric value unit source missing
 *     smaps-{load,settle,measure,end}.tsv  mapping range size rss huge
 *     settings.tsv                path before asked read_back after
 *     collectors.tsv              collector source samples cpu_s longest_ms
 *                                 missing
 *     server.log, server.cnf, sysbench.log
 *
 * "-" stands for a missing number. Streams are flushed line by line, so that
 * a run that dies leaves what it had.
 */
#ifndef DATA_STORE_H
#define DATA_STORE_H

#include <stdint.h>

#include "data/record.h"

/* --- writing --- */

/*
 * Make the folder and write its manifest from e (dir, id, title, config_*,
 * program, created, primary, baseline, blocks, seed, facts, arms, and of each
 * run number, block, arm: the plan). -EEXIST if it holds a manifest already.
 */
int store_create(const struct experiment *e);

/* The folder of one run while it is written. */
struct store_run;

/*
 * Make runs/NNN-arm (or .attempt) and open its streams. number, block, arm
 * and attempt of run are read; run->dir is set. Errors are printed.
 */
int store_run_open(const struct experiment *e, struct run *run,
		   struct store_run **out);

/* The full path of a file in the run's folder. free() it. */
char *store_run_path(const struct store_run *s, const char *file);

int store_event(struct store_run *s, double t_s, const char *name,
		const char *detail);

/*
 * The columns of samples.tsv behind "t_s" and "phase"; once, before the first
 * sample.
 */
int store_sample_columns(struct store_run *s, const char *const *names,
			 size_t n);
/* One tick; NAN is written as "-". cells has as many as there are columns. */
int store_sample(struct store_run *s, double t_s, const char *phase,
		 const double *cells);

/* The same for sysbench.tsv (or whatever the load reports each second). */
int store_load_columns(struct store_run *s, const char *const *names, size_t n);
int store_load(struct store_run *s, double t_s, const double *cells);

/* A metric measured over the window, or why it could not be. */
int store_total(struct store_run *s, const char *metric, double value,
		const char *source);
int store_total_missing(struct store_run *s, const char *metric,
			const char *why);

/* A file of the run, "name value" a row: the server's variables. */
int store_facts(struct store_run *s, const char *file,
		const struct facts *facts);

/* when: "load", "settle", "measure" or "end". */
int store_mappings(struct store_run *s, const char *when,
		   const struct mappings *m);
int store_settings(struct store_run *s, const struct setting_record *list,
		   size_t n);
int store_collectors(struct store_run *s, const struct collector_record *list,
		     size_t n);

/*
 * Close the streams (fsync) and append the run's line to journal.tsv with its
 * state and reason. Frees s. Returns the first error that any write had: a
 * full disk is seen here at the latest, and the run is then RUN_FAILED.
 */
int store_run_close(struct store_run *s, const struct experiment *e,
		    struct run *run);

/* --- reading --- */

/*
 * Read a result folder. Runs are read as far as they were written; a missing
 * file leaves its part empty. Errors are printed (the file is named).
 * experiment_free() it. values of runs are filled by summary_fill().
 */
int store_load_experiment(const char *dir, struct experiment *out);

/*
 * The attempts and the state of each planned run, from journal.tsv alone:
 * what --resume needs. Sets runs[i].attempt and .state; those not yet done
 * keep attempt 0.
 */
int store_load_journal(struct experiment *e);

#endif
