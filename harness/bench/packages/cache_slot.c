/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/packages/cache_slot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "base/tsv.h"

static const char making[] = ".making-";
static const uint64_t lock_limit_ns = 1800 * NUM_NS_PER_S;
static const uint64_t between_tries_ns = 200 * NUM_NS_PER_MS;

static int take_lock(struct cache_slot *slot, void (*tell)(const char *what))
{
	auto_free char *path = xasprintf("%s/lock", slot->folder);
	uint64_t end_ns = clock_ns() + lock_limit_ns;

	slot->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (slot->lock < 0)
		return fail(-errno, "open %s", path);
	for (bool told = false; flock(slot->lock, LOCK_EX | LOCK_NB);
	     told = true) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(-errno, "lock %s", path);
		if (clock_ns() > end_ns)
			return refuse(-EAGAIN,
				      "%s is held by another "
				      "thpbench; try again later",
				      path);
		if (!told && tell)
			tell("waiting for another thpbench that fetches");
		clock_sleep_until(clock_ns() + between_tries_ns);
	}
	return 0;
}

/* With the lock held nobody else fills one. */
static void sweep(const struct cache_slot *slot)
{
	auto_dir DIR *dir = opendir(slot->folder);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		auto_free char *path =
			xasprintf("%s/%s", slot->folder, e->d_name);

		if (str_starts(e->d_name, making) && tree_remove(path))
			warn("%s is left from a fetch that was killed, and "
			     "cannot be removed",
			     path);
	}
}

int cache_slot_begin(const char *folder, void (*tell)(const char *what),
		     struct cache_slot *slot)
{
	int ret;

	*slot = (struct cache_slot){ .folder = xstrdup(folder), .lock = -1 };
	ret = file_mkdirs(folder);
	if (ret)
		return fail(ret, "make %s", folder);
	ret = take_lock(slot, tell);
	if (ret)
		return ret;
	sweep(slot);
	stop_hold(&slot->stop);
	slot->is_held = true;
	slot->dir = xasprintf("%s/%s%d", folder, making, (int)getpid());
	if (mkdir(slot->dir, 0755)) {
		ret = fail(-errno, "make %s", slot->dir);
		free(slot->dir);
		slot->dir = NULL;
	}
	return ret;
}

int cache_slot_room(const struct cache_slot *slot, uint64_t bytes,
		    const char *what)
{
	uint64_t have;
	int ret = file_free_bytes(slot->folder, &have);

	if (ret)
		return fail(ret, "%s", slot->folder);
	if (have >= bytes)
		return 0;
	return refuse(-ENOSPC,
		      "%s needs about %.1f MiB in %s, where %.1f MiB are free; "
		      "make room or set THPBENCH_CACHE to another folder",
		      what, (double)bytes / (double)NUM_MIB, slot->folder,
		      (double)have / (double)NUM_MIB);
}

static void add_row(struct str *out, const char *name, const char *value)
{
	tsv_add_cell(out, name);
	tsv_add_cell(out, value);
	str_addc(out, '\n');
}

static int write_info(const char *dir, const struct facts *info)
{
	auto_free char *path = xasprintf("%s/info.tsv", dir);
	auto_free char *now = clock_wall_text();
	auto_str struct str text = { 0 };
	int ret;

	for (size_t i = 0; i < info->n; i++)
		add_row(&text, info->list[i].name, info->list[i].value);
	add_row(&text, "fetched", now);
	ret = file_publish(path, text.text);
	return ret ? fail(ret, "write %s", path) : 0;
}

int cache_slot_publish(struct cache_slot *slot, const struct facts *info,
		       const char *name)
{
	auto_free char *path = xasprintf("%s/%s", slot->folder, name);
	int ret = write_info(slot->dir, info);

	if (ret)
		return ret;
	ret = tree_remove(path);
	if (ret && ret != -ENOENT)
		return fail(ret, "remove %s", path);
	ret = file_publish_dir(slot->dir, path);
	if (ret)
		return fail(ret, "publish %s", path);
	free(slot->dir);
	slot->dir = NULL;
	return 0;
}

void cache_slot_end(struct cache_slot *slot)
{
	if (slot->dir)
		tree_remove(slot->dir);
	if (slot->lock >= 0)
		close(slot->lock);
	if (slot->is_held)
		stop_release(&slot->stop);
	free(slot->folder);
	free(slot->dir);
	*slot = (struct cache_slot){ .lock = -1 };
}

int cache_info_read(const char *dir, struct facts *out)
{
	auto_free char *path = xasprintf("%s/info.tsv", dir);
	struct tsv t;
	int ret = tsv_read(path, &t);

	*out = (struct facts){ 0 };
	if (ret)
		return ret;
	for (size_t i = 0; i < t.n_rows; i++)
		facts_set(out, tsv_cell(&t, i, 0), tsv_cell(&t, i, 1));
	tsv_free(&t);
	return 0;
}
