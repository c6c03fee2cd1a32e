/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result folder on disk:
 *
 *   manifest.json                 the experiment: configuration, plan, host
 *                                 (data/manifest.h)
 *   metrics.tsv                   metrics that data/metric.h has not: of what
 *                                 was imported, and of benchmarks
 *                                 (data/extra.h)
 *   journal.tsv                   run block arm attempt state dir start end
 *                                 reason; a line a finished attempt, fsynced
 *   runs/NNN-arm/                 attempt 2 is NNN-arm.2
 *     events.tsv                  t_s event detail
 *     samples.tsv                 t_s phase and a column a gauge or counter
 *     sysbench.tsv                t_s, what the load reported, second by second
 *                                 (columns of both: data/column.h)
 *     totals.tsv                  metric value unit source missing
 *     smaps-{load,settle,measure,end}.tsv
 *                                 mapping range size_bytes rss_bytes huge_bytes
 *     settings.tsv                path before asked read_back after
 *     collectors.tsv              collector source samples cpu_s longest_ms
 *                                 missing
 *     counters.tsv                kind group role event code column text
 *     tried-regions.tsv           kdamond start end nr_accesses age
 *     maps.txt                    /proc/PID/maps as a DAMOS scheme began
 *     server.log, server.cnf, sysbench.log, points.log
 *
 * Form of the .tsv files: a header line, then rows; cells are parted by tabs;
 * tab, newline, backslash and a leading '#' in a cell are \t \n \\ \#. A
 * column is found by its name: others may be added behind. Times are seconds
 * of the run's monotonic clock with six decimals. Whole numbers have all
 * digits, others nine, with a point in every locale; "-" is a missing number.
 * Lines that begin with '#' are comments.
 *
 * Streams (events, samples, sysbench, totals) are written line by line with
 * one write(2) each, so that a run that dies leaves what it had; a last line
 * without its newline is not read. The other files are published whole.
 *
 * Events that are read again: "phase" with the name of the phase that begins.
 * The window is from "measure" to the phase behind it.
 *
 * States in journal.tsv: ok, marked, invalid, failed (data/record.h). The
 * last attempt stands for its run. One that has a folder and no line in the
 * journal was cut off: it is read as failed, "not finished".
 */
#ifndef DATA_STORE_H
#define DATA_STORE_H

#include <stdint.h>

#include "data/record.h"

/* --- writing --- */

/*
 * Make the folder and write its manifest from e (dir, id, title, config_*,
 * program, created, primary, baseline, blocks, seed, facts, arms, and of each
 * run number, block, arm: the plan). -EEXIST if it holds a manifest already
 * (silent: the caller knows what would help); other errors are printed.
 */
int store_create(const struct experiment *e);

/* The folder of one run while it is written. */
struct store_run;

/*
 * Make runs/NNN-arm (or .attempt) and open its streams. number, block, arm
 * and attempt of run are read; run->dir is set. e must outlive it. Where that
 * attempt has a folder already (it was cut off), run->attempt is raised to the
 * next that has none. Errors are printed.
 */
int store_run_open(const struct experiment *e, struct run *run,
		   struct store_run **out);

/*
 * What follows returns 0 or -errno and is silent: the first error is kept,
 * and store_run_close() prints it. A stream that failed takes no more lines.
 */

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

/*
 * A metric measured otherwise than by the summary of samples, which it takes
 * precedence over; or why it could not be had. The last line of a metric
 * counts.
 */
int store_total(struct store_run *s, const char *metric, double value,
		const char *source);
int store_total_missing(struct store_run *s, const char *metric,
			const char *why);

/* A file of the run, "name value" a row: the server's variables. */
int store_facts(struct store_run *s, const char *file,
		const struct facts *facts);

/*
 * when: "load", "settle", "measure" or "end". A mapping without a name is
 * written as "[anon]".
 */
int store_mappings(struct store_run *s, const char *when,
		   const struct mappings *m);
int store_settings(struct store_run *s, const struct setting_record *list,
		   size_t n);
int store_collectors(struct store_run *s, const struct collector_record *list,
		     size_t n);

int store_counters(struct store_run *s, const struct counter_record *list,
		   size_t n);

/*
 * Close the streams (fsync, unless e is_published_whole) and append the run's
 * line to journal.tsv with its state and reason. Frees s. Returns the first
 * error that any write had (printed): a full disk is seen here at the latest,
 * and the run is then RUN_FAILED with the reason.
 */
int store_run_close(struct store_run *s, const struct experiment *e,
		    struct run *run);

/* --- reading --- */

/*
 * Read a result folder. Runs are read as far as they were written; a missing
 * file leaves its part empty. Errors are printed (the file is named): -ENOENT
 * if there is no manifest, -ENOTSUP if a newer version wrote it, -EIO for what
 * is broken. experiment_free() it. The values of runs are those of totals.tsv;
 * summary_fill() adds the rest.
 */
int store_load_experiment(const char *dir, struct experiment *out);

/*
 * The result folders in a folder that is none itself: those of the shards of
 * an experiment (data/shard.h), by N and index; *n is 0 if there are none.
 * free() each and the list. Returns 0, or -errno (printed) if the folder cannot
 * be read.
 */
int store_find_shards(const char *dir, char ***dirs, size_t *n);

/*
 * The attempts and the state of each planned run, from journal.tsv alone:
 * what --resume needs. e->dir, e->arms and number and arm of e->runs are read;
 * sets runs[i].attempt, .state and .reason. Those not yet done get attempt 0.
 * A line of no run in the plan is warned of. 0 or -errno (printed).
 */
int store_load_journal(struct experiment *e);

#endif
