/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a run: one process from the load phase to the end of measure,
 * that says each second what it did.
 *
 * Reports come through a pipe, the load's fd 3, in lines of cells parted by
 * tabs (workloads/report.lua and workloads/memtouch.c write them):
 *   line   AT INTERVAL THREADS TRANSACTIONS READS WRITES OTHERS P95 AVG MAX
 *          ERRORS RECONNECTS
 *   final  AT SECONDS TRANSACTIONS
 * AT is CLOCK_MONOTONIC in seconds at the end of the interval, so that a line
 * has its place however late it is read. "-" is a figure that does not exist;
 * of sysbench this is the longest latency of an interval always, and every
 * latency where nothing ended.
 *
 * The end is asked for through a page shared by a memfd, whose number and size
 * are in the load's environment as THPBENCH_CONTROL=FD:BYTES: 1 in its first
 * 32 bits means stop. The rest of it belongs to the load.
 *
 * Do the lines sum up to the whole? The load's last line covers what is left
 * of the last interval, and its transactions come from a count of its own,
 * event by event, not from the total; so the sum of the lines and the total
 * of the final line are two counts that must be equal to the last transaction.
 */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/config/config.h"
#include "bench/guard/journal.h"
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
	enum workload_program program;
	pid_t pid;      /* 0: not running, or a load without a process */
	int report_fd;  /* machine-readable lines; -1: none */
	int control_fd; /* the shared page; -1: none */
	char *log;      /* path of all that it printed */
	uint64_t started_ns;
	/* Of the lines read so far: */
	char pending[1024]; /* a line not yet ended */
	size_t n_pending;
	bool is_too_long; /* the pending line: the rest of it is dropped */
	unsigned int n_lines;
	double seconds;      /* that the lines cover */
	double transactions; /* summed over the lines */
	double errors;
	double reconnects;
	double tps; /* of the last line, for the live display; NAN: none */
	/* The last report of the load itself, at its end: */
	bool has_final;
	double final_transactions;
	double final_seconds;
	char *bad_line; /* the first that was not understood; NULL */
	/* Its end: */
	bool is_asked;  /* load_stop() was called while it ran */
	bool is_killed; /* it did not stop in time */
	int wstatus;
};

struct load_spec {
	const struct config *config;
	const char *socket;      /* of the server; NULL for none */
	const char *log;         /* path for what it prints */
	const char *cpus;        /* "0-3,8"; NULL: all */
	struct journal *journal; /* its pid goes in; NULL: nobody's */
	/* memtouch is the program under test: its environment, as a server's */
	const struct arm *arm; /* NULL: none */
	/* In the child, before exec (base/proc.h); NULL: nothing */
	int (*before_exec)(void *arg);
	void *arg;
	void (*held)(pid_t pid, void *arg); /* likewise */
	void *held_arg;
};

/* Start the load. 0, or -errno (printed). */
int load_start(const struct load_spec *spec, struct load *out);

/*
 * Read what has come, without blocking, and store each line under the moment
 * it speaks of (AT - zero_ns: the end of its interval). store NULL: nothing
 * is stored. Returns 0, or -EIO once the load has ended by itself (printed,
 * with the end of its log).
 */
int load_read(struct load *l, struct store_run *store, uint64_t zero_ns);

/*
 * Ask it to stop, wait at most limit_ns, then SIGKILL; read the rest. What it
 * left out is judged by load_verdict().
 */
void load_stop(struct load *l, struct store_run *store, uint64_t zero_ns,
	       uint64_t limit_ns);

/*
 * Did the load do what it should? (Exit status 0 says little: sysbench gives
 * it in several failing cases.) NULL if so, else a sentence (free() it): ended
 * by itself, did not stop in time, ended by a signal or not with 0, a line
 * "FATAL:" in its log, a report that is not understood, none at the end, no
 * transactions, errors or reconnects, lines missing, a sum of lines that
 * differs from its own count of transactions. A load without a process is
 * always right.
 */
char *load_verdict(const struct load *l);
/* Kills what still runs. */
void load_free(struct load *l);

/* One line of the report. */
struct load_line {
	bool is_final;
	uint64_t at_ns;               /* clock_ns() */
	double cells[LOAD_N_COLUMNS]; /* not of the final one */
	double final_seconds;
	double final_transactions;
};

/*
 * Parse one line without its newline; n is its length. 0, or -EPROTO for
 * anything but exactly such a line: a missing, empty or additional cell, a
 * negative number, a count with a fraction, "-" where a figure must be.
 */
int load_parse(const char *line, size_t n, struct load_line *out);

/*
 * Take bytes of the report as they come; lines may be cut anywhere. For
 * load_read() and its tests.
 */
void load_feed(struct load *l, const char *bytes, size_t n,
	       struct store_run *store, uint64_t zero_ns);

/*
 * Make the workload's tables with sysbench prepare: the same for every
 * rand_type. -EINTR if guard_stopped(); else 0 or -errno, printed.
 */
int load_prepare(const struct config *config, const char *socket,
		 const char *log);

/*
 * What sysbench says it is, with its Lua, whose version shifts results:
 * "1.0.20 (using system LuaJIT 2.1.0-beta3)"; "" if it cannot be run. free()
 */
char *load_sysbench_version(const struct workload_config *w);

#endif
