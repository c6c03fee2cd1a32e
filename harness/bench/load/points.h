/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benchmarks that run to their end, each with a figure: hackbench, the
 * built-in tests of sysbench, any command. A point is one of them with one
 * set of parameters: a row of the results, with a metric of its own. A run
 * does all points one after the other.
 */
#ifndef BENCH_POINTS_H
#define BENCH_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/load/load_command.h"
#include "data/metric.h"

struct config;
struct experiment;

/* What runs a configured command. */
#define POINTS_SHELL "/bin/sh"

/* In the order in which their points are run and shown. */
enum benchmark_id {
	BENCHMARK_HACKBENCH,
	BENCHMARK_MUTEX,
	BENCHMARK_MEMORY,
	BENCHMARK_THREADS,
	BENCHMARK_COMMAND,
	BENCHMARK_N,
};

/* What [workload] says of them. */
struct points_config {
	bool is_wanted[BENCHMARK_N];
	char *threads; /* numbers, by blanks; likewise below */
	char *groups;
	char *workers;  /* process thread */
	char *channels; /* pipes sockets */
	unsigned int loops;
	unsigned int fds;
	unsigned int datasize_bytes;
	uint64_t duration_ns; /* whole seconds */
	unsigned int repeats; /* whose mean is the figure of a run */
	unsigned int warm_ups;
	uint64_t limit_ns; /* of one execution */
	char *command;     /* for sh -c; NULL: none */
	char *values;      /* each in place of {} in it; NULL: none */
	char *name;        /* of its metric, without the value */
	char *unit;
	enum metric_better better;
	char *regex; /* NULL: json */
	char *json;
	char *files; /* that a guest needs for it; NULL: none */
};

struct point {
	struct metric metric; /* its texts are the point's */
	enum benchmark_id benchmark;
	struct load_command command; /* programs and scripts by bare names */
	const char *regex;           /* of the figure; NULL: json (pick.h) */
	const char *json;
};

struct points {
	struct point *list;
	size_t n;
};

/* A new benchmark is a row of this table. */
struct benchmark {
	const char *word;    /* program = WORD; the source of its metrics */
	const char *program; /* to be looked for; NULL: configured */
	const char *package; /* that has it */
	const char *help;
	void (*add)(const struct config *c, struct points *out);
	/* How long an execution takes by its configuration; NULL: not known */
	uint64_t (*takes_ns)(const struct config *c);
};
extern const struct benchmark benchmarks[BENCHMARK_N];

/* From the configuration alone; none if its program is no benchmark. */
void points_make(const struct config *c, struct points *out);
void points_free(struct points *p);
const struct point *points_find(const struct points *p, const char *metric);

/* The metrics of all points become those of an experiment. */
void points_metrics(const struct config *c, struct experiment *e);

/* How long all points take, as far as is known, and by their limits. */
uint64_t points_least_ns(const struct config *c);
uint64_t points_most_ns(const struct config *c);

/* The command as one would type it. free() it. */
char *points_command_text(const struct point *p);

/* The command with paths in place of files of ours. 0 or -ENOENT, printed. */
int points_resolve(const struct point *p, struct load_command *out);

/*
 * The figure of an execution, whose output is the log from an offset on. 0,
 * or -errno (printed): it failed, or printed no such figure.
 */
int points_figure(const struct point *p, const char *log, off_t from,
		  int wstatus, double *out);

/*
 * The programs that the points need, by path or bare name, each once: what is
 * to be there, and to be packed for a guest. free() the list, not the texts.
 */
const char **points_programs(const struct config *c, size_t *n);

void points_config_free(struct points_config *p);

#endif
