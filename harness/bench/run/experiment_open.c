/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result folder that an experiment begins with. */
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/run/experiment.h"
#include "data/alike.h"
#include "data/layout.h"
#include "data/store.h"

static bool holds_results(const char *dir)
{
	auto_free char *manifest = xasprintf("%s/manifest.json", dir);

	return access(manifest, F_OK) == 0;
}

/* Files of another kind, which the results would lie among. */
static bool holds_others(const char *dir)
{
	auto_dir DIR *d = opendir(dir);
	const struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (entry->d_name[0] != '.' &&
		    !str_eq(entry->d_name, LAYOUT_RUNS))
			return true;
	return false;
}

static bool is_same_fact(const struct experiment *a, const struct experiment *b,
			 const char *name)
{
	return str_eq(facts_get(&a->host, name), facts_get(&b->host, name));
}

/* Blocks and seed alike draw the same order for the same arms. */
static bool has_same_arms(const struct experiment *a,
			  const struct experiment *b)
{
	if (a->n_arms != b->n_arms)
		return false;
	for (size_t i = 0; i < a->n_arms; i++)
		if (!str_eq(a->arms[i].label, b->arms[i].label))
			return false;
	return true;
}

static bool is_same_plan(const struct experiment *a, const struct experiment *b)
{
	return str_eq(a->config_hash, b->config_hash) &&
	       a->n_planned == b->n_planned && a->blocks == b->blocks &&
	       a->shard.index == b->shard.index && a->shard.of == b->shard.of &&
	       has_same_arms(a, b);
}

/* Runs of two hosts in one folder would be pooled without a word. */
static int check_host(const struct experiment *old, const struct experiment *e)
{
	if (!alike_same_host(old, e) || !is_same_fact(old, e, "kernel"))
		return refuse(-EINVAL,
			      "%s was begun on %s with Linux %s, and this is "
			      "%s with Linux %s; resume there, or begin anew "
			      "in another folder",
			      e->dir, facts_get(&old->host, "hostname"),
			      facts_get(&old->host, "kernel"),
			      facts_get(&e->host, "hostname"),
			      facts_get(&e->host, "kernel"));
	/* A kernel built anew keeps its release. */
	if (!is_same_fact(old, e, "kernel_version"))
		return refuse(-EINVAL,
			      "%s was begun with another build of Linux %s: "
			      "%s, and this is %s; resume with that, or begin "
			      "anew in another folder",
			      e->dir, facts_get(&e->host, "kernel"),
			      facts_get(&old->host, "kernel_version"),
			      facts_get(&e->host, "kernel_version"));
	return 0;
}

static int check_version(const struct experiment *e, const char *program,
			 const char *old, const char *now)
{
	if (str_eq(old, now))
		return 0;
	return refuse(-EINVAL,
		      "%s was begun with %s %s, and here is %s; resume with "
		      "that, or begin anew in another folder",
		      e->dir, program, *old ? old : "unknown",
		      *now ? now : "unknown");
}

/* An upgrade between would be pooled like another host. */
static int check_programs(const struct experiment *old,
			  const struct experiment *e)
{
	int ret =
		check_version(e, "MariaDB", facts_get(&old->server, "version"),
			      facts_get(&e->server, "version"));

	if (!ret)
		ret = check_version(e, "sysbench",
				    facts_get(&old->workload,
					      "sysbench_version"),
				    facts_get(&e->workload,
					      "sysbench_version"));
	for (size_t i = 0; !ret && i < e->n_arms; i++)
		ret = check_version(e, "mariadbd",
				    facts_get(&old->arms[i].settings,
					      "mariadbd"),
				    facts_get(&e->arms[i].settings,
					      "mariadbd"));
	return ret;
}

static int check_old(const struct experiment *old, const struct experiment *e)
{
	int ret;

	if (!is_same_fact(old, e, "guest_kernels") ||
	    !is_same_fact(old, e, "guest_images") ||
	    !is_same_fact(old, e, "accel"))
		return refuse(-EINVAL,
			      "%s was made with other kernels, or other "
			      "emulation of them; resume with the same",
			      e->dir);
	if (!is_same_plan(old, e))
		return refuse(-EINVAL,
			      "%s was made by another configuration or "
			      "choice of arms and blocks; resume with "
			      "the same",
			      e->dir);
	ret = check_host(old, e);
	return ret ? ret : check_programs(old, e);
}

int experiment_open(struct experiment *e, bool resumes)
{
	struct experiment old = { 0 };
	int ret;

	if (!resumes && holds_results(e->dir))
		return refuse(-EINVAL,
			      "%s holds results already; --resume goes on with "
			      "them, -o names another folder",
			      e->dir);
	if (!resumes && holds_others(e->dir))
		return refuse(-EINVAL,
			      "%s holds other files; -o names a folder of the "
			      "experiment's own",
			      e->dir);
	if (!resumes)
		return store_create(e);
	ret = store_load_experiment(e->dir, &old);
	if (ret)
		return ret;
	ret = check_old(&old, e);
	experiment_free(&old);
	return ret ? ret : store_load_journal(e);
}
