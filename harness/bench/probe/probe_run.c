/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probes on this kernel, under guard. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "bench/damos/damos_put.h"
#include "bench/guard/guard.h"
#include "bench/probe/probe_knobs.h"
#include "bench/probe/probe_parts.h"
#include "kern/host.h"

/* What the guard's child works with. */
struct probing {
	const struct root *root;
	const struct probe *const *list;
	size_t n;
	void (*tell)(const struct probe *p);
	int fd; /* the answers go there, for the guard */
};

static void add_facts(const struct root *root, struct answers *out)
{
	static const char *const names[] = {
		"kernel",     "kernel_version", "arch",       "cpu",
		"cpus",       "memory_bytes",   "page_bytes", "huge_page_bytes",
		"hypervisor",
	};
	struct facts facts = { 0 };

	host_facts(root, &facts);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (*facts_get(&facts, names[i]))
			facts_set(&out->host, names[i],
				  facts_get(&facts, names[i]));
	facts_set(&out->host, "where", root->is_live ? "host" : "recorded");
	facts_free(&facts);
}

/* A kdamond that a killed probe left is taken away: the next one needs it. */
static void clear_up(const struct probe *p, const struct probe_env *env,
		     int pid)
{
	const struct damos_owned owned = { 1, pid, "vaddr" };

	if (p->uses_damon && pid > 0 && damos_owns(env->root, &owned))
		damos_take_away(env->root, &owned);
}

static void probe_one(const struct probe *p, const struct probe_env *env,
		      struct probe_knobs *knobs, struct answer *out)
{
	int pid;

	if (probe_knobs_apply(knobs, env->root, p, out))
		return;
	probe_child(p, env, out, &pid);
	clear_up(p, env, pid);
}

static int work(struct journal *journal, void *arg)
{
	const struct probing *w = arg;
	struct probe_env env = {
		.root = w->root,
		.journal = journal,
		.huge_bytes = host_huge_page_bytes(w->root),
	};
	struct answers answers = { 0 };
	struct probe_knobs knobs;
	auto_free char *text = NULL;
	int ret = probe_knobs_open(w->root, w->list, w->n, journal, &knobs);

	if (ret)
		return err_status(ret);
	for (size_t i = 0; i < w->n && !guard_stopped(); i++) {
		const struct probe *p = w->list[i];

		if (w->tell)
			w->tell(p);
		probe_one(p, &env, &knobs,
			  answers_add(&answers, p->name, p->asks));
	}
	ret = probe_knobs_close(&knobs, w->root);
	text = answers_format(&answers);
	answers_free(&answers);
	if (file_write_fd(w->fd, text, strlen(text)))
		ret = fail(-EIO, "keep the answers");
	return err_status(ret);
}

/* Nothing is tried on a recorded tree, but what is known from its files. */
static void run_recorded(const struct probing *w, struct answers *out)
{
	const struct probe_env env = { .root = w->root };

	for (size_t i = 0; i < w->n; i++) {
		const struct probe *p = w->list[i];
		struct answer *a = answers_add(out, p->name, p->asks);

		if (p->is_recorded)
			p->run(&env, a);
		else
			probe_missing(a, "nothing can be tried below a "
					 "recorded root");
	}
}

static int read_answers(int fd, struct answers *out)
{
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	int ret = file_reread_fd(fd, &text, NULL);

	if (ret)
		return err_status(fail(ret, "read the answers"));
	if (answers_parse(text, out, &why))
		return err_status(refuse(-EIO, "the answers: %s", why));
	return STATUS_OK;
}

int probe_run(const struct root *root, const struct probe *const *list,
	      size_t n, void (*tell)(const struct probe *), struct answers *out)
{
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);
	struct probing w = { root, list, n, tell, fd };
	struct guard_job job = {
		.root = root,
		.config_path = "thpbench probe",
		.work = work,
		.arg = &w,
	};
	int status = STATUS_OK;

	*out = (struct answers){ 0 };
	if (fd < 0)
		return err_status(fail(fd, "make a file"));
	if (root->is_live)
		status = guard_run(&job);
	else
		run_recorded(&w, out);
	if (!status && root->is_live)
		status = read_answers(fd, out);
	add_facts(root, out);
	return status;
}
