/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the readers of formats build. For data/import/import*.c only. */
#ifndef DATA_IMPORT_PARTS_H
#define DATA_IMPORT_PARTS_H

#include "base/facts.h"
#include "data/import/import.h"
#include "data/metric.h"
#include "data/record.h"

/* A run as it comes in. */
struct import_run {
	size_t arm;
	struct extra_value *values; /* of metrics of either sort */
	size_t n_values;
	char *failed; /* why it did not end well; or NULL */

	/* Lines of a load, as sysbench.tsv has them; none: n_lines == 0. */
	const char *const *columns;
	size_t n_columns;
	double *lines; /* n_lines * (1 + n_columns): t_s first */
	size_t n_lines;
};

struct import {
	const struct import_request *request;
	struct experiment e; /* arms, metrics, facts, marks */
	struct import_run **runs;
	size_t n_runs;
	const char *path; /* of the current file */
	char *label;      /* of the current file */
	void *rest;       /* what a reader keeps from file to file */
	void (*finish)(struct import *im); /* when all are read; or NULL */
};

/* The arm of this label, made if there is none. */
size_t import_arm(struct import *im, const char *label);
/* A new run of an arm. */
struct import_run *import_run(struct import *im, size_t arm);
/* The first run of an arm that has no such metric yet; else a new one. */
struct import_run *import_run_for(struct import *im, size_t arm,
				  const char *metric);

/*
 * Make a metric of the folder's own, called "BENCHMARK:UNIT"; returns that
 * name, good as long as im is. source tells families apart.
 */
const char *import_metric(struct import *im, const char *benchmark,
			  const char *unit, enum metric_better better,
			  const char *help);

bool import_has(const struct import_run *run, const char *metric);
void import_value(struct import_run *run, const char *metric, double number);
void import_missing(struct import_run *run, const char *metric,
		    const char *why);

/* A mark of the whole, each once. */
void import_mark(struct import *im, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* "FILE:LINE: ..."; line 0: of the whole file. Returns -EILSEQ. */
int import_refuse(const struct import *im, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Forget all that was read. */
void import_free(struct import *im);

/*
 * Write what was read into a new folder. 0, or -errno: printed, but for -EINTR
 * at stop_asked().
 */
int import_publish(struct import *im, const char *dir);

/* --- the formats --- */
int import_sysbench(struct import *im, const char *text);
int import_gobench(struct import *im, const char *text);
int import_benchstat(struct import *im, const char *text);
int import_gbench(struct import *im, const char *text);
int import_mmtests(struct import *im, const char *text);
int import_mmtests_results(struct import *im, const char *text);
int import_fastpath(struct import *im, const char *text);
int import_perf(struct import *im, const char *text);
int import_perf_csv(struct import *im, const char *text);
int import_csv(struct import *im, const char *text);

#endif
