/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thpbench plan: the runs of an experiment, before anything is done. */
#include "bench/run/plan.h"

#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/foresee.h"

static const struct cmd_option options[] = {
	{ "writes", NULL, 0, "each kernel file that an arm writes, in order" },
	{ "blocks", "N", 0, "so many blocks instead of the configured" },
	{ "json", NULL, 0, "as JSON, writes included" },
	{ "cv", "PCT", 0, "what it can show with this spread between runs" },
	{ "shard", "I/N", 0, "only the blocks of shard I of N" },
	{ 0 },
};

struct choice {
	bool writes;
	bool json;
	uint64_t blocks; /* 0: as configured */
	double cv;       /* as a ratio; 0: not given */
	struct shard shard;
};

static int read_options(const struct cmd *cmd, int argc, char **argv,
			struct choice *c)
{
	const struct cmd_option *o;
	const char *value;
	int bad;

	while ((o = cmd_next(cmd, argc, argv, &value, &bad))) {
		if (o == &options[0])
			c->writes = true;
		else if (o == &options[2])
			c->json = true;
		else if (o == &options[1]   ? cmd_blocks(value, &c->blocks)
			 : o == &options[3] ? foresee_cv(value, &c->cv)
					    : cmd_shard(value, &c->shard))
			return STATUS_USAGE;
	}
	return bad;
}

static void print_runs(const struct config *c, const struct plan *plan,
		       const struct shard *shard)
{
	size_t whole = c->n_arms * c->blocks;

	printf("%s\n%zu run%s: %zu arm%s in %u block%s, order drawn from seed "
	       "%" PRIu64 "\n",
	       c->title, whole, whole == 1 ? "" : "s", c->n_arms,
	       c->n_arms == 1 ? "" : "s", c->blocks, c->blocks == 1 ? "" : "s",
	       c->seed);
	if (shard->of)
		printf("shard %u of %u: %zu of these runs\n", shard->index,
		       shard->of, plan->n);
	printf("\n run  block  arm\n");
	for (size_t i = 0; i < plan->n; i++)
		printf("%4u  %5u  %s%s\n", plan->runs[i].number,
		       plan->runs[i].block, c->arms[plan->runs[i].arm].label,
		       plan->runs[i].arm == c->baseline ? "  (baseline)" : "");
}

/* Of all runs; stops at 584 years. free() it. */
static char *total_text(const struct plan *plan, uint64_t run_ns)
{
	uint64_t ns;

	if (__builtin_mul_overflow((uint64_t)plan->n, run_ns, &ns))
		ns = UINT64_MAX;
	return num_time_text(ns);
}

static void print_time(const struct config *c, const struct plan *plan)
{
	const struct workload_config *w = &c->workload;
	auto_free char *load = num_time_text(w->load_ns);
	auto_free char *settle = num_time_text(w->settle_ns);
	auto_free char *measure = num_time_text(w->measure_ns);
	auto_free char *least = total_text(plan, plan_run_least_ns(c));
	auto_free char *most = total_text(plan, plan_run_most_ns(c));

	if (c->points.n)
		printf("\nEach run: %zu points in the order below, until all "
		       "are "
		       "done.\n",
		       c->points.n);
	else
		printf("\nEach run: load %s, settle %s%s, measure %s.\n", load,
		       w->settle_until_stable ? "until stable, at most " : "",
		       settle, measure);
	if (w->settle_until_stable || c->points.n)
		printf("In all: %s at the least, %s at the most,", least, most);
	else
		printf("In all: %s,", most);
	printf(" in these phases;\npreparing data, starting and stopping "
	       "servers come on top.\n");
}

/* One after the other, in each run. */
static void print_points(const struct config *c)
{
	if (c->points.n)
		printf("\npoint (unit, better): command\n");
	for (size_t i = 0; i < c->points.n; i++) {
		const struct point *p = &c->points.list[i];
		auto_free char *command = points_command_text(p);

		printf("  %s (%s, %s): %s\n", p->metric.name, p->metric.unit,
		       metric_better_text(p->metric.better), command);
	}
}

static json_t *json_points(const struct config *c)
{
	json_t *list = json_array();

	for (size_t i = 0; i < c->points.n; i++) {
		const struct point *p = &c->points.list[i];
		auto_free char *command = points_command_text(p);

		json_array_append_new(
			list,
			json_pack("{ss, ss, ss, ss}", "metric", p->metric.name,
				  "unit", p->metric.unit, "better",
				  metric_better_text(p->metric.better),
				  "command", command));
	}
	return list;
}

static void print_foresight(const struct config *c, double cv)
{
	auto_str struct str text = { 0 };
	struct foresight f;

	foresee(c, &f);
	f.cv = cv;
	foresight_text(&f, &text);
	printf("\n%s", text.text);
}

static void print_damon(const char *when, const struct damon_writes *writes)
{
	printf("  %s:\n", when);
	for (size_t i = 0; i < writes->n; i++)
		printf("    /%s  %s%s\n", writes->list[i].path,
		       writes->list[i].value,
		       writes->list[i].is_optional ? "  (if it is there)" : "");
}

static void print_scheme(const struct config *c, size_t arm)
{
	const struct damos_config *scheme = &c->arms[arm].scheme;
	const char *addresses =
		facts_get(&c->arms[arm].keys, "damos.addresses");
	struct damon_writes start;
	struct damon_writes stop;

	if (!scheme->is_used)
		return;
	plan_scheme(c, arm, &start, &stop);
	print_damon("when settling starts", &start);
	print_damon("when the run ends", &stop);
	if (scheme->by == DAMOS_BY_MODULE)
		printf("  MODULE: the hugepage sample module, as it is found; "
		       "monitored_pid in place of target_pid if it has that\n");
	else if (scheme->goal == DAMOS_GOAL_SYSTEM)
		printf("  a kernel without hugepage_mem_bp: user_input, which "
		       "thpbench feeds each %" PRIu64 " ms\n",
		       scheme->setup.scheme.quota_reset_ms);
	if (scheme->goal == DAMOS_GOAL_PROCESS)
		printf("  user_input: thpbench feeds it each %" PRIu64 " ms\n",
		       scheme->setup.scheme.quota_reset_ms);
	if (scheme->is_pool || scheme->n_kdamonds > 1)
		printf("  START and END: %s of %s\n",
		       scheme->n_kdamonds > 1 ? "its share" : "the ranges",
		       scheme->is_pool ? "the buffer pool" : addresses);
	damon_writes_free(&start);
	damon_writes_free(&stop);
}

static void print_writes(const struct config *c)
{
	for (size_t a = 0; a < c->n_arms; a++) {
		struct plan_writes writes;

		plan_writes(c, a, &writes);
		printf("\narm \"%s\" writes:\n", c->arms[a].label);
		for (size_t i = 0; i < writes.n; i++)
			printf("  /%s  %s%s\n", writes.list[i].path,
			       writes.list[i].value
				       ? writes.list[i].value
				       : "(its first value, if it changed)",
			       writes.list[i].if_on ? "  (if it is on)" : "");
		if (c->arms[a].damos == DAMOS_MADVISE_COLLAPSE)
			printf("  no file, but process_madvise(MADV_COLLAPSE) "
			       "when settling starts\n");
		print_scheme(c, a);
		plan_writes_free(&writes);
	}
	printf("\nAll go back to their first values when the experiment ends, "
	       "however it ends.\n");
}

static json_t *json_runs(const struct config *c, const struct plan *plan)
{
	json_t *runs = json_array();

	for (size_t i = 0; i < plan->n; i++)
		json_array_append_new(
			runs,
			json_pack("{sI, sI, ss}", "run",
				  (json_int_t)plan->runs[i].number, "block",
				  (json_int_t)plan->runs[i].block, "arm",
				  c->arms[plan->runs[i].arm].label));
	return runs;
}

static json_t *json_damon(const struct config *c, size_t arm)
{
	struct damon_writes start;
	struct damon_writes stop;
	json_t *list = json_array();

	plan_scheme(c, arm, &start, &stop);
	for (size_t i = 0; i < start.n; i++)
		json_array_append_new(list,
				      json_pack("{ss, ss, sb}", "path",
						start.list[i].path, "value",
						start.list[i].value, "optional",
						start.list[i].is_optional));
	damon_writes_free(&start);
	damon_writes_free(&stop);
	return list;
}

static json_t *json_arms(const struct config *c)
{
	json_t *arms = json_array();

	for (size_t a = 0; a < c->n_arms; a++) {
		json_t *list = json_array();
		struct plan_writes writes;

		plan_writes(c, a, &writes);
		for (size_t i = 0; i < writes.n; i++)
			json_array_append_new(
				list, json_pack("{ss, ss?, sb}", "path",
						writes.list[i].path, "value",
						writes.list[i].value, "if_on",
						writes.list[i].if_on));
		plan_writes_free(&writes);
		json_array_append_new(arms,
				      json_pack("{ss, sb, so, so}", "label",
						c->arms[a].label, "collapse",
						c->arms[a].damos ==
							DAMOS_MADVISE_COLLAPSE,
						"writes", list, "damon",
						json_damon(c, a)));
	}
	return arms;
}

/* The keys in effect, defaults filled in. */
static json_t *json_section(const struct config *c, const char *section)
{
	json_t *keys = json_object();
	struct facts facts = { 0 };

	config_section(c, section, &facts);
	for (size_t i = 0; i < facts.n; i++)
		json_object_set_new(keys, facts.list[i].name,
				    json_string(facts.list[i].value));
	facts_free(&facts);
	return keys;
}

/* What cannot be told is null, or 0 blocks. */
static json_t *json_foresight(const struct config *c, double cv)
{
	struct foresight f;
	double shows;

	foresee(c, &f);
	f.cv = cv;
	shows = foresight_shows_pct(&f);
	return json_pack("{sf, so, sI}", "cv_pct", 100 * cv, "shows_pct",
			 isfinite(shows) && f.n_comparisons ? json_real(shows)
							    : json_null(),
			 "needs_blocks",
			 f.n_comparisons ? (json_int_t)foresight_needs(&f) : 0);
}

static int print_json(const struct config *c, const struct plan *plan,
		      const struct choice *choice)
{
	double cv = choice->cv;
	double n = (double)plan->n;
	json_t *all =
		json_pack("{ss, ss, ss, ss, sI, sf, sf, so, so}", "title",
			  c->title, "config", c->path, "hash", c->hash,
			  "baseline", c->arms[c->baseline].label, "blocks",
			  (json_int_t)c->blocks, "least_s",
			  n * (double)plan_run_least_ns(c) / 1e9, "most_s",
			  n * (double)plan_run_most_ns(c) / 1e9, "runs",
			  json_runs(c, plan), "arms", json_arms(c));
	static const char *const sections[] = { "server", "workload",
						"collect" };
	int ret;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		json_object_set_new(all, sections[i],
				    json_section(c, sections[i]));
	if (c->points.n)
		json_object_set_new(all, "points", json_points(c));
	/* As a text: JSON's numbers end at 2^53 in many readers. */
	json_object_set_new(all, "seed", json_sprintf("%" PRIu64, c->seed));
	if (choice->shard.of)
		json_object_set_new(all, "shard",
				    json_sprintf("%u/%u", choice->shard.index,
						 choice->shard.of));
	if (cv > 0)
		json_object_set_new(all, "foresight", json_foresight(c, cv));
	ret = json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	json_decref(all);
	if (!ret)
		putchar('\n');
	return ret ? refuse(STATUS_IO, "plan: cannot write the JSON") : 0;
}

static int show(const char *path, const struct choice *choice)
{
	struct config c;
	struct plan plan;
	int ret = config_read(path, &c);

	if (ret)
		return err_status(ret);
	if (choice->blocks)
		c.blocks = (unsigned int)choice->blocks;
	ret = cmd_shard_fits(&choice->shard, path, c.blocks);
	if (ret) {
		config_free(&c);
		return ret;
	}
	plan_make(c.blocks, c.n_arms, c.seed, &plan);
	plan_keep_shard(&plan, &choice->shard);
	if (choice->json) {
		ret = print_json(&c, &plan, choice);
	} else {
		print_runs(&c, &plan, &choice->shard);
		print_points(&c);
		print_time(&c, &plan);
		if (choice->cv > 0)
			print_foresight(&c, choice->cv);
		if (choice->writes)
			print_writes(&c);
	}
	plan_free(&plan);
	config_free(&c);
	return ret;
}

static int plan_main(const struct cmd *cmd, int argc, char **argv)
{
	struct choice choice = { 0 };
	int ret = read_options(cmd, argc, argv, &choice);

	if (!ret && optind + 1 != argc)
		ret = refuse(STATUS_USAGE,
			     "plan: one configuration is wanted; see thpbench "
			     "plan --help");
	if (!ret)
		ret = show(argv[optind], &choice);
	return ret < 0 ? STATUS_OK : ret;
}

const struct cmd cmd_plan = {
	.name = "plan",
	.arguments = "CONFIG",
	.help = "the runs in order and how long they take",
	.options = options,
	.main = plan_main,
};
