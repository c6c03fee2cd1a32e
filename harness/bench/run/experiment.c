/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/experiment.h"

#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/version.h"
#include "bench/load/load.h"
#include "kern/host.h"

static void set_size(struct facts *f, const char *name, uint64_t bytes)
{
	auto_free char *text = num_size_text(bytes);

	facts_set(f, name, text);
}

static void set_time(struct facts *f, const char *name, uint64_t ns)
{
	auto_free char *text = num_time_text(ns);

	facts_set(f, name, text);
}

static void server_facts(const struct server_config *c,
			 const struct server_program *program, struct facts *f)
{
	facts_set(f, "mariadbd", c->mariadbd);
	if (program) {
		facts_set(f, "path", program->path);
		facts_set(f, "version", program->version);
	}
	if (c->buffer_pool_bytes)
		set_size(f, "buffer_pool", c->buffer_pool_bytes);
	else
		facts_set(f, "buffer_pool", "sized to the data");
	facts_set(f, "cpus", c->cpus ? c->cpus : "all");
	facts_set(f, "client_cpus", c->client_cpus ? c->client_cpus : "all");
	if (c->numa_node >= 0)
		facts_setf(f, "numa_node", "%d", c->numa_node);
	facts_set(f, "thp_disable",
		  c->thp_disable == THP_DISABLE_BLOCK ? "block" : "keep");
	facts_set(f, "drop_caches", c->drop_caches ? "yes" : "no");
	facts_set(f, "compact_memory", c->compact_memory ? "yes" : "no");
	for (size_t i = 0; i < c->variables.n; i++)
		facts_setf(f, c->variables.list[i].name, "%s",
			   c->variables.list[i].value);
}

static const char *program_word(enum workload_program p)
{
	switch (p) {
	case WORKLOAD_SYSBENCH:
		return "sysbench";
	case WORKLOAD_MEMTOUCH:
		return "memtouch";
	case WORKLOAD_ATTACH:
		return "attach";
	case WORKLOAD_NULL:
	case WORKLOAD_POINTS:
		break;
	}
	return "null";
}

static void sysbench_facts(const struct workload_config *w, struct facts *f)
{
	auto_free char *version = load_sysbench_version(w);

	facts_set(f, "sysbench", w->sysbench);
	facts_set(f, "sysbench_version", version);
	facts_set(f, "script", w->script);
	facts_setf(f, "tables", "%u", w->tables);
	facts_setf(f, "table_size", "%" PRIu64, w->table_size);
	facts_set(f, "rand_type", w->rand_type);
	facts_set(f, "dry_run", w->dry_run ? "yes" : "no");
	facts_set(f, "reuse_data", w->reuse_data ? "yes" : "no");
}

/* All keys as they are in effect: each shapes what a point is. */
static void points_facts(const struct config *config, struct facts *f)
{
	const struct points_config *p = &config->workload.points_config;
	auto_free char *version = NULL;

	config_section(config, "workload", f);
	set_time(f, "interval", config->collect.interval_ns);
	if (!p->is_wanted[BENCHMARK_MUTEX] && !p->is_wanted[BENCHMARK_MEMORY] &&
	    !p->is_wanted[BENCHMARK_THREADS])
		return;
	version = load_sysbench_version(&config->workload);
	facts_set(f, "sysbench_version", version);
}

/* Who it is, as the kernel calls it. */
static void attach_facts(const struct root *root, unsigned int pid,
			 struct facts *f)
{
	auto_free char *path = xasprintf("proc/%u/comm", pid);
	auto_free char *comm = NULL;

	facts_setf(f, "pid", "%u", pid);
	if (!root_read_word(root, path, &comm))
		facts_set(f, "process", comm);
}

static void workload_facts(const struct root *root, const struct config *config,
			   struct facts *f)
{
	const struct workload_config *w = &config->workload;

	if (w->program == WORKLOAD_POINTS) {
		points_facts(config, f);
		return;
	}
	facts_set(f, "program", program_word(w->program));
	if (w->program == WORKLOAD_SYSBENCH) {
		sysbench_facts(w, f);
	} else if (w->program == WORKLOAD_MEMTOUCH) {
		set_size(f, "memtouch_bytes", w->memtouch_bytes);
		facts_set(f, "memtouch_pattern", w->memtouch_pattern);
	} else if (w->program == WORKLOAD_ATTACH) {
		attach_facts(root, w->pid, f);
	}
	facts_copy(f, &w->options);
	if (w->program != WORKLOAD_ATTACH)
		facts_setf(f, "threads", "%u", w->threads);
	set_time(f, "load", w->load_ns);
	set_time(f, w->settle_until_stable ? "settle_until_stable" : "settle",
		 w->settle_ns);
	set_time(f, "measure", w->measure_ns);
	set_time(f, "interval", config->collect.interval_ns);
}

static void arm_records(const struct config *config, struct experiment *e)
{
	e->n_arms = config->n_arms;
	e->arms = xcalloc(e->n_arms, sizeof(*e->arms));
	for (size_t i = 0; i < e->n_arms; i++) {
		e->arms[i].label = xstrdup(config->arms[i].label);
		facts_copy(&e->arms[i].settings, &config->arms[i].keys);
	}
}

static void claim_records(const struct config *config, struct experiment *e)
{
	e->n_claims = config->n_claims;
	e->claims = xcalloc(e->n_claims + 1, sizeof(*e->claims));
	for (size_t i = 0; i < e->n_claims; i++) {
		const struct claim *from = &config->claims[i];

		e->claims[i] = (struct claim){
			.name = xstrdup(from->name),
			.metric = xstrdup(from->metric),
			.arm = xstrdup(from->arm),
			.expect = xstrdup(from->expect),
		};
	}
}

static void plan_records(const struct plan *plan, struct experiment *e)
{
	e->n_planned = plan->n;
	e->n_runs = plan->n;
	e->runs = xcalloc(plan->n, sizeof(*e->runs));
	for (size_t i = 0; i < plan->n; i++) {
		e->runs[i].number = plan->runs[i].number;
		e->runs[i].block = plan->runs[i].block;
		e->runs[i].arm = plan->runs[i].arm;
		e->runs[i].reason = xstrdup("");
	}
}

void experiment_make(const struct root *root, const struct config *config,
		     const struct plan *plan,
		     const struct server_program *program, const char *dir,
		     struct experiment *out)
{
	const char *slash = strrchr(dir, '/');

	*out = (struct experiment){
		.dir = xstrdup(dir),
		.id = xstrdup(slash ? slash + 1 : dir),
		.title = xstrdup(config->title),
		.config_path = xstrdup(config->path),
		.config_text = xstrdup(config->text),
		.config_hash = xstrdup(config->hash),
		.program = xasprintf("thpbench %s", VERSION_TEXT),
		.created = clock_wall_text(),
		.primary = xstrdup(config->primary),
		.baseline = config->baseline,
		.blocks = config->blocks,
		.seed = config->seed,
	};
	server_facts(&config->server, program, &out->server);
	workload_facts(root, config, &out->workload);
	host_facts(root, &out->host);
	facts_setf(&out->judging, "margin", "%g%%", config->margin_pct);
	if (config->has_aa)
		facts_set(&out->judging, "aa", CONFIG_AA);
	facts_set(&out->host, "libc", gnu_get_libc_version());
	arm_records(config, out);
	claim_records(config, out);
	points_metrics(config, out);
	plan_records(plan, out);
}

void experiment_note_shard(const struct shard *shard, struct experiment *e)
{
	auto_free char *above = xstrdup(e->dir);
	char *slash = strrchr(above, '/');

	e->shard = *shard;
	if (!shard->of || !slash)
		return;
	*slash = '\0';
	slash = strrchr(above, '/');
	free(e->id);
	e->id = xasprintf("%s%s", slash ? slash + 1 : above,
			  strrchr(e->dir, '/'));
}

char *experiment_default_dir(const char *config_path)
{
	const char *slash = strrchr(config_path, '/');
	auto_free char *stem = xstrdup(slash ? slash + 1 : config_path);
	char *dot = strrchr(stem, '.');
	time_t now = time(NULL);
	struct tm tm;
	char stamp[32];

	if (dot && dot != stem)
		*dot = '\0';
	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	return xasprintf("results/%s-%s", stem, stamp);
}
