/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The benchmarks of a run: each point executed, its figure taken. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/server/place.h"
#include "bench/run/run_state.h"

/* One execution. */
struct execution {
	struct one *one;
	const struct point *point;
	const struct load_command *command; /* with paths of files of ours */
	const char *log;
	off_t log_from; /* its output begins there */
	pid_t pid;
};

static struct place place_of(const struct one *o)
{
	return (struct place){
		.root = o->shared->root,
		.server = &o->shared->config->server,
		.cgroup = o->has_cgroup ? &o->cgroup : NULL,
	};
}

static int start(struct execution *x)
{
	struct one *o = x->one;
	auto_close int log =
		open(x->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct place place = place_of(o);
	const struct proc_spec spec = {
		.argv = (const char *const *)x->command->argv,
		.env = (const char *const *)x->command->env,
		.out_fd = log,
		.before_exec = place_child,
		.arg = &place,
	};

	if (log < 0)
		return fail(-errno, "open %s", x->log);
	x->log_from = lseek(log, 0, SEEK_END);
	x->pid = proc_start(&spec);
	if (x->pid < 0)
		return fail(x->pid, "start %s", x->command->argv[0]);
	return journal_pid(o->shared->journal, x->pid);
}

/* Until it ends, with ticks as they are due. */
static int wait_for(struct execution *x, int *wstatus)
{
	struct one *o = x->one;
	const uint64_t limit =
		o->shared->config->workload.points_config.limit_ns;
	uint64_t end = clock_ns() + limit;
	int ret = 0;

	while (!ret) {
		uint64_t now = clock_ns();
		uint64_t next = collect_next_ns(o->collect);
		uint64_t wait = next > now ? next - now : 0;

		if (wait > NUM_NS_PER_S / 5)
			wait = NUM_NS_PER_S / 5;
		ret = proc_wait(x->pid, wait, wstatus);
		if (ret > 0)
			return 0;
		if (!ret)
			ret = one_look(o);
		if (!ret && clock_ns() >= end) {
			auto_free char *text = num_time_text(limit);

			ret = refuse(-ETIMEDOUT,
				     "%s did not end within its limit of %s",
				     x->point->metric.name, text);
		}
	}
	proc_end(x->pid, 0, NULL);
	return ret;
}

static int execute(struct execution *x, double *out)
{
	int wstatus = 0;
	int ret = start(x);

	if (!ret)
		ret = wait_for(x, &wstatus);
	return ret ? ret
		   : points_figure(x->point, x->log, x->log_from, wstatus, out);
}

/* Its warm-ups, then those whose mean counts. */
static int do_point(struct execution *x)
{
	struct one *o = x->one;
	const struct points_config *c =
		&o->shared->config->workload.points_config;
	const struct metric *m = &x->point->metric;
	double sum = 0;

	for (unsigned int i = 0; i < c->warm_ups + c->repeats; i++) {
		bool is_warm_up = i < c->warm_ups;
		double value;
		int ret;
		auto_free char *text = NULL;

		one_event(o, "begin", m->name);
		ret = execute(x, &value);
		if (ret)
			return ret;
		text = xasprintf("%s%s: %.9g %s", m->name,
				 is_warm_up ? " (warm-up)" : "", value,
				 m->unit);
		one_event(o, "point", text);
		sum += is_warm_up ? 0 : value;
	}
	store_total(o->store, m->name, sum / c->repeats, m->source);
	return 0;
}

int one_points(struct one *o)
{
	const struct points *points = &o->shared->config->points;
	auto_free char *log = store_run_path(o->store, "points.log");
	const struct place place = place_of(o);
	int ret = place_check(&place);

	for (size_t i = 0; i < points->n && !ret; i++) {
		struct load_command command = { 0 };
		struct execution x = {
			.one = o,
			.point = &points->list[i],
			.command = &command,
			.log = log,
		};

		/* A decimal comma would be the end of a figure. */
		load_command_env(&command, "LC_ALL=C.UTF-8");
		for (size_t k = 0; k < o->arm->env.n; k++)
			load_command_env(&command, "%s=%s",
					 o->arm->env.list[k].name,
					 o->arm->env.list[k].value);
		progress_phase(o->shared->progress,
			       points->list[i].metric.name);
		ret = points_resolve(&points->list[i], &command);
		if (!ret)
			ret = do_point(&x);
		load_command_free(&command);
	}
	return ret;
}
