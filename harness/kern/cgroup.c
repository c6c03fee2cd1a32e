/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/vmstat.h"

/* What the name of a cgroup ends in for which we switched the controller on */
#define ENABLED_MARK "+memory"

static int read_at(const struct root *root, const char *dir, const char *file,
		   char **text)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);

	return root_read(root, path, text);
}

static int write_at(const struct root *root, const char *dir, const char *file,
		    const char *text)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);

	return root_write(root, path, text);
}

/* The controller goes off again if nobody else has come to need it. */
static void disable(const struct root *root, const char *path)
{
	auto_free char *parent =
		xstrndup(path, (size_t)(strrchr(path, '/') - path));

	write_at(root, parent, "cgroup.subtree_control", "-memory");
}

/* One of that name that somebody left behind empty gives way. */
static int make_folder(const struct root *root, const char *path)
{
	if (mkdirat(root->fd, path, 0755) == 0)
		return 0;
	if (errno != EEXIST || unlinkat(root->fd, path, AT_REMOVEDIR))
		return -errno;
	return mkdirat(root->fd, path, 0755) ? -errno : 0;
}

int cgroup_make(const struct root *root, const char *name, struct cgroup *out,
		char **why)
{
	struct cgroup parent;
	auto_free char *path = NULL;
	bool must_enable;
	int ret = cgroup_where(root, &parent, &must_enable, why);

	if (ret)
		return ret;
	path = xasprintf("%s/%s%s", parent.path, name,
			 must_enable ? ENABLED_MARK : "");
	if (must_enable)
		ret = write_at(root, parent.path, "cgroup.subtree_control",
			       "+memory");
	if (ret) {
		*why = xasprintf("the memory controller cannot be switched on "
				 "in /%s: %s",
				 parent.path, strerror(-ret));
		cgroup_free(&parent);
		return ret;
	}
	cgroup_free(&parent);
	ret = make_folder(root, path);
	if (ret) {
		*why = xasprintf("no cgroup can be made at /%s: %s", path,
				 strerror(-ret));
		if (must_enable)
			disable(root, path);
		return ret;
	}
	out->version = parent.version;
	out->path = path;
	path = NULL;
	return 0;
}

int cgroup_enter(const struct root *root, const struct cgroup *cg)
{
	return write_at(root, cg->path, "cgroup.procs", "0");
}

int cgroup_parse_memory(const char *text, int version,
			struct cgroup_memory *out)
{
	enum { ANON, HUGE_ANON, CACHE, MAPPED, FAULT, COLLAPSE, N_KEYS };
	static const char *const keys[2][N_KEYS] = {
		{ "rss", "rss_huge", "cache", "mapped_file", "-", "-" },
		{ "anon", "anon_thp", "file", "file_mapped", "thp_fault_alloc",
		  "thp_collapse_alloc" },
	};
	uint64_t v[N_KEYS] = { 0 };
	unsigned char is_there[N_KEYS];

	vmstat_parse(text, keys[version == 2], N_KEYS, v, is_there);
	if (!is_there[ANON] || !is_there[HUGE_ANON])
		return -EPROTO;
	*out = (struct cgroup_memory){
		.anon_bytes = v[ANON],
		.anon_huge_bytes = v[HUGE_ANON],
		.file_bytes = v[CACHE],
		.file_mapped_bytes = v[MAPPED],
		.fault_alloc = v[FAULT],
		.collapse_alloc = v[COLLAPSE],
		.has_counts = is_there[FAULT] && is_there[COLLAPSE],
	};
	return 0;
}

int cgroup_read_memory(const struct root *root, const struct cgroup *cg,
		       struct cgroup_memory *out)
{
	auto_free char *text = NULL;
	int ret = read_at(root, cg->path, "memory.stat", &text);

	return ret ? ret : cgroup_parse_memory(text, cg->version, out);
}

/* Kill those that cgroup.procs names. Returns how many there are, -errno. */
static int kill_all(const struct root *root, const char *path)
{
	auto_free char *text = NULL;
	int ret = read_at(root, path, "cgroup.procs", &text);
	const char *p = text;
	uint64_t pid;
	int n = 0;

	if (ret)
		return ret;
	for (; !num_scan_u64(&p, &pid); p += strspn(p, "\n")) {
		if (pid == (uint64_t)getpid())
			return -EBUSY;
		/* 0: a process of another namespace; never our own group. */
		if (root->is_live && pid > 1 && pid <= INT_MAX)
			kill((pid_t)pid, SIGKILL);
		n++;
	}
	return n;
}

/* Kill and remove; 1: not yet empty. */
static int try_remove(const struct root *root, const char *path)
{
	int n = kill_all(root, path);

	if (n < 0)
		return n == -ENOENT ? -EINVAL : n;
	if (n > 0)
		return root->is_live ? 1 : -EBUSY;
	if (unlinkat(root->fd, path, AT_REMOVEDIR) == 0)
		return 0;
	/* The dead are still being buried. */
	return errno == EBUSY ? 1 : -errno;
}

int cgroup_remove(const struct root *root, const char *path)
{
	uint64_t end = clock_ns() + 10 * NUM_NS_PER_S;
	int ret;

	if (!strchr(path, '/'))
		return -EINVAL;
	if (!root_exists(root, path))
		return 0;
	while ((ret = try_remove(root, path)) > 0) {
		if (clock_ns() >= end)
			return -EBUSY;
		clock_sleep_until(clock_ns() + 5 * NUM_NS_PER_MS);
	}
	if (!ret && str_ends(path, ENABLED_MARK))
		disable(root, path);
	return ret;
}

void cgroup_free(struct cgroup *cg)
{
	free(cg->path);
	cg->path = NULL;
}
