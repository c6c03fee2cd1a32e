/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run of a guest is: read from what it was booted with. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tsv.h"
#include "bench/config/config_arm.h"
#include "bench/guest/guest_job.h"
#include "bench/server/prepared_parts.h"
#include "data/layout.h"

static const char results[] = "/thpbench/results";

/* The number behind "thpbench.NAME=" on the kernel's command line. */
static int read_word(const struct root *root, const char *name, uint64_t *out)
{
	auto_free char *line = NULL;
	auto_free char *key = xasprintf("thpbench.%s=", name);
	auto_free char **words = NULL;
	int ret = root_read_word(root, "proc/cmdline", &line);
	size_t n;

	if (ret)
		return fail(ret, "/proc/cmdline");
	words = str_split(line, ' ', &n);
	for (size_t i = 0; i < n; i++)
		if (str_starts(words[i], key) &&
		    !num_u64(words[i] + strlen(key), out))
			return 0;
	return refuse(-EINVAL, "the guest was booted without %s", key);
}

/* Its arm alone: what the others ask for, this kernel need not have. */
static int keep_arm(struct config *c, const char *label)
{
	size_t kept = c->n_arms;

	for (size_t i = 0; i < c->n_arms; i++) {
		if (str_eq(c->arms[i].label, label))
			kept = i;
		else
			arm_free(&c->arms[i]);
	}
	if (kept == c->n_arms)
		return refuse(-EINVAL, "the configuration has no arm '%s'",
			      label);
	c->arms[0] = c->arms[kept];
	c->n_arms = 1;
	c->baseline = 0;
	return 0;
}

static int read_config(const struct facts *facts, const char *label,
		       struct config *out)
{
	auto_free char *text = NULL;
	const char *dir = facts_get(facts, "dir");
	int ret = file_read("/thpbench/config", &text, NULL);

	if (ret)
		return fail(ret, "/thpbench/config");
	/* Paths in it are relative to where it was read. */
	if (chdir(dir))
		return fail(-errno, "%s", dir);
	ret = config_parse(facts_get(facts, "config"), text, out);
	return ret ? ret : keep_arm(out, label);
}

static int read_prepared(const struct facts *facts, struct run_shared *sh)
{
	const struct server_config c = {
		.mariadbd = (char *)facts_get(facts, "mariadbd")
	};
	const char *dir = facts_get(facts, "prepared");
	struct prepared *p = &sh->prepared;

	if (!*dir)
		return 0;
	p->dir = xstrdup(dir);
	if (prepared_read(dir, &p->data_bytes))
		return refuse(-ENOENT, "%s holds no data", dir);
	/* This guest's alone: used in its place, without a copy. */
	sh->data_dir = xasprintf("%s/data", dir);
	return server_find(&c, &sh->program);
}

/* What the store needs of an experiment: a folder, an arm, a run. */
static int make_experiment(const struct root *root, const char *label,
			   struct experiment *e)
{
	struct run *run = xcalloc(1, sizeof(*run));
	auto_free char *runs = xasprintf("%s/" LAYOUT_RUNS, results);
	uint64_t v[3] = { 0 };
	int ret = read_word(root, "run", &v[0]);

	if (!ret)
		ret = read_word(root, "block", &v[1]);
	if (!ret)
		ret = read_word(root, "attempt", &v[2]);
	run->reason = xstrdup("");
	e->runs = run;
	e->n_runs = 1;
	e->arms = xcalloc(1, sizeof(*e->arms));
	e->arms[0].label = xstrdup(label);
	e->n_arms = 1;
	e->dir = xstrdup(results);
	if (ret)
		return ret;
	run->number = (unsigned int)v[0];
	run->block = (unsigned int)v[1];
	run->attempt = (unsigned int)v[2];
	ret = file_mkdirs(runs);
	return ret ? fail(ret, "make %s", runs) : 0;
}

static int read_job(const struct root *root, const struct facts *facts,
		    struct guest_job *job)
{
	auto_free char *name = NULL;
	auto_free char *dir = NULL;
	const char *label;
	uint64_t arm = 0;
	int ret = read_word(root, "arm", &arm);

	if (ret)
		return ret;
	name = xasprintf("arm.%llu", (unsigned long long)arm);
	label = facts_get(facts, name);
	ret = read_config(facts, label, &job->config);
	if (!ret)
		ret = make_experiment(root, label, &job->experiment);
	if (!ret)
		points_metrics(&job->config, &job->experiment);
	if (ret)
		return ret;
	dir = layout_run_dir(&job->experiment, job->experiment.runs,
			     job->experiment.runs->attempt);
	job->run_dir = xasprintf("%s/%s", results, dir);
	job->shared.root = root;
	job->shared.is_guest = true;
	job->shared.config = &job->config;
	job->shared.experiment = &job->experiment;
	return read_prepared(facts, &job->shared);
}

int guest_job_read(const struct root *root, struct guest_job *job)
{
	struct facts facts = { 0 };
	struct tsv t;
	int ret;

	*job = (struct guest_job){ .root = root };
	ret = tsv_read("/thpbench/experiment.tsv", &t);
	if (ret)
		return fail(ret, "/thpbench/experiment.tsv");
	for (size_t i = 0; i < t.n_rows; i++)
		facts_set(&facts, tsv_cell(&t, i, 0), tsv_cell(&t, i, 1));
	tsv_free(&t);
	ret = read_job(root, &facts, job);
	facts_free(&facts);
	return ret;
}
