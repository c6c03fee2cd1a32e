/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of one run, and what they share. For run_one.c only. */
#ifndef BENCH_RUN_STATE_H
#define BENCH_RUN_STATE_H

#include "base/str.h"
#include "bench/run/run_one.h"
#include "bench/load/settle.h"

struct one {
	struct run_shared *shared;
	struct run *run;
	const struct arm *arm;
	struct store_run *store;
	uint64_t zero_ns;   /* clock_ns() when the run began: t_s 0 */
	uint64_t oom_kills; /* host_oom_kills() then */
	const char *phase;
	struct collect_target target;
	struct collect *collect;
	struct cgroup cgroup;
	bool has_cgroup;
	char *temp_dir; /* socket and tmpdir of the server */
	char *data_dir;
	struct server server;
	bool has_server;
	struct load load;
	bool has_load;
	struct damos *damos; /* the arm's scheme; NULL: it does not run */
	struct settle settle;
	struct str marks; /* "; " between them */
	char *invalid;    /* the first reason why this is not what was asked */
	char *failed;     /* the first thing that went wrong at the end */
};

/* All return 0 or -errno, printed. */

/* run_begin.c: before the load */
int one_open(struct one *o);  /* folder and clock */
int one_begin(struct one *o); /* settings, cgroup, collectors */
int one_serve(struct one *o); /* server up, rows checked, pool warm */

/* Record THP_enabled of the server; 0 against our will is invalid. */
void one_check_thp_enabled(struct one *o, pid_t pid);

/* For proc_spec.held: the program under test is there. arg: struct one. */
void one_held(pid_t pid, void *arg);

/* run_watch.c: phases */
int one_phase(struct one *o, const char *name);
int one_start_load(struct one *o);
int one_act(struct one *o); /* the arm's action */
/* Watch for so long; with until_stable that is a limit. */
int one_watch(struct one *o, uint64_t for_ns, bool until_stable);
int one_look(struct one *o); /* what may have come; ticks that are due */

/* run_attach.c: for WORKLOAD_ATTACH; otherwise they do nothing */
int one_attach(struct one *o); /* before the collectors are opened */
int one_attached_check(const struct one *o); /* is it there, and the same? */
void one_attached_mark(struct one *o);       /* what it had before the run */

/* run_points.c: all benchmarks, one after the other */
int one_points(struct one *o);

/* run_damos.c: the arm's scheme, if it has one */
int one_scheme_start(struct one *o);
int one_scheme_feed(struct one *o);  /* what is due */
void one_scheme_stop(struct one *o); /* NULL is fine */

/* run_end.c: stop, check, put back; notes what it finds in o */
void one_finish(struct one *o);
void one_free(struct one *o);

/* Events and marks, on the run's clock. */
double one_now_s(const struct one *o);
void one_event(struct one *o, const char *name, const char *detail);
/* Doubts: the run counts, but says so. Takes the text. */
void one_mark(struct one *o, char *text);
/* Not what was asked for: the run does not count. Takes the text. */
void one_invalid(struct one *o, char *text);

#endif
