/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/run_one.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench/guard/guard.h"
#include "bench/run/oom.h"
#include "bench/run/run_state.h"
#include "kern/host.h"

/* From load to the end of measure: what the figures are about. */
static int work(struct one *o)
{
	const struct workload_config *w = &o->shared->config->workload;
	bool has_points = w->program == WORKLOAD_POINTS;
	int ret = one_phase(o, "load");

	if (!ret && !has_points)
		ret = one_start_load(o);
	if (!ret)
		ret = one_watch(o, w->load_ns, false);
	if (!ret)
		ret = one_phase(o, "settle");
	if (!ret)
		ret = one_act(o);
	if (!ret)
		ret = one_watch(o, w->settle_ns, w->settle_until_stable);
	if (!ret)
		ret = one_phase(o, "measure");
	if (!ret)
		ret = has_points ? one_points(o)
				 : one_watch(o, w->measure_ns, false);
	if (!ret)
		ret = one_phase(o, "stop");
	return ret;
}

/* What the run is worth, from how it went. */
static void judge(struct one *o, int ret)
{
	struct run *run = o->run;

	free(run->reason);
	run->reason = NULL;
	if (ret && guard_stopped()) {
		run->state = RUN_FAILED;
		run->reason = xstrdup("interrupted");
	} else if (ret) {
		run->state = RUN_FAILED;
		run->reason = xstrdup(err_last());
	} else if (o->failed) {
		run->state = RUN_FAILED;
		run->reason = xstrdup(o->failed);
	} else if (o->invalid) {
		run->state = RUN_INVALID;
		run->reason = xstrdup(o->invalid);
	} else {
		run->state = o->marks.len ? RUN_MARKED : RUN_OK;
		run->reason = xstrdup(o->marks.len ? o->marks.text : "");
	}
	if (run->state == RUN_FAILED && !o->shared->is_guest)
		run->reason = oom_reason(o->shared->root, o->oom_kills,
					 run->reason, NULL);
	if (run->state == RUN_FAILED || run->state == RUN_INVALID)
		one_event(o, "fail", run->reason);
}

int run_one(struct run_shared *shared, struct run *run)
{
	struct one o = {
		.shared = shared,
		.run = run,
		.arm = &shared->config->arms[run->arm],
		.oom_kills = host_oom_kills(shared->root),
	};
	int stopped;
	int ret = one_open(&o);

	if (ret)
		return ret;
	ret = one_begin(&o);
	if (!ret)
		ret = one_serve(&o);
	if (!ret)
		ret = work(&o);
	one_finish(&o);
	judge(&o, ret);
	stopped = guard_stopped();
	ret = store_run_close(o.store, shared->experiment, run);
	one_free(&o);
	if (ret)
		return ret; /* printed by the store */
	return stopped ? -EINTR : 0;
}
