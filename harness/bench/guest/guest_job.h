/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a guest: the one run that it was booted for. */
#ifndef BENCH_GUEST_JOB_H
#define BENCH_GUEST_JOB_H

#include "bench/run/run_one.h"

struct guest_job {
	const struct root *root;
	struct config config; /* of the run's arm alone */
	struct experiment experiment;
	struct run_shared shared;
	char *run_dir; /* where the run's folder will be */
	int fd;        /* where progress goes */
};

/*
 * Read /thpbench/experiment.tsv, /thpbench/config and the kernel's command
 * line (guest_pack.h, guest_run.h). 0 or -errno, printed.
 */
int guest_job_read(const struct root *root, struct guest_job *job);

/*
 * Do the run under guard; progress goes as records to fd, the last one with
 * "STATE<tab>REASON". Returns an exit status.
 */
int guest_job_do(struct guest_job *job, int fd);
void guest_job_free(struct guest_job *job);

#endif
