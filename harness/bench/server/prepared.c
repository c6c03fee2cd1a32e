/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * <cache>/data-KEY                 kept: data/, logs, prepared.tsv
 *         thpbench-making-KEY      not complete yet, or never
 *         lock-KEY                 flock(2)ed by who makes it
 *         thpbench-run-PID-N       the copy of a run
 */
#include "bench/server/prepared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/server/prepared_parts.h"

static const char making[] = "thpbench-making-";

/* mariadbd changes its working folder. */
static char *absolute(const char *path)
{
	auto_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);

	return here ? xasprintf("%s/%s", here, path) : xstrdup(path);
}

char *prepared_cache_dir(void)
{
	const char *ours = getenv("THPBENCH_CACHE");
	const char *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (ours && ours[0])
		return absolute(ours);
	if (geteuid() == 0)
		return xstrdup("/var/cache/thpbench");
	if (xdg && xdg[0])
		return xasprintf("%s/thpbench", xdg);
	if (home && home[0])
		return xasprintf("%s/.cache/thpbench", home);
	return xasprintf("/tmp/thpbench-cache-%u", (unsigned int)geteuid());
}

void prepared_tell(const struct prepared_job *job, const char *what)
{
	if (job->tell)
		job->tell(what);
}

char *prepared_dir(const char *cache, const char *key)
{
	return xasprintf("%s/data-%s", cache, key);
}

/* There, and complete. */
static bool is_kept(struct prepared *p)
{
	return prepared_read(p->dir, &p->data_bytes) == 0;
}

/* What a preparation that was killed left: nobody holds its lock. */
static void sweep_one(const struct prepared_job *job, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", job->cache, name);
	auto_close int lock = prepared_lock(job, name + strlen(making), false);

	if (lock < 0)
		return;
	if (tree_remove(path))
		warn("%s is left from a preparation that was killed, and "
		     "cannot be removed",
		     path);
}

static void sweep(const struct prepared_job *job, const char *own)
{
	auto_free char *own_name = xasprintf("%s%s", making, own);
	auto_dir DIR *dir = opendir(job->cache);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (str_starts(e->d_name, making) &&
		    !str_eq(e->d_name, own_name))
			sweep_one(job, e->d_name);
}

/* On the disk before it has its name. */
static int publish(const char *from, const char *to)
{
	int ret = file_publish_dir(from, to);

	return ret ? fail(ret, "publish %s as %s", from, to) : 0;
}

static int make_in(const struct prepared_job *job, const struct facts *parts,
		   const char *temp, struct prepared *p)
{
	int ret;

	if (mkdir(temp, 0700))
		return fail(-errno, "make %s", temp);
	ret = prepared_make(job, temp, &p->data_bytes);
	if (!ret)
		ret = prepared_write(temp, parts, p->data_bytes);
	if (!ret)
		ret = publish(temp, p->dir);
	if (ret)
		tree_remove(temp);
	return ret;
}

/* With the lock held. */
static int make(const struct prepared_job *job, const struct facts *parts,
		struct prepared *p)
{
	uint64_t guess = prepared_guess_bytes(job->config);
	auto_free char *temp = xasprintf("%s/%s%s", job->cache, making, p->key);
	int ret;

	tree_remove(temp);
	tree_remove(p->dir); /* one that lacks its record */
	sweep(job, p->key);
	ret = prepared_check_space(job->cache, guess, guess,
				   "preparing the data");
	if (!ret && job->journal)
		ret = journal_dir(job->journal, temp);
	return ret ? ret : make_in(job, parts, temp, p);
}

static int find_or_make(const struct prepared_job *job,
			const struct facts *parts, struct prepared *p)
{
	auto_close int lock = -1;
	int ret = file_mkdirs(job->cache);

	if (ret)
		return fail(ret, "make %s", job->cache);
	p->was_cached = is_kept(p);
	if (p->was_cached)
		return 0;
	lock = prepared_lock(job, p->key, true);
	if (lock < 0)
		return lock;
	p->was_cached = is_kept(p);
	return p->was_cached ? 0 : make(job, parts, p);
}

int prepared_get(const struct root *root, const struct config *config,
		 const struct server_program *program, struct journal *journal,
		 void (*tell)(const char *what), struct prepared *out)
{
	auto_free char *cache = prepared_cache_dir();
	struct prepared_job job = {
		.root = root,
		.config = config,
		.program = program,
		.journal = journal,
		.tell = tell,
		.cache = cache,
	};
	struct prepared p = { 0 };
	struct facts parts = { 0 };
	int ret = prepared_parts(config, program, &parts);

	if (!ret) {
		p.key = prepared_key(&parts);
		p.dir = prepared_dir(cache, p.key);
		ret = find_or_make(&job, &parts, &p);
	}
	facts_free(&parts);
	if (ret) {
		prepared_free(&p);
		return ret;
	}
	*out = p;
	return 0;
}

void prepared_free(struct prepared *p)
{
	free(p->dir);
	free(p->key);
	memset(p, 0, sizeof(*p));
}
