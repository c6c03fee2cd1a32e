/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_set.h"
#include "bench/run/experiment.h"
#include "bench/guard/guard.h"
#include "bench/guest/guest_run.h"
#include "bench/run/run_servers.h"

/* What the worker is handed. */
struct job {
	struct config *config;
	struct config on_host; /* the arms that run on the host's kernel */
	struct guest_set guests;
	struct run_servers servers;
	struct run_shared shared;
	struct experiment experiment;
};

static bool needs_server(const struct config *config)
{
	return config->workload.program == WORKLOAD_SYSBENCH &&
	       !config->workload.dry_run;
}

static bool counts(const struct run *run)
{
	return run->attempt &&
	       (run->state == RUN_OK || run->state == RUN_MARKED);
}

/* A run and, if it fails, the same once more. */
static int run_twice(struct job *job, struct run *run)
{
	enum { MOST_ATTEMPTS = 2 };
	struct run_shared *sh = &job->shared;
	const struct guest_target *guest =
		guest_set_target(&job->guests, run->arm);
	bool may_boot = !guest || guest->n_unbooted < GUEST_UNBOOTED_MAX;
	unsigned int left = may_boot ? MOST_ATTEMPTS : 1;
	int ret;

	/* What guests are booted with holds the server before. */
	if (run_servers_enter(&job->servers, run->arm, sh) &&
	    job->guests.files.path)
		guest_files_free(&job->guests.files);
	do {
		run->attempt++;
		ret = guest ? guest_run_one(&job->guests, sh, run)
			    : run_one(sh, run);
		if (run->state == RUN_FAILED || run->state == RUN_INVALID)
			progress_say(sh->progress, "run %u (%s) %s: %s",
				     run->number,
				     sh->config->arms[run->arm].label,
				     run_state_text(run->state), run->reason);
	} while (!ret && run->state == RUN_FAILED && --left);
	return ret;
}

static int run_plan(struct job *job)
{
	struct experiment *e = &job->experiment;
	struct run_shared *sh = &job->shared;
	unsigned int done = 0;

	/* The limit of a benchmark says nothing of how long it takes. */
	sh->progress = progress_open((unsigned int)e->n_runs,
				     job->config->points.n
					     ? points_least_ns(job->config)
					     : plan_run_most_ns(job->config));
	for (size_t i = 0; i < e->n_runs; i++, done++) {
		struct run *run = &e->runs[i];
		int ret;

		if (counts(run))
			continue;
		progress_run(sh->progress, done, run->block, e->blocks,
			     e->arms[run->arm].label);
		ret = run_twice(job, run);
		if (ret) {
			progress_close(sh->progress);
			return ret;
		}
	}
	progress_close(sh->progress);
	return 0;
}

static void tell(const char *what)
{
	fprintf(stderr, "thpbench: %s\n", what);
}

/* In the worker: all that may change the system or take long. */
static int work(struct journal *journal, void *arg)
{
	struct job *job = arg;
	struct run_shared *sh = &job->shared;
	bool all_count = true;
	int ret = 0;

	sh->journal = journal;
	if (needs_server(job->config))
		ret = run_servers_prepare(&job->servers, sh, tell);
	/* Anew: while it was read before the lock, another run may have run. */
	settings_free(&sh->settings);
	if (!ret && job->on_host.n_arms)
		ret = settings_save(sh->root, &job->on_host, &sh->settings);
	if (!ret)
		ret = journal_settings(journal, &sh->settings);
	if (!ret)
		ret = run_plan(job);
	run_servers_leave(&job->servers, sh);
	if (ret)
		return err_status(ret);
	for (size_t i = 0; i < job->experiment.n_runs; i++)
		all_count = all_count && counts(&job->experiment.runs[i]);
	return all_count ? STATUS_OK : STATUS_INVALID;
}

/* What is asked of the host's own settings. */
static void keep_host_arms(struct job *job)
{
	const struct config *c = job->config;
	struct config *host = &job->on_host;

	*host = *c;
	host->arms = xcalloc(c->n_arms, sizeof(*host->arms));
	host->n_arms = 0;
	for (size_t i = 0; i < c->n_arms; i++)
		if (!guest_set_target(&job->guests, i))
			host->arms[host->n_arms++] = c->arms[i];
}

/* Before there is a folder: how the guests will run stands in its manifest. */
static int try_guests(struct job *job)
{
	const struct config *config = job->config;
	int ret;

	if (job->guests.chosen)
		tell(job->guests.chosen);
	ret = guest_set_try(&job->guests, &config->guest);
	if (ret)
		return ret;
	for (size_t i = 0; i < job->guests.n; i++) {
		auto_free char *how =
			guest_target_text(&job->guests.targets[i]);

		tell(how);
	}
	guest_set_note(&job->guests, config, &job->experiment);
	return 0;
}

/* The experiment's own server; NULL if no arm runs it. */
static const struct server_program *find_own(const struct job *job)
{
	const char *own = job->config->server.mariadbd;

	for (size_t i = 0; i < job->servers.n; i++)
		if (str_eq(job->servers.list[i].mariadbd, own))
			return &job->servers.list[i].program;
	return NULL;
}

/* Where the results go. free() it. */
static char *result_dir(const struct config *config,
			const struct run_options *options)
{
	char *dir = options->out_dir ? xstrdup(options->out_dir)
				     : experiment_default_dir(config->path);
	auto_free char *name = NULL;
	auto_free char *above = NULL;

	if (!options->shard.of)
		return dir;
	name = shard_dir(&options->shard);
	above = dir;
	for (size_t n = strlen(above); n > 1 && above[n - 1] == '/';)
		above[--n] = '\0';
	return xasprintf("%s/%s", above, name);
}

static int prepare_job(const struct root *root, struct config *config,
		       const struct run_options *options, struct job *job)
{
	auto_free char *dir = result_dir(config, options);
	struct plan plan;
	int ret;

	if (options->kernel) {
		free(config->kernel);
		config->kernel = xstrdup(options->kernel);
	}
	ret = guest_set_open(root, config, &job->guests);
	if (ret)
		return ret;
	keep_host_arms(job);
	if (job->on_host.n_arms)
		ret = settings_save(root, &job->on_host, &job->shared.settings);
	if (!ret && needs_server(config))
		ret = run_servers_find(config, &job->servers);
	if (ret)
		return ret;
	plan_make(config->blocks, config->n_arms, config->seed, &plan);
	plan_keep_shard(&plan, &options->shard);
	experiment_make(root, config, &plan, find_own(job), dir,
			&job->experiment);
	experiment_note_shard(&options->shard, &job->experiment);
	run_servers_note(&job->servers, config, &job->experiment);
	plan_free(&plan);
	return 0;
}

int run_experiment(const struct root *root, struct config *config,
		   const struct run_options *options, char **dir)
{
	struct job job = {
		.config = config,
		.shared = { .root = root, .config = config },
	};
	struct guard_job guarded = {
		.root = root,
		.config_path = config->path,
		.work = work,
		.arg = &job,
		.waits = options->waits,
	};
	int ret = prepare_job(root, config, options, &job);

	*dir = NULL;
	job.shared.experiment = &job.experiment;
	/* One that is refused is to leave no result folder. */
	if (!ret)
		ret = guard_check(&guarded);
	if (!ret)
		ret = damos_check_arms(root, &job.on_host);
	if (!ret)
		ret = guest_set_check(&job.guests, config);
	if (!ret)
		ret = counter_set_check(root, config);
	if (!ret)
		ret = try_guests(&job);
	if (!ret)
		ret = experiment_open(&job.experiment, options->resume);
	if (!ret) {
		*dir = xstrdup(job.experiment.dir);
		ret = guard_run(&guarded);
	}
	guest_set_free(&job.guests);
	free(job.on_host.arms);
	settings_free(&job.shared.settings);
	run_servers_free(&job.servers);
	experiment_free(&job.experiment);
	return err_status(ret);
}
