/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/check/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/guard/knobcheck.h"

static struct check_need *add(struct check_job *job, const char *name)
{
	struct check *c = job->out;

	XGROW(c->needs, c->n_needs);
	c->needs[c->n_needs] = (struct check_need){ .name = name };
	return &c->needs[c->n_needs++];
}

void check_ok(struct check_job *job, const char *name, char *text)
{
	struct check_need *need = add(job, name);

	need->is_ok = true;
	need->text = text;
}

void check_missing(struct check_job *job, const char *name, bool is_needed,
		   char *why, const char *help)
{
	struct check_need *need = add(job, name);

	need->is_needed = is_needed;
	need->text = why;
	need->help = xstrdup(help);
}

static bool sets_knobs(const struct arm *arm)
{
	return arm->n_knobs || arm->scheme.is_used;
}

static bool has_collapse(const struct arm *arm)
{
	return arm->damos == DAMOS_MADVISE_COLLAPSE;
}

static bool has_scheme(const struct arm *arm)
{
	return arm->scheme.is_used;
}

static bool any_here(const struct check_job *job,
		     bool (*is_so)(const struct arm *arm))
{
	const struct config *c = job->config;

	for (size_t i = 0; c && i < c->n_arms; i++)
		if (!job->in_guest[i] && is_so(&c->arms[i]))
			return true;
	return false;
}

bool check_sets_knobs(const struct check_job *job)
{
	return !job->config || any_here(job, sets_knobs);
}

bool check_has_collapse(const struct check_job *job)
{
	return any_here(job, has_collapse);
}

bool check_has_scheme(const struct check_job *job)
{
	return any_here(job, has_scheme);
}

bool check_has_sysbench(const struct check_job *job)
{
	return !job->config ||
	       job->config->workload.program == WORKLOAD_SYSBENCH;
}

bool check_has_server(const struct check_job *job)
{
	return check_has_sysbench(job) &&
	       !(job->config && job->config->workload.dry_run);
}

static void check_user(struct check_job *job)
{
	if (geteuid() == 0)
		check_ok(job, "root", xstrdup("yes"));
	else
		check_missing(job, "root", check_sets_knobs(job),
			      xasprintf("user %u may not change the kernel's "
					"settings",
					(unsigned int)geteuid()),
			      "run as root: sudo thpbench ...");
}

bool check_has(const struct check_job *job, const char *name)
{
	const struct check *c = job->out;

	for (size_t i = 0; i < c->n_needs; i++)
		if (str_eq(c->needs[i].name, name))
			return c->needs[i].is_ok;
	return false;
}

/* Why the server that an arm names cannot run; NULL if it can. */
static char *no_server(const struct arm *arm)
{
	const struct server_config c = { .mariadbd = arm->mariadbd };
	struct server_program program;

	if (!arm->mariadbd)
		return NULL;
	if (server_find(&c, &program))
		return xstrdup(err_last());
	server_program_free(&program);
	return NULL;
}

/* Why one arm cannot run; NULL if it can. */
static char *why_not(struct check_job *job, size_t i, char **help)
{
	struct arm *arm = &job->config->arms[i];
	bool is_here = !job->in_guest[i];
	auto_free char *lacks = NULL;
	struct config alone = *job->config;
	char *lacks_server = no_server(arm);

	if (lacks_server)
		return lacks_server;
	alone.arms = arm;
	alone.n_arms = 1;
	if (is_here && knobcheck_arms(job->root, &alone))
		return xstrdup(err_last());
	if (is_here && arm->damos == DAMOS_MADVISE_COLLAPSE &&
	    !check_has(job, "madv-collapse"))
		return xasprintf("%s:%u: damos = madvise-collapse: see "
				 "madv-collapse above",
				 job->config->path, arm->line);
	lacks = is_here ? check_scheme(job, arm, help)
			: check_guest_arm(job, i, help);
	return lacks ? xasprintf("%s:%u: %s", job->config->path, arm->line,
				 lacks)
		     : NULL;
}

static void check_arms(struct check_job *job)
{
	struct check *c = job->out;

	if (!job->config)
		return;
	c->n_arms = job->config->n_arms;
	c->arms = xcalloc(c->n_arms, sizeof(*c->arms));
	for (size_t i = 0; i < c->n_arms; i++) {
		c->arms[i].label = job->config->arms[i].label;
		c->arms[i].why = why_not(job, i, &c->arms[i].help);
	}
}

void check_machine(const struct root *root, const struct config *config,
		   bool is_probed, struct check *out)
{
	struct check_job job = { .root = root,
				 .config = config,
				 .out = out,
				 .is_probed = is_probed };

	int was_quiet;

	*out = (struct check){ 0 };
	/* What others would print is our text. */
	was_quiet = err_quiet(true);
	check_guests(&job);
	check_user(&job);
	check_kernel(&job);
	check_damon(&job);
	check_collectors(&job);
	check_counters(&job);
	check_programs(&job);
	check_room(&job);
	check_others(&job);
	check_arms(&job);
	err_quiet(was_quiet);
	guest_set_free(&job.guests);
	free(job.in_guest);
	server_program_free(&job.program);
	facts_free(&job.damon);
}

bool check_is_ok(const struct check *c)
{
	for (size_t i = 0; i < c->n_needs; i++)
		if (c->needs[i].is_needed && !c->needs[i].is_ok)
			return false;
	for (size_t i = 0; i < c->n_arms; i++)
		if (c->arms[i].why)
			return false;
	return true;
}

void check_free(struct check *c)
{
	for (size_t i = 0; i < c->n_needs; i++) {
		free(c->needs[i].text);
		free(c->needs[i].help);
	}
	for (size_t i = 0; i < c->n_arms; i++) {
		free(c->arms[i].why);
		free(c->arms[i].help);
	}
	free(c->needs);
	free(c->arms);
	check_counters_free(&c->counters);
	*c = (struct check){ 0 };
}
