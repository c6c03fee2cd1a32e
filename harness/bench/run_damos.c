/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arm's DAMOS scheme: from the start of settling to the window's end. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "bench/run_state.h"
#include "kern/vaddr.h"

static const char maps_source[] = "/proc/PID/maps when the scheme began";

/* Of fvaddr and paddr what is monitored is known from the event. */
static void record_vaddr(struct one *o, const char *text)
{
	struct smaps maps;
	struct vaddr v;

	if (!str_eq(o->arm->scheme.setup.ops, "vaddr")) {
		store_total_missing(o->store, "damos_monitored_bytes",
				    "only vaddr monitors gaps");
		store_total_missing(o->store, "damos_mapped_bytes",
				    "only vaddr monitors gaps");
		return;
	}
	if (smaps_parse(text, &maps))
		return;
	vaddr_of(&maps, &v);
	smaps_free(&maps);
	store_total(o->store, "damos_monitored_bytes",
		    (double)v.monitored_bytes, maps_source);
	store_total(o->store, "damos_mapped_bytes", (double)v.mapped_bytes,
		    maps_source);
}

/* By where mappings happen to lie, the same scheme does much or nothing. */
static void record_maps(struct one *o)
{
	auto_free char *path =
		xasprintf("proc/%d/maps", (int)o->target.server_pid);
	auto_free char *to = store_run_path(o->store, "maps.txt");
	auto_free char *text = NULL;
	int ret = root_read(o->shared->root, path, &text);

	if (!ret)
		ret = file_publish(to, text);
	if (!ret)
		record_vaddr(o, text);
	else
		warn("%s: %s", to, strerror(-ret));
}

int one_scheme_start(struct one *o)
{
	auto_free char *how = NULL;
	int ret;

	if (!o->target.server_pid)
		return 0;
	record_maps(o);
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
