/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The start of a run: settings, collectors, a fresh and warm server. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guard/guard.h"
#include "bench/run/run_state.h"
#include "kern/procstat.h"

double one_now_s(const struct one *o)
{
	return (double)(clock_ns() - o->zero_ns) / (double)NUM_NS_PER_S;
}

void one_event(struct one *o, const char *name, const char *detail)
{
	store_event(o->store, one_now_s(o), name, detail);
}

void one_mark(struct one *o, char *text)
{
	one_event(o, "mark", text);
	progress_say(o->shared->progress, "marked: %s", text);
	str_addf(&o->marks, "%s%s", o->marks.len ? "; " : "", text);
	free(text);
}

void one_invalid(struct one *o, char *text)
{
	one_event(o, "invalid", text);
	if (o->invalid)
		free(text);
	else
		o->invalid = text;
}

int one_open(struct one *o)
{
	int ret = store_run_open(o->shared->experiment, o->run, &o->store);

	if (ret)
		return ret;
	o->zero_ns = clock_ns();
	o->phase = "start";
	one_event(o, "phase", o->phase);
	progress_phase(o->shared->progress, o->phase);
	return 0;
}

static int apply_settings(struct one *o)
{
	struct run_shared *sh = o->shared;
	const struct server_config *sc = &sh->config->server;
	char *bad = NULL;
	int ret = settings_apply(sh->root, o->arm, &sh->settings, &bad);

	if (ret)
		return ret;
	if (bad)
		one_invalid(o, bad);
	return settings_freshen(sh->root, sc->drop_caches, sc->compact_memory);
}

/* A cgroup is wanted, not needed: its absence stands in collectors.tsv. */
static int make_cgroup(struct one *o)
{
	auto_free char *name =
		xasprintf("thpbench.%d.%u", (int)getpid(), o->run->number);
	auto_free char *why = NULL;
	int ret;

	if (o->shared->config->workload.program == WORKLOAD_NULL ||
	    o->shared->config->workload.program == WORKLOAD_ATTACH)
		return 0;
	if (cgroup_make(o->shared->root, name, &o->cgroup, &why)) {
		one_event(o, "cgroup", why);
		return 0;
	}
	o->has_cgroup = true;
	o->target.cgroup = &o->cgroup;
	ret = journal_cgroup(o->shared->journal, o->cgroup.path);
	return ret;
}

/* The names of all, as [collect] off takes them. free() it. */
static char *all_collectors(void)
{
	struct str names = { 0 };

	for (size_t i = 0; i < n_collectors; i++)
		str_addf(&names, "%s ", collectors[i]->name);
	return str_steal(&names);
}

static void open_collectors(struct one *o)
{
	struct collect_config c = o->shared->config->collect;
	auto_free char *all = all_collectors();
	auto_free char *uncounted =
		xasprintf("%s counters", c.off ? c.off : "");

	if (o->arm->collectors == ARM_COLLECTORS_UNCOUNTED)
		c.off = uncounted;
	if (o->arm->collectors == ARM_COLLECTORS_OFF)
		c.off = all;
	o->target.root = o->shared->root;
	o->target.has_scheme = o->arm->damos == DAMOS_SCHEME;
	o->target.journal = o->shared->journal;
	o->target.config = o->shared->config;
	o->target.block = o->run->block;
	o->collect = collect_open(&o->target, &c);
	if (c.counters != COUNTERS_NONE && c.counters_from &&
	    !collect_is_off(c.off, "counters"))
		one_mark(o, xasprintf("counters are replayed from %s, not "
				      "measured",
				      c.counters_from));
}

void one_held(pid_t pid, void *arg)
{
	struct one *o = arg;

	collect_held(o->collect, pid);
}

int one_begin(struct one *o)
{
	int ret = apply_settings(o);

	if (!ret)
		ret = make_cgroup(o);
	if (!ret)
		ret = journal_temp_dir(o->shared->journal, &o->temp_dir);
	if (!ret)
		ret = one_attach(o);
	if (ret)
		return ret;
	open_collectors(o);
	ret = collect_begin(o->collect, o->store);
	if (!ret)
		ret = collect_tick(o->collect, o->store, one_now_s(o),
				   o->phase);
	if (!ret)
		one_attached_mark(o);
	return ret;
}

static int take_data(struct one *o)
{
	struct run_shared *sh = o->shared;

	if (sh->data_dir) {
		o->data_dir = sh->data_dir;
		sh->data_dir = NULL;
		return 0;
	}
	return prepared_copy(&sh->prepared, sh->journal, &o->data_dir);
}

static int start_server(struct one *o)
{
	struct run_shared *sh = o->shared;
	auto_free char *log = store_run_path(o->store, "server.log");
	auto_free char *cnf = store_run_path(o->store, "server.cnf");
	struct server_spec spec = {
		.root = sh->root,
		.config = sh->config,
		.arm = o->arm,
		.program = &sh->program,
		.data_dir = o->data_dir,
		.dir = o->temp_dir,
		.log = log,
		.config_path = cnf,
		.pool_bytes = sh->config->server.buffer_pool_bytes,
		.cgroup = o->has_cgroup ? &o->cgroup : NULL,
		.journal = sh->journal,
		.held = one_held,
		.held_arg = o,
	};
	int ret;

	if (!spec.pool_bytes)
		spec.pool_bytes = prepared_pool_bytes(&sh->prepared);
	ret = server_start(&spec, &o->server);
	if (ret)
		return ret;
	o->has_server = true;
	o->target.server = &o->server;
	o->target.server_pid = o->server.pid;
	return 0;
}

/* MariaDB since 10.6.17 and 10.11.7 switches THP off for itself. */
void one_check_thp_enabled(struct one *o, pid_t pid)
{
	int enabled = procstat_thp_enabled(o->shared->root, pid);

	if (enabled < 0) {
		store_total_missing(o->store, "server_thp_enabled",
				    "the kernel does not say (THP_enabled in "
				    "/proc/PID/status)");
		return;
	}
	store_total(o->store, "server_thp_enabled", enabled,
		    "THP_enabled of /proc/PID/status");
	if (!enabled && o->shared->config->workload.program == WORKLOAD_ATTACH)
		one_mark(o, xstrdup("the process has THP switched off for "
				    "itself"));
	else if (!enabled &&
		 o->shared->config->server.thp_disable == THP_DISABLE_BLOCK)
		one_invalid(o, xstrdup("the server switched THP off for "
				       "itself although thp_disable = block"));
}

static int record_variables(struct one *o)
{
	struct facts facts = { 0 };
	int ret = server_variables(&o->server, &facts);

	if (!ret)
		ret = store_facts(o->store, "variables.tsv", &facts);
	facts_free(&facts);
	return ret;
}

static int warm_up(struct one *o)
{
	const struct workload_config *w = &o->shared->config->workload;
	double warm_pct;
	int ret = server_check_rows(&o->server, w);

	if (!ret)
		ret = server_warm(&o->server, w, &warm_pct);
	if (ret)
		return ret;
	store_total(o->store, "pool_warm_pct", warm_pct,
		    "Innodb_buffer_pool_pages_data");
	if (warm_pct < 99)
		one_mark(o, xasprintf("buffer pool not warm: %.1f %% of the "
				      "tables' pages are in it",
				      warm_pct));
	return guard_stopped() ? -EINTR : 0;
}

int one_serve(struct one *o)
{
	const struct workload_config *w = &o->shared->config->workload;
	int ret;

	if (w->program != WORKLOAD_SYSBENCH || w->dry_run)
		return 0;
	ret = take_data(o);
	if (!ret)
		ret = start_server(o);
	if (!ret)
		ret = record_variables(o);
	if (!ret)
		ret = warm_up(o);
	if (ret)
		return ret;
	return collect_tick(o->collect, o->store, one_now_s(o), o->phase);
}
