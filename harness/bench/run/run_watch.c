/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a run while its load works. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/run/action.h"
#include "bench/guard/guard.h"
#include "bench/server/place.h"
#include "bench/run/run_state.h"

static int tick(struct one *o)
{
	double huge;
	int ret = collect_tick(o->collect, o->store, one_now_s(o), o->phase);

	huge = collect_last(o->collect, "huge_bytes");
	settle_add(&o->settle, clock_ns(), huge);
	progress_tick(o->shared->progress,
		      o->has_load ? o->load.tps : (double)NAN, huge);
	return ret;
}

/* smaps is dear: read at the borders of phases, outside the window. */
static int take_mappings(struct one *o, const char *when)
{
	char *mismatch = NULL;
	int ret = collect_mappings(o->collect, o->store, when, &mismatch);

	if (mismatch)
		one_mark(o, mismatch);
	return ret;
}

int one_phase(struct one *o, const char *name)
{
	bool is_end = str_eq(name, "stop");
	int ret = 0;

	/* The window is closed before the end is looked at, and opened after
	 * the look at its start. */
	if (!is_end)
		ret = take_mappings(o, name);
	o->target.is_edge = true;
	if (!ret)
		ret = tick(o);
	o->target.is_edge = false;
	o->phase = is_end ? "stop" : name;
	one_event(o, "phase", name);
	progress_phase(o->shared->progress, name);
	if (!ret && is_end)
		ret = take_mappings(o, "end");
	return ret;
}

int one_start_load(struct one *o)
{
	const struct config *config = o->shared->config;
	bool is_memtouch = config->workload.program == WORKLOAD_MEMTOUCH;
	auto_free char *log = store_run_path(o->store, "sysbench.log");
	/* memtouch is the program under test: it goes where the server would.
	 */
	struct place place = {
		.root = o->shared->root,
		.server = &config->server,
		.cgroup = o->has_cgroup ? &o->cgroup : NULL,
	};
	struct load_spec spec = {
		.config = config,
		.socket = o->has_server ? o->server.socket : NULL,
		.log = log,
		.cpus = is_memtouch ? config->server.cpus
				    : config->server.client_cpus,
		.journal = o->shared->journal,
		.arm = o->arm,
		.before_exec = is_memtouch ? place_child : NULL,
		.arg = &place,
		.held = is_memtouch ? one_held : NULL,
		.held_arg = o,
	};
	int ret = store_load_columns(o->store, load_columns, LOAD_N_COLUMNS);

	if (!ret && is_memtouch)
		ret = place_check(&place);
	if (!ret)
		ret = load_start(&spec, &o->load);
	if (ret)
		return ret;
	o->has_load = true;
	o->target.load_pid = o->load.pid;
	if (is_memtouch)
		o->target.server_pid = o->load.pid;
	return 0;
}

/* Ticks and lines go on while an action works; looks cost more than steps. */
static int look_if_due(void *arg)
{
	struct one *o = arg;

	if (!guard_stopped() && clock_ns() < collect_next_ns(o->collect))
		return 0;
	return one_look(o);
}

int one_act(struct one *o)
{
	const struct action_job job = {
		.root = o->shared->root,
		.arm = o->arm,
		.pid = o->target.server_pid,
		.store = o->store,
		.zero_ns = o->zero_ns,
		.look = look_if_due,
		.arg = o,
	};
	char *mark = NULL;
	int ret;

	if (o->target.server_pid)
		one_check_thp_enabled(o, o->target.server_pid);
	if (o->arm->damos == DAMOS_SCHEME)
		return one_scheme_start(o);
	ret = action_start(&job, &mark);
	if (mark)
		one_mark(o, mark);
	return ret;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until a moment, a line of the load, or a signal; a second at the most. */
static void pause_until(const struct one *o, uint64_t until_ns)
{
	struct pollfd p = { .fd = o->load.report_fd, .events = POLLIN };
	uint64_t now = clock_ns();
	uint64_t wait = until_ns > now ? until_ns - now : 0;
	bool has_lines = o->has_load && o->load.report_fd >= 0;

	if (wait > NUM_NS_PER_S)
		wait = NUM_NS_PER_S;
	poll(&p, has_lines ? 1 : 0,
	     (int)((wait + NUM_NS_PER_MS - 1) / NUM_NS_PER_MS));
}

/*
 * A load that ended may have lost its server, which takes a moment to be gone:
 * then that is the reason, not what the load says of it.
 */
static int blame(struct one *o, int ret)
{
	uint64_t end = clock_ns() + NUM_NS_PER_S;

	while (o->has_server && clock_ns() < end) {
		int gone = server_check(&o->server);

		if (gone)
			return gone;
		clock_sleep_until(clock_ns() + 20 * NUM_NS_PER_MS);
	}
	return o->has_server && server_check_log(&o->server) ? -EIO : ret;
}

/* What may have come since: lines, the end of a process, a tick's time. */
int one_look(struct one *o)
{
	int ret;

	if (guard_stopped())
		return -EINTR;
	ret = o->has_server ? server_check(&o->server) : one_attached_check(o);
	if (ret)
		return ret;
	ret = o->has_load ? load_read(&o->load, o->store, o->zero_ns) : 0;
	if (ret)
		return blame(o, ret);
	ret = one_scheme_feed(o);
	if (!ret && clock_ns() >= collect_next_ns(o->collect))
		ret = tick(o);
	return ret;
}

int one_watch(struct one *o, uint64_t for_ns, bool until_stable)
{
	uint64_t end = clock_ns() + for_ns;

	o->settle.n = 0;
	while (clock_ns() < end) {
		uint64_t next = earlier(collect_next_ns(o->collect),
					damos_next_ns(o->damos));
		int ret;

		pause_until(o, earlier(next, end));
		ret = one_look(o);
		if (ret)
			return ret;
		if (until_stable && settle_is_stable(&o->settle)) {
			one_event(o, "stable", "the amount of huge pages");
			return 0;
		}
	}
	if (until_stable && o->target.server_pid)
		one_mark(o, xasprintf("the amount of huge pages was not "
				      "stable after %.0f s of settling",
				      (double)for_ns / (double)NUM_NS_PER_S));
	return 0;
}
