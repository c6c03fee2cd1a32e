/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for the configuration's data on disk and in memory, and its CPUs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/check/check_parts.h"
#include "bench/guest/guest_run.h"
#include "bench/server/place.h"
#include "bench/server/prepared_parts.h"
#include "kern/host.h"

/* What a server takes beside its pool: 117 to 371 MB were seen. */
static const uint64_t beside_pool_bytes = 400 * NUM_MIB;

static const double gib = (double)NUM_GIB;

/* The folder, or the nearest above it that is there. free() it. */
static char *existing(const char *dir)
{
	char *path = xstrdup(dir);
	char *slash;

	while (access(path, F_OK) && (slash = strrchr(path, '/')))
		slash[slash == path] = '\0';
	return path;
}

/* Where the data are kept already; NULL. free() it. */
static char *kept_data(const struct check_job *job, const char *cache,
		       uint64_t *bytes)
{
	struct facts parts = { 0 };
	char *dir = NULL;

	if (job->program.path &&
	    prepared_parts(job->config, &job->program, &parts) == 0) {
		auto_free char *key = prepared_key(&parts);

		dir = prepared_dir(cache, key);
		if (prepared_read(dir, bytes)) {
			free(dir);
			dir = NULL;
		}
	}
	facts_free(&parts);
	return dir;
}

static void check_disk(struct check_job *job)
{
	uint64_t bytes = prepared_guess_bytes(job->config);
	auto_free char *cache = prepared_cache_dir();
	auto_free char *dir = existing(cache);
	auto_free char *kept = kept_data(job, cache, &bytes);

	if (prepared_check_space(dir, kept ? 0 : bytes, bytes,
				 "the workload's data")) {
		check_missing(job, "disk", true, xstrdup(err_last()),
			      "room, or THPBENCH_CACHE on another disk");
		return;
	}
	check_ok(job, "disk",
		 xasprintf("data of %.1f GiB %s", (double)bytes / gib,
			   kept ? "are kept from before" : "fit, and a copy"));
}

/* Programs and libraries that a guest boots with; 90 MB were seen. */
static const uint64_t programs_bytes = 100 * NUM_MIB;

static uint64_t memory_of_guest(const struct check_job *job)
{
	uint64_t data =
		check_has_server(job) ? prepared_guess_bytes(job->config) : 0;

	return guest_memory_bytes(job->config, programs_bytes + data, data);
}

static uint64_t memory_needed(const struct check_job *job)
{
	const struct config *c = job->config;
	uint64_t pool;

	if (job->guests.n)
		return memory_of_guest(job);

	if (c->workload.program == WORKLOAD_MEMTOUCH)
		return c->workload.memtouch_bytes;
	if (!check_has_server(job))
		return 0;
	pool = c->server.buffer_pool_bytes;
	return beside_pool_bytes + (pool ? pool : prepared_guess_bytes(c));
}

static void check_memory(struct check_job *job)
{
	uint64_t have = host_available_bytes(job->root);
	uint64_t need = memory_needed(job);

	if (!have)
		check_missing(job, "free-memory", false,
			      xstrdup("/proc/meminfo does not say what is "
				      "available"),
			      "see for yourself whether the pool fits");
	else if (have < need)
		check_missing(job, "free-memory", true,
			      xasprintf("needs about %.1f GiB, %.1f are "
					"available",
					(double)need / gib, (double)have / gib),
			      "fewer or smaller tables, or a smaller "
			      "buffer_pool");
	else
		check_ok(job, "free-memory",
			 xasprintf("%.1f GiB available, about %.1f needed",
				   (double)have / gib, (double)need / gib));
}

static void check_place(struct check_job *job)
{
	const struct server_config *s = &job->config->server;
	const struct place place = { .root = job->root, .server = s };

	if (!s->cpus && s->numa_node < 0)
		return;
	if (place_check(&place))
		check_missing(job, "place", true, xstrdup(err_last()),
			      "CPUs and a node that this machine has");
	else
		check_ok(job, "place", xstrdup("CPUs and node are there"));
}

void check_room(struct check_job *job)
{
	if (!job->config)
		return;
	if (check_has_server(job))
		check_disk(job);
	check_memory(job);
	check_place(job);
}
