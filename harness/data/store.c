/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/store.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "data/extra.h"
#include "data/layout.h"
#include "data/manifest.h"
#include "data/store_read.h"

static int write_extra(const struct experiment *e)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_METRICS, e->dir);
	auto_free char *text = e->n_extra ? extra_text(e) : NULL;
	int ret = text ? file_publish(path, text) : 0;

	return ret ? fail(ret, "write %s", path) : 0;
}

int store_create(const struct experiment *e)
{
	auto_free char *runs = xasprintf("%s/" LAYOUT_RUNS, e->dir);
	auto_free char *path = xasprintf("%s/" LAYOUT_MANIFEST, e->dir);
	auto_free char *text = NULL;
	int ret;

	if (!access(path, F_OK))
		return -EEXIST;
	ret = file_mkdirs(runs);
	if (ret)
		return fail(ret, "make %s", runs);
	ret = write_extra(e);
	if (ret)
		return ret;
	text = manifest_text(e);
	ret = file_publish(path, text);
	return ret ? fail(ret, "write %s", path) : 0;
}

/*
 * An attempt that left a folder and no line in the journal was cut off: the
 * last one stands for its run.
 */
static void find_cut_off(const struct experiment *e, struct run *run)
{
	for (unsigned int attempt = run->attempt + 1; attempt < UINT_MAX;
	     attempt++) {
		auto_free char *dir = layout_run_dir(e, run, attempt);
		auto_free char *path = xasprintf("%s/%s", e->dir, dir);

		if (access(path, F_OK))
			return;
		run_keep_attempt(run);
		run->attempt = attempt;
		run->state = RUN_FAILED;
		free(run->reason);
		run->reason = xstrdup("not finished");
	}
}

static int read_manifest(const char *dir, struct experiment *out)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_MANIFEST, dir);
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	int ret = file_read(path, &text, NULL);

	if (ret == -ENOENT || ret == -ENOTDIR)
		return refuse(-ENOENT, "%s: no result folder: no %s in it", dir,
			      LAYOUT_MANIFEST);
	if (ret)
		return fail(ret, "read %s", path);
	ret = manifest_parse(text, out, &why);
	if (ret)
		return refuse(ret, "%s: %s", path, why);
	out->dir = xstrdup(dir);
	ret = extra_read(out);
	if (ret)
		experiment_free(out);
	return ret;
}

/* Those not begun leave the list. */
static int read_runs(struct experiment *e)
{
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];

		find_cut_off(e, run);
		if (!run->attempt || ret) {
			run_free(run);
			continue;
		}
		run->dir = layout_run_dir(e, run, run->attempt);
		ret = store_read_run(e->dir, run);
		e->runs[n++] = *run;
	}
	e->n_runs = n;
	return ret;
}

static bool has_manifest(const char *dir)
{
	auto_free char *path = xasprintf("%s/" LAYOUT_MANIFEST, dir);

	return access(path, F_OK) == 0;
}

static int is_shard(const struct dirent *entry)
{
	struct shard shard;

	return shard_dir_parse(entry->d_name, &shard) == 0;
}

static int by_shard(const struct dirent **a, const struct dirent **b)
{
	struct shard x = { 0 };
	struct shard y = { 0 };

	shard_dir_parse((*a)->d_name, &x);
	shard_dir_parse((*b)->d_name, &y);
	if (x.of != y.of)
		return x.of < y.of ? -1 : 1;
	return (x.index > y.index) - (x.index < y.index);
}

int store_find_shards(const char *dir, char ***dirs, size_t *n)
{
	struct dirent **entries = NULL;
	int found;

	*dirs = NULL;
	*n = 0;
	if (has_manifest(dir))
		return 0;
	found = scandir(dir, &entries, is_shard, by_shard);
	if (found < 0)
		return fail(-errno, "read %s", dir);
	for (int i = 0; i < found; i++) {
		char *path = xasprintf("%s/%s", dir, entries[i]->d_name);

		free(entries[i]);
		if (!has_manifest(path)) {
			free(path);
			continue;
		}
		XGROW(*dirs, *n);
		(*dirs)[(*n)++] = path;
	}
	free(entries);
	return 0;
}

int store_load_experiment(const char *dir, struct experiment *out)
{
	int ret = read_manifest(dir, out);

	if (ret)
		return ret;
	ret = store_load_journal(out);
	if (!ret)
		ret = read_runs(out);
	if (ret)
		experiment_free(out);
	return ret;
}
