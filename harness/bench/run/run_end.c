/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a run: stop, judge the load, put everything back. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tree.h"
#include "bench/guard/guard.h"
#include "bench/run/run_state.h"

static const uint64_t load_limit_ns = 20 * NUM_NS_PER_S;
static const uint64_t server_limit_ns = 60 * NUM_NS_PER_S;

static void note_failed(struct one *o, char *text)
{
	if (o->failed)
		free(text);
	else
		o->failed = text;
}

static void stop_load(struct one *o)
{
	char *verdict;

	if (!o->has_load)
		return;
	load_stop(&o->load, o->store, o->zero_ns, load_limit_ns);
	o->target.load_pid = 0;
	if (str_eq(o->phase, "stop")) {
		verdict = load_verdict(&o->load);
		if (verdict)
			note_failed(o, verdict);
	}
	load_free(&o->load);
}

static bool may_reuse(const struct one *o, bool clean)
{
	return clean && o->shared->config->workload.reuse_data &&
	       !guard_stopped();
}

static void stop_server(struct one *o)
{
	bool clean = false;

	if (o->has_server) {
		/* Whoever hurries does not wait for a clean shutdown. */
		if (server_stop(&o->server,
				guard_stopped() ? 0 : server_limit_ns, &clean))
			note_failed(o, xstrdup(err_last()));
		else if (!clean && !guard_stopped())
			one_event(o, "server", "did not shut down cleanly");
		server_free(&o->server);
		o->target.server = NULL;
	}
	o->target.server_pid = 0;
	if (may_reuse(o, clean)) {
		o->shared->data_dir = o->data_dir;
		o->data_dir = NULL;
	}
}

static void check_settings(struct one *o)
{
	struct run_shared *sh = o->shared;
	auto_free struct setting_record *records = NULL;
	char *foreign = NULL;
	size_t n;
	int ret;

	settings_check(sh->root, &sh->settings, &foreign);
	if (foreign)
		one_mark(o, foreign);
	records = settings_records(&sh->settings, &n);
	store_settings(o->store, records, n);
	ret = settings_restore(sh->root, &sh->settings);
	if (ret)
		note_failed(o, xstrdup(err_last()));
}

static void remove_dir(char *dir)
{
	int ret = dir ? tree_remove(dir) : 0;

	if (ret && ret != -ENOENT)
		fail(ret, "remove %s", dir);
	free(dir);
}

void one_finish(struct one *o)
{
	uint64_t widened;

	one_scheme_stop(o);
	stop_load(o);
	if (o->collect) {
		widened = collect_widened_ns(o->collect);
		if (widened)
			one_mark(o, xasprintf("collectors' interval widened to "
					      "%.1f s to stay in their budget",
					      (double)widened /
						      (double)NUM_NS_PER_S));
	}
	stop_server(o);
	if (o->collect)
		collect_close(o->collect, o->store);
	check_settings(o);
	if (o->has_cgroup) {
		int ret = cgroup_remove(o->shared->root, o->cgroup.path);

		if (ret)
			fail(ret, "remove cgroup %s", o->cgroup.path);
		cgroup_free(&o->cgroup);
	}
	remove_dir(o->data_dir);
	remove_dir(o->temp_dir);
}

void one_free(struct one *o)
{
	str_free(&o->marks);
	free(o->invalid);
	free(o->failed);
}
