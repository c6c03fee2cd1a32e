/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/damon_module.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define GOAL_FILE "quota_percentage_hugepage"

/* What the module itself starts from. */
static const uint64_t default_reset_ms = 1000;

static const char *const pid_files[] = { "target_pid", "monitored_pid" };

static bool has(const struct root *root, const char *dir, const char *file)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);

	return root_exists(root, path);
}

/* Its file for the process, if this is the module; else NULL. */
static const char *pid_file_of(const struct root *root, const char *dir)
{
	if (!has(root, dir, GOAL_FILE) || !has(root, dir, "enabled"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(pid_files); i++)
		if (has(root, dir, pid_files[i]))
			return pid_files[i];
	return NULL;
}

int damon_module_find(const struct root *root, struct damon_module *out)
{
	char **names;
	size_t n;

	*out = (struct damon_module){ 0 };
	if (root_list(root, "sys/module", &names, &n))
		return -ENOENT;
	for (size_t i = 0; i < n && !out->dir; i++) {
		auto_free char *dir =
			xasprintf("sys/module/%s/parameters", names[i]);

		out->pid_file = pid_file_of(root, dir);
		if (out->pid_file)
			out->dir = xstrdup(dir);
	}
	root_list_free(names, n);
	return out->dir ? 0 : -ENOENT;
}

void damon_module_unknown(struct damon_module *out)
{
	*out = (struct damon_module){
		.dir = xstrdup("sys/module/MODULE/parameters"),
		.pid_file = pid_files[0],
	};
}

void damon_module_free(struct damon_module *m)
{
	free(m->dir);
	*m = (struct damon_module){ 0 };
}

/* Takes the value. */
static void put(const struct damon_module *m, struct damon_writes *w,
		const char *file, char *value)
{
	XGROW(w->list, w->n);
	w->list[w->n++] = (struct damon_write){
		.path = xasprintf("%s/%s", m->dir, file),
		.value = value,
	};
}

void damon_module_plan(const struct damon_module *m,
		       const struct damon_setup *setup, uint64_t goal_bp,
		       struct damon_writes *out)
{
	const struct damon_scheme *s = &setup->scheme;
	const struct {
		const char *file;
		uint64_t value;
		bool is_asked;
	} rows[] = {
		{ "quota_ms", s->quota_ms, s->quota_ms },
		{ "quota_sz", s->quota_bytes, s->quota_bytes },
		{ "quota_reset_interval_ms", s->quota_reset_ms,
		  s->quota_reset_ms && s->quota_reset_ms != default_reset_ms },
		{ GOAL_FILE, goal_bp, true },
	};

	*out = (struct damon_writes){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].is_asked)
			put(m, out, rows[i].file,
			    xasprintf("%" PRIu64, rows[i].value));
	put(m, out, m->pid_file,
	    setup->pid ? xasprintf("%d", (int)setup->pid) : xstrdup("PID"));
	put(m, out, "enabled", xstrdup("Y"));
}

void damon_module_plan_stop(const struct damon_module *m,
			    struct damon_writes *out)
{
	*out = (struct damon_writes){ 0 };
	put(m, out, "enabled", xstrdup("N"));
}

static char *read_word(const struct root *root, const struct damon_module *m,
		       const char *file, int *err)
{
	auto_free char *path = xasprintf("%s/%s", m->dir, file);
	char *word = NULL;

	*err = root_read_word(root, path, &word);
	return word;
}

int damon_module_is_on(const struct root *root, const struct damon_module *m)
{
	int err;
	auto_free char *word = read_word(root, m, "enabled", &err);

	return err ? err : str_eq(word, "Y");
}

pid_t damon_module_kdamond(const struct root *root,
			   const struct damon_module *m)
{
	int err;
	auto_free char *word = read_word(root, m, "kdamond_pid", &err);
	uint64_t pid;

	return !err && !num_u64(word, &pid) && pid <= INT32_MAX ? (pid_t)pid
								: 0;
}
