/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/load/points.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/paths.h"
#include "base/str.h"
#include "bench/config/config.h"
#include "data/extra.h"

/* workloads/builtin.lua */
#define BUILTIN_LUA "builtin.lua"

/* A list of words of the configuration, taken apart. */
struct words {
	char *copy;
	char **list;
	size_t n;
};

static struct words words_of(const char *text)
{
	struct words w = { .copy = xstrdup(text ? text : "") };

	w.list = str_split(w.copy, ' ', &w.n);
	return w;
}

static void words_free(struct words *w)
{
	free(w->list);
	free(w->copy);
}

/* name is taken. */
static struct point *add(struct points *out, enum benchmark_id id, char *name,
			 const char *unit, enum metric_better better)
{
	struct point *p;

	XGROW(out->list, out->n);
	p = &out->list[out->n++];
	*p = (struct point){
		.benchmark = id,
		.metric = {
			.name = name,
			.title = xstrdup(name),
			.unit = xstrdup(unit),
			.better = better,
			.kind = METRIC_GAUGE,
			.source = xstrdup(benchmarks[id].word),
			.help = xstrdup(benchmarks[id].help),
		},
	};
	return p;
}

/* --- hackbench: every worker with every channel and number of groups --- */

static void add_option(struct load_command *c, const char *name,
		       const char *value)
{
	load_command_arg(c, "%s", name);
	load_command_arg(c, "%s", value);
}

static void add_number(struct load_command *c, const char *name,
		       unsigned int value)
{
	load_command_arg(c, "%s", name);
	load_command_arg(c, "%u", value);
}

static void add_hackbench(const struct points_config *c, const char *worker,
			  const char *channel, const char *groups,
			  struct points *out)
{
	struct point *p = add(out, BENCHMARK_HACKBENCH,
			      xasprintf("%s-%s-%s", worker, channel, groups),
			      "s", METRIC_LESS);
	struct load_command *command = &p->command;

	load_command_arg(command, "%s",
			 benchmarks[BENCHMARK_HACKBENCH].program);
	/* Short options: of --groups=N rt-tests 2.4 loses the number. */
	load_command_arg(command, str_eq(worker, "thread") ? "-T" : "-P");
	/* Sockets are what it does when nothing is said. */
	if (str_eq(channel, "pipes"))
		load_command_arg(command, "-p");
	add_option(command, "-g", groups);
	add_number(command, "-l", c->loops);
	add_number(command, "-f", c->fds);
	add_number(command, "-s", c->datasize_bytes);
	p->regex = "^Time: ([0-9.]+)$";
}

static void hackbench_add(const struct config *config, struct points *out)
{
	const struct points_config *c = &config->workload.points_config;
	struct words workers = words_of(c->workers);
	struct words channels = words_of(c->channels);
	struct words groups = words_of(c->groups);

	for (size_t w = 0; w < workers.n; w++)
		for (size_t h = 0; h < channels.n; h++)
			for (size_t g = 0; g < groups.n; g++)
				add_hackbench(c, workers.list[w],
					      channels.list[h], groups.list[g],
					      out);
	words_free(&workers);
	words_free(&channels);
	words_free(&groups);
}

/* --- sysbench: a point a number of threads (workloads/builtin.lua) --- */

static uint64_t duration(const struct config *config)
{
	return config->workload.points_config.duration_ns;
}

static const struct {
	const char *test; /* as sysbench calls it */
	const char *unit;
	const char *json;
	enum metric_better better;
	bool is_timed; /* else it ends when its work is done */
} builtins[BENCHMARK_N] = {
	[BENCHMARK_MUTEX] = { "mutex", "us", ".mean_us", METRIC_LESS, false },
	[BENCHMARK_MEMORY] = { "memory", "MiB/s", ".mib_per_s", METRIC_MORE,
			       true },
	[BENCHMARK_THREADS] = { "threads", "1/s", ".events_per_s", METRIC_MORE,
				true },
};

static void add_builtin(const struct config *config, enum benchmark_id id,
			const char *threads, struct points *out)
{
	const struct workload_config *w = &config->workload;
	bool is_system = str_eq(w->sysbench, "system");
	const char *test = builtins[id].test;
	struct point *p =
		add(out, id, xasprintf("sysbench%s-%s", test, threads),
		    builtins[id].unit, builtins[id].better);
	struct load_command *c = &p->command;
	uint64_t seconds = duration(config) / NUM_NS_PER_S;

	load_command_arg(c, "%s", is_system ? "sysbench" : w->sysbench);
	load_command_arg(c, BUILTIN_LUA);
	for (size_t i = 0; i < w->options.n; i++)
		load_command_arg(c, "--%s=%s", w->options.list[i].name,
				 w->options.list[i].value);
	load_command_arg(c, "--threads=%s", threads);
	load_command_arg(c, "--time=%llu",
			 builtins[id].is_timed ? (unsigned long long)seconds
					       : 0ULL);
	load_command_arg(c, "--events=0");
	load_command_arg(c, "run");
	load_command_env(c, "THPBENCH_BUILTIN=%s", test);
	p->json = builtins[id].json;
}

static void builtin_add(const struct config *config, enum benchmark_id id,
			struct points *out)
{
	struct words threads = words_of(config->workload.points_config.threads);

	for (size_t i = 0; i < threads.n; i++)
		add_builtin(config, id, threads.list[i], out);
	words_free(&threads);
}

static void mutex_add(const struct config *config, struct points *out)
{
	builtin_add(config, BENCHMARK_MUTEX, out);
}

static void memory_add(const struct config *config, struct points *out)
{
	builtin_add(config, BENCHMARK_MEMORY, out);
}

static void threads_add(const struct config *config, struct points *out)
{
	builtin_add(config, BENCHMARK_THREADS, out);
}

/* --- any command --- */

/* text with value in place of each {}. free() it. */
static char *with_value(const char *text, const char *value)
{
	struct str out = { 0 };
	const char *at;

	while ((at = strstr(text, "{}"))) {
		str_addn(&out, text, (size_t)(at - text));
		str_add(&out, value);
		text = at + 2;
	}
	str_add(&out, text);
	return str_steal(&out);
}

static void add_command(const struct points_config *c, const char *value,
			struct points *out)
{
	auto_free char *text =
		value ? with_value(c->command, value) : xstrdup(c->command);
	struct point *p = add(out, BENCHMARK_COMMAND,
			      value ? xasprintf("%s-%s", c->name, value)
				    : xstrdup(c->name),
			      c->unit, c->better);

	load_command_arg(&p->command, POINTS_SHELL);
	load_command_arg(&p->command, "-c");
	load_command_arg(&p->command, "%s", text);
	p->regex = c->regex;
	p->json = c->json;
}

static void command_add(const struct config *config, struct points *out)
{
	const struct points_config *c = &config->workload.points_config;
	struct words values = words_of(c->values);

	for (size_t i = 0; i < values.n; i++)
		add_command(c, values.list[i], out);
	if (!values.n)
		add_command(c, NULL, out);
	words_free(&values);
}

const struct benchmark benchmarks[BENCHMARK_N] = {
	[BENCHMARK_HACKBENCH] = { "hackbench", "hackbench", "rt-tests",
				  "time of all messages, as hackbench says",
				  hackbench_add, NULL },
	[BENCHMARK_MUTEX] = { "sysbench-mutex", NULL, "sysbench",
			      "mean time of a thread, by sysbench's hook",
			      mutex_add, NULL },
	[BENCHMARK_MEMORY] = { "sysbench-memory", NULL, "sysbench",
			       "memory written or read, by sysbench's hook",
			       memory_add, duration },
	[BENCHMARK_THREADS] = { "sysbench-threads", NULL, "sysbench",
				"events, by sysbench's hook", threads_add,
				duration },
	[BENCHMARK_COMMAND] = { "command", NULL, NULL,
				"the figure of the configured command",
				command_add, NULL },
};

/* --- all --- */

void points_make(const struct config *c, struct points *out)
{
	*out = (struct points){ 0 };
	for (size_t i = 0; i < BENCHMARK_N; i++)
		if (c->workload.points_config.is_wanted[i])
			benchmarks[i].add(c, out);
}

void points_free(struct points *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct metric *m = &p->list[i].metric;

		free((char *)m->name);
		free((char *)m->title);
		free((char *)m->unit);
		free((char *)m->source);
		free((char *)m->help);
		load_command_free(&p->list[i].command);
	}
	free(p->list);
	*p = (struct points){ 0 };
}

const struct point *points_find(const struct points *p, const char *metric)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->list[i].metric.name, metric))
			return &p->list[i];
	return NULL;
}

void points_metrics(const struct config *c, struct experiment *e)
{
	for (size_t i = 0; i < c->points.n; i++)
		extra_add(e, &c->points.list[i].metric);
}

static uint64_t executions(const struct config *c)
{
	const struct points_config *p = &c->workload.points_config;

	return (uint64_t)p->repeats + p->warm_ups;
}

uint64_t points_least_ns(const struct config *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->points.n; i++) {
		const struct benchmark *b =
			&benchmarks[c->points.list[i].benchmark];

		if (b->takes_ns)
			sum += executions(c) * b->takes_ns(c);
	}
	return sum;
}

uint64_t points_most_ns(const struct config *c)
{
	return c->points.n * executions(c) * c->workload.points_config.limit_ns;
}

char *points_command_text(const struct point *p)
{
	struct str out = { 0 };

	for (size_t i = 0; i < p->command.n_argv; i++)
		str_addf(&out, "%s%s", i ? " " : "", p->command.argv[i]);
	return str_steal(&out);
}

int points_resolve(const struct point *p, struct load_command *out)
{
	for (size_t i = 0; i < p->command.n_argv; i++) {
		const char *arg = p->command.argv[i];
		bool is_ours = i == 1 && str_eq(arg, BUILTIN_LUA);
		auto_free char *path = is_ours ? paths_find(arg) : NULL;

		if (is_ours && !path)
			return -ENOENT;
		load_command_arg(out, "%s", path ? path : arg);
	}
	for (size_t i = 0; i < p->command.n_env; i++)
		load_command_env(out, "%s", p->command.env[i]);
	return 0;
}

static bool has_text(const char **list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(list[i], text))
			return true;
	return false;
}

const char **points_programs(const struct config *c, size_t *n)
{
	const char **list = xcalloc(c->points.n + 1, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < c->points.n; i++) {
		const char *program = c->points.list[i].command.argv[0];

		if (!has_text(list, *n, program))
			list[(*n)++] = program;
	}
	return list;
}

void points_config_free(struct points_config *p)
{
	free(p->threads);
	free(p->groups);
	free(p->workers);
	free(p->channels);
	free(p->command);
	free(p->values);
	free(p->name);
	free(p->unit);
	free(p->regex);
	free(p->json);
	free(p->files);
	*p = (struct points_config){ 0 };
}
