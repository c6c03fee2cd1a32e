/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/kernel_fetch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/guest/kernel_parts.h"
#include "bench/server/prepared.h"

/* Is a kernel of these packages in the cache? Then its name is the job's. */
static int find_same(struct kernel_job *job)
{
	const char *packages = facts_get(&job->info, "packages");
	struct kernel_list all;
	int ret = kernels_read(&all);

	if (ret)
		return ret;
	for (size_t i = 0; i < all.n && !job->was_there; i++) {
		if (!str_eq(facts_get(&all.list[i].info, "packages"), packages))
			continue;
		job->name = xstrdup(all.list[i].name);
		job->was_there = true;
	}
	kernel_list_free(&all);
	return 0;
}

static void add_packages(struct kernel_job *job, const struct deb822 *packages)
{
	auto_free char *names = deb_list_text(packages);

	facts_set(&job->info, "packages", names);
	facts_set(&job->info, "version",
		  facts_get(&packages->list[0], "version"));
}

static int unpack_all(struct kernel_job *job, const struct apt *apt,
		      const struct deb822 *packages)
{
	uint64_t bytes = 0;
	int ret;

	for (size_t i = 0; i < packages->n; i++)
		bytes += deb_room_bytes(&packages->list[i]);
	ret = cache_slot_room(&job->slot, bytes, "the kernel");
	for (size_t i = 0; i < packages->n && !ret; i++)
		ret = apt_unpack(apt, &packages->list[i], job->unpacked);
	return ret;
}

static int from_suite(struct kernel_job *job)
{
	auto_free char *cache = prepared_cache_dir();
	auto_free char *dir = xasprintf("%s/apt", cache);
	const struct kernel_fetch *f = job->fetch;
	struct deb822 packages = { 0 };
	struct apt apt;
	int ret = apt_open(dir, f->spec->suite, f->arch, f->tell, &apt);

	if (ret)
		return ret;
	ret = kernel_choose(&apt, f->spec->pattern, &packages);
	if (!ret) {
		facts_set(&job->info, "suite", f->spec->suite);
		facts_set(&job->info, "arch", f->arch);
		add_packages(job, &packages);
		ret = find_same(job);
	}
	if (!ret && !job->was_there)
		ret = unpack_all(job, &apt, &packages);
	deb822_free(&packages);
	apt_close(&apt);
	return ret;
}

static int from_deb(struct kernel_job *job)
{
	const char *path = job->fetch->spec->deb;
	struct deb822 one = { .n = 1 };
	struct facts fields;
	int ret = deb_fields(path, &fields);

	if (ret)
		return ret;
	one.list = &fields;
	facts_set(&job->info, "arch", facts_get(&fields, "architecture"));
	add_packages(job, &one);
	ret = cache_slot_room(&job->slot, deb_room_bytes(&fields),
			      "the kernel");
	facts_free(&fields);
	return ret ? ret : deb_unpack(path, job->unpacked);
}

static int move_part(const char *from, const char *dir, const char *name)
{
	auto_free char *to = xasprintf("%s/%s", dir, name);

	if (from && rename(from, to))
		return fail(-errno, "move %s to %s", from, to);
	return 0;
}

/* From what was unpacked to the layout of kernels.h. */
static int arrange(struct kernel_job *job)
{
	const char *dir = job->slot.dir;
	struct kernel_tree tree;
	int ret = 0;

	kernel_tree_find(job->unpacked, &tree);
	if (!tree.image)
		ret = refuse(-ENOENT, "no kernel image in %s",
			     facts_get(&job->info, "packages"));
	if (!ret)
		ret = move_part(tree.image, dir, "vmlinuz");
	/* It may lie in the folder of the modules. */
	if (!ret)
		ret = move_part(tree.config, dir, "config");
	if (!ret)
		ret = move_part(tree.modules, dir, "modules");
	if (!ret) {
		job->name = xstrdup(tree.release);
		facts_set(&job->info, "release", tree.release);
		tree_remove(job->unpacked);
	}
	kernel_tree_free(&tree);
	return ret;
}

static int from_packages(struct kernel_job *job)
{
	int ret;

	job->unpacked = xasprintf("%s/unpacked", job->slot.dir);
	if (mkdir(job->unpacked, 0755))
		return fail(-errno, "make %s", job->unpacked);
	ret = job->fetch->spec->deb ? from_deb(job) : from_suite(job);
	return ret || job->was_there ? ret : arrange(job);
}

static int fill(struct kernel_job *job)
{
	int ret = job->fetch->spec->image ? kernel_from_image(job)
					  : from_packages(job);

	if (ret || job->was_there)
		return ret;
	return cache_slot_publish(&job->slot, &job->info, job->name);
}

int kernel_fetch(const struct kernel_fetch *fetch, struct kernel *out,
		 bool *was_there)
{
	auto_free char *dir = kernels_dir();
	struct kernel_job job = { .fetch = fetch };
	int ret = cache_slot_begin(dir, fetch->tell, &job.slot);

	if (!ret)
		ret = fill(&job);
	if (!ret)
		ret = kernel_find(job.name, NULL, out);
	*was_there = job.was_there;
	cache_slot_end(&job.slot);
	facts_free(&job.info);
	free(job.unpacked);
	free(job.name);
	return ret;
}
