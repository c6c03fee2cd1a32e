/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/check/check.h among themselves. */
#ifndef BENCH_CHECK_PARTS_H
#define BENCH_CHECK_PARTS_H

#include "bench/check/check.h"
#include "bench/guest/guest_set.h"
#include "bench/server/server.h"

struct check_job {
	const struct root *root;
	const struct config *config; /* NULL: none */
	struct check *out;
	struct server_program program; /* once it was found */
	bool is_probed;                /* DAMON may be tried */
	struct facts damon;            /* what trying it found */
	struct guest_set guests;       /* of the arms that run in one */
	bool *in_guest;                /* each arm: not on this kernel */
};

/* What is there. Takes the text. */
void check_ok(struct check_job *job, const char *name, char *text);
/* What is not, and whether anything runs without. Takes the text. */
void check_missing(struct check_job *job, const char *name, bool is_needed,
		   char *why, const char *help);

/* Was it looked for, and is it there? */
bool check_has(const struct check_job *job, const char *name);

/*
 * Does the configuration need it on this kernel? Without one: as for a
 * database under any setting but a scheme.
 */
bool check_sets_knobs(const struct check_job *job); /* a scheme does */
bool check_has_collapse(const struct check_job *job);
bool check_has_scheme(const struct check_job *job);
bool check_has_server(const struct check_job *job);
bool check_has_sysbench(const struct check_job *job);

void check_guests(struct check_job *job);     /* before all others */
void check_kernel(struct check_job *job);     /* THP, cgroups, scans */
void check_damon(struct check_job *job);      /* who uses it, what it can */
void check_collectors(struct check_job *job); /* what can be sampled */
void check_counters(struct check_job *job);   /* which events, in groups */
void check_programs(struct check_job *job);   /* mariadbd, sysbench */
void check_room(struct check_job *job);       /* disk, memory, CPUs */
void check_others(struct check_job *job);     /* a run, a journal */

/*
 * What DAMON lacks for the arm's scheme, as far as was looked; NULL: nothing.
 * *help: what would do instead. free() both.
 */
char *check_scheme(const struct check_job *job, const struct arm *arm,
		   char **help);
/* The same for an arm that runs in a guest, by what its image tells. */
char *check_guest_arm(struct check_job *job, size_t arm, char **help);

#endif
