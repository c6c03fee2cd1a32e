/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a run: one process from the load phase to the end of measure,
 * that says each second what it did.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/config.h"
#include "bench/journal.h"
#include "data/store.h"

/* Columns of sysbench.tsv behind t_s, in this order. */
enum load_column {
	LOAD_INTERVAL_S, /* seconds that the line covers */
	LOAD_THREADS,
	LOAD_TRANSACTIONS, /* in the interval */
	LOAD_READS,        /* queries, in the interval */
	LOAD_WRITES,
	LOAD_OTHERS,
	LOAD_LATENCY_P95_MS, /* of the interval; NAN if nothing ended in it */
	LOAD_LATENCY_AVG_MS,
	LOAD_LATENCY_MAX_MS,
	LOAD_ERRORS,
	LOAD_RECONNECTS,
	LOAD_N_COLUMNS,
};
extern const char *const load_columns[LOAD_N_COLUMNS];

struct load {
	pid_t pid;      /* 0: not running, or a null load */
	int report_fd;  /* machine-readable lines; -1: none */
	int control_fd; /* a page shared with the load: 1 in it means stop */
	char *log;      /* all that it printed */
	/* Of the lines read so far: */
	char pending[1024]; /* a line not yet ended */
	size_t n_pending;
	unsigned int n_lines;
	double transactions; /* summed over the lines */
	double errors;
	double reconnects;
	double tps; /* of the last line, for the live display */
	/* The last report of the load itself, at its end: */
	bool has_final;
	double final_transactions;
	double final_seconds;
	char *bad_line; /* the first that was not understood; NULL */
	int wstatus;
};

struct load_spec {
	const struct config *config;
	const char *socket; /* of the server; NULL for none */
	const char *log;    /* path for what it prints */
	const char *cpus;   /* NULL: all */
	struct journal *journal;
	/* memtouch is the program under test: as server.h's */
	const struct arm *arm;
	int (*before_exec)(void *arg);
	void *arg;
};

/* What sysbench --version says ("1.0.20"), "" if it cannot be run. free() */
char *load_sysbench_version(const struct workload_config *w);

/* Start the load. 0, or -errno (printed). */
int load_start(const struct load_spec *spec, struct load *out);

/*
 * Read what has come, without blocking, and store each line as of now
 * (clock_ns() - zero_ns). Returns 0, or -EIO once the load has ended by
 * itself (printed, with the end of its log).
 */
int load_read(struct load *l, struct store_run *store, uint64_t zero_ns);

/*
 * Ask it to stop, wait at most limit_ns, read the rest. What it left out is
 * judged by load_verdict().
 */
void load_stop(struct load *l, struct store_run *store, uint64_t zero_ns,
	       uint64_t limit_ns);

/*
 * Did the load do what it should (mariadb-sysbench-facts: exit status 0 is
 * not enough)? NULL if so, else a sentence (free() it): ended by a signal or
 * not with 0, a line "FATAL:", no final report, no transactions, errors or
 * reconnects, lines missing, or a sum of lines that differs from its own
 * count of transactions.
 */
char *load_verdict(const struct load *l);
void load_free(struct load *l);

/*
 * Parse one line of the report (workloads/report.lua writes them):
 * "line\tT\tINTERVAL\tTHREADS\t..." or "final\tSECONDS\tTRANSACTIONS\t...".
 * Returns 1 for a line (cells filled), 2 for the final one (cells[0] seconds,
 * cells[1] transactions), -EPROTO for anything else.
 */
int load_parse(const char *line, double cells[LOAD_N_COLUMNS]);

/* Make the workload's tables (sysbench prepare). 0 or -errno, printed. */
int load_prepare(const struct config *config, const char *socket,
		 const char *log);

#endif
