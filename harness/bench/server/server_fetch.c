/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Get a MariaDB of another suite into the cache. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/packages/apt_sources.h"
#include "bench/packages/cache_slot.h"
#include "bench/packages/deb_depends.h"
#include "bench/server/prepared.h"
#include "bench/server/server.h"
#include "bench/server/servers.h"

/* What every suite has, and what of it makes a server without a service. */
static const char meta_package[] = "mariadb-server";
static const char *const core_prefixes[] = { "mariadb-server-core",
					     "mariadb-client-core" };
static const char *const meta_prefixes[] = { "mariadb-server",
					     "mariadb-client" };

struct job {
	struct cache_slot slot;
	struct apt apt;
	struct deb822 packages;
	struct facts info;
};

static bool starts_with_any(const char *name, const char *const *prefixes,
			    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_starts(name, prefixes[i]))
			return true;
	return false;
}

static bool is_core(const char *name)
{
	return starts_with_any(name, core_prefixes, ARRAY_SIZE(core_prefixes));
}

static bool is_mariadb(const char *name, void *arg)
{
	(void)arg;
	return starts_with_any(name, meta_prefixes, ARRAY_SIZE(meta_prefixes));
}

/* Libraries that this machine has are used, as far as they go. */
static bool is_missing_part(const char *name, void *arg)
{
	(void)arg;
	return is_core(name) ||
	       (str_starts(name, "lib") && !deb_is_installed(name));
}

static bool has_package(const struct deb822 *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(facts_get(&list->list[i], "package"), name))
			return true;
	return false;
}

/* A core package, and what it needs and is not here. */
static int add_core(struct job *job, const char *name)
{
	struct deb822 parts;
	int ret = deb_closure(&job->apt, name, is_missing_part, NULL, &parts);

	if (ret)
		return ret;
	for (size_t i = 0; i < parts.n; i++) {
		if (has_package(&job->packages,
				facts_get(&parts.list[i], "package")))
			continue;
		XGROW(job->packages.list, job->packages.n);
		job->packages.list[job->packages.n] = (struct facts){ 0 };
		facts_copy(&job->packages.list[job->packages.n++],
			   &parts.list[i]);
	}
	deb822_free(&parts);
	return 0;
}

static int choose(struct job *job)
{
	struct deb822 all;
	int ret = deb_closure(&job->apt, meta_package, is_mariadb, NULL, &all);

	if (ret == -ENOENT)
		return refuse(ret, "suite %s has no %s for %s", job->apt.suite,
			      meta_package, job->apt.arch);
	if (ret)
		return ret;
	for (size_t i = 0; i < all.n && !ret; i++) {
		const char *name = facts_get(&all.list[i], "package");

		if (is_core(name))
			ret = add_core(job, name);
	}
	deb822_free(&all);
	if (!ret && !job->packages.n)
		ret = refuse(-ENOENT, "%s of suite %s depends on no %s",
			     meta_package, job->apt.suite, core_prefixes[0]);
	return ret;
}

static int unpack_all(struct job *job)
{
	uint64_t bytes = 0;
	int ret;

	for (size_t i = 0; i < job->packages.n; i++)
		bytes += deb_room_bytes(&job->packages.list[i]);
	ret = cache_slot_room(&job->slot, bytes, "the server");
	for (size_t i = 0; i < job->packages.n && !ret; i++)
		ret = apt_unpack(&job->apt, &job->packages.list[i],
				 job->slot.dir);
	return ret;
}

/* One that does not start here is not kept: it says why. */
static int ask_version(struct job *job)
{
	const struct server_config c = { .mariadbd = job->slot.dir };
	struct server_program program = { 0 };
	int ret = server_find(&c, &program);

	if (ret)
		return refuse(-ENOTSUP,
			      "the server of suite %s does not run on this "
			      "machine",
			      job->apt.suite);
	facts_set(&job->info, "version", program.version);
	server_program_free(&program);
	return 0;
}

static bool is_there(const struct job *job)
{
	auto_free char *dir = servers_dir(job->apt.suite);
	struct facts old;
	bool is_same;

	if (cache_info_read(dir, &old))
		return false;
	is_same = str_eq(facts_get(&old, "packages"),
			 facts_get(&job->info, "packages"));
	facts_free(&old);
	return is_same;
}

static int fetch(struct job *job, bool *was_there)
{
	auto_free char *names = NULL;
	int ret = choose(job);

	if (ret)
		return ret;
	names = deb_list_text(&job->packages);
	facts_set(&job->info, "suite", job->apt.suite);
	facts_set(&job->info, "packages", names);
	*was_there = is_there(job);
	if (*was_there)
		return 0;
	ret = unpack_all(job);
	if (!ret)
		ret = ask_version(job);
	return ret ? ret
		   : cache_slot_publish(&job->slot, &job->info, job->apt.suite);
}

/* With the place for it. */
static int open_and_fetch(struct job *job, const char *suite,
			  void (*tell)(const char *what), bool *was_there)
{
	auto_free char *cache = prepared_cache_dir();
	auto_free char *dir = xasprintf("%s/apt", cache);
	auto_free char *arch = NULL;
	int ret = apt_own_arch(&arch);

	if (!ret)
		ret = apt_open(dir, suite, arch, tell, &job->apt);
	if (ret)
		return ret;
	ret = fetch(job, was_there);
	apt_close(&job->apt);
	return ret;
}

int server_fetch(const char *suite, void (*tell)(const char *what),
		 struct fetched_server *out, bool *was_there)
{
	auto_free char *cache = prepared_cache_dir();
	auto_free char *dir = xasprintf("%s/servers", cache);
	struct job job = { 0 };
	int ret;

	*was_there = false;
	if (!apt_is_suite_name(suite))
		return refuse(-EINVAL, "'%s' is no name of a suite", suite);
	ret = cache_slot_begin(dir, tell, &job.slot);
	if (!ret)
		ret = open_and_fetch(&job, suite, tell, was_there);
	cache_slot_end(&job.slot);
	deb822_free(&job.packages);
	facts_free(&job.info);
	if (ret)
		return ret;
	*out = (struct fetched_server){ .suite = xstrdup(suite),
					.dir = servers_dir(suite) };
	ret = cache_info_read(out->dir, &out->info);
	if (ret)
		fetched_server_free(out);
	return ret ? fail(ret, "%s", dir) : 0;
}
