/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arm's DAMOS scheme: from the start of settling to the window's end. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "bench/run_state.h"

int one_scheme_start(struct one *o)
{
	auto_free char *how = NULL;
	int ret;

	if (!o->target.server_pid)
		return 0;
	ret = damos_start(o->shared->root, &o->arm->scheme,
			  o->target.server_pid, o->shared->journal, &o->damos,
			  &how);
	if (ret)
		return ret;
	o->target.damos = o->damos;
	one_event(o, "damos", how);
	return 0;
}

int one_scheme_feed(struct one *o)
{
	return clock_ns() >= damos_next_ns(o->damos) ? damos_feed(o->damos) : 0;
}

void one_scheme_stop(struct one *o)
{
	struct damos_sample last = { 0 };
	auto_free char *text = NULL;

	if (!o->damos)
		return;
	o->target.damos = NULL;
	if (damos_stop(o->damos, &last))
		one_event(o, "damos", err_last());
	o->damos = NULL;
	text = xasprintf("stopped: %.0f regions tried, %.0f applied",
			 (double)last.stats.nr_tried,
			 (double)last.stats.nr_applied);
	one_event(o, "damos", text);
}
