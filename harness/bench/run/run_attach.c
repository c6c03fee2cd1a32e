/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that we did not start: it is watched, never ended. */
#include <errno.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/run/run_state.h"

static bool is_attached(const struct one *o)
{
	return o->shared->config->workload.program == WORKLOAD_ATTACH;
}

int one_attach(struct one *o)
{
	struct run_shared *sh = o->shared;
	pid_t pid = (pid_t)sh->config->workload.pid;
	uint64_t start;

	if (!is_attached(o))
		return 0;
	start = proc_start_time(pid);
	if (!start)
		return refuse(-ESRCH, "pid %d: no such process", (int)pid);
	if (!sh->attached_start)
		sh->attached_start = start;
	o->target.server_pid = pid;
	return one_attached_check(o);
}

int one_attached_check(const struct one *o)
{
	pid_t pid = o->target.server_pid;
	uint64_t start;

	if (!is_attached(o))
		return 0;
	start = proc_start_time(pid);
	if (!start)
		return refuse(-ESRCH,
			      "the process that is watched, pid %d, "
			      "has ended",
			      (int)pid);
	if (start != o->shared->attached_start)
		return refuse(-ESRCH,
			      "pid %d is another process than in the runs "
			      "before",
			      (int)pid);
	return 0;
}

void one_attached_mark(struct one *o)
{
	double huge;

	if (!is_attached(o))
		return;
	huge = collect_last(o->collect, "huge_bytes");
	if (huge > 0)
		one_mark(o, xasprintf("%.0f MiB were huge before the run: the "
				      "process is not started anew",
				      huge / (double)NUM_MIB));
}
