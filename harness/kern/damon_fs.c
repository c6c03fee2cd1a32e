/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/damon_fs.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* More than anybody sets up; a number above it is no number of kdamonds. */
enum { MOST_KDAMONDS = 4096, MOST_SHOWN = 8 };

static int read_number(const struct root *root, const char *path, uint64_t *out)
{
	auto_free char *text = NULL;
	int ret = root_read_word(root, path, &text);

	if (ret)
		return ret;
	return num_u64(text, out) ? -EPROTO : 0;
}

int damon_count(const struct root *root, uint64_t *n)
{
	int ret = read_number(root, DAMON_ROOT "/nr_kdamonds", n);

	return !ret && *n > MOST_KDAMONDS ? -EPROTO : ret;
}

int damon_operations(const struct root *root, char **words)
{
	uint64_t n;
	int ret = damon_count(root, &n);

	*words = NULL;
	for (uint64_t k = 0; !ret && k < n; k++) {
		auto_free char *path =
			xasprintf(DAMON_ROOT "/%" PRIu64
					     "/contexts/0/avail_operations",
				  k);

		if (!root_read_word(root, path, words))
			return 0;
	}
	return ret ? ret : -ENOENT;
}

int damon_is_on(const struct root *root, size_t k)
{
	auto_free char *path = xasprintf(DAMON_ROOT "/%zu/state", k);
	auto_free char *state = NULL;
	int ret = root_read_word(root, path, &state);

	return ret ? ret : str_eq(state, "on");
}

static pid_t read_pid(const struct root *root, const char *path)
{
	uint64_t pid;

	/* "-1" is none. */
	if (read_number(root, path, &pid) || pid > INT32_MAX)
		return 0;
	return (pid_t)pid;
}

pid_t damon_pid(const struct root *root, size_t k)
{
	auto_free char *path = xasprintf(DAMON_ROOT "/%zu/pid", k);

	return read_pid(root, path);
}

pid_t damon_target(const struct root *root, size_t k)
{
	auto_free char *path =
		xasprintf(DAMON_ROOT "/%zu/contexts/0/targets/0/pid_target", k);

	return read_pid(root, path);
}

static void describe_context(const struct root *root, size_t k, struct str *out)
{
	auto_free char *dir = xasprintf(DAMON_ROOT "/%zu/contexts/0", k);
	auto_free char *ops_path = xasprintf("%s/operations", dir);
	auto_free char *action_path = xasprintf("%s/schemes/0/action", dir);
	auto_free char *ops = NULL;
	auto_free char *action = NULL;
	pid_t target = damon_target(root, k);

	if (root_read_word(root, ops_path, &ops))
		return;
	if (root_read_word(root, action_path, &action))
		str_add(out, ", monitoring of");
	else
		str_addf(out, ", %s on", action);
	if (str_eq(ops, "paddr"))
		str_add(out, " physical memory");
	else if (target)
		str_addf(out, " pid %d", (int)target);
	else
		str_add(out, " no process");
}

static void describe_one(const struct root *root, size_t k, struct str *out)
{
	int is_on = damon_is_on(root, k);
	pid_t pid = damon_pid(root, k);

	str_addf(out, "%skdamond %zu: %s", k ? "; " : "", k,
		 is_on < 0 ? "unreadable"
		 : is_on   ? "on"
			   : "off");
	if (pid)
		str_addf(out, ", pid %d", (int)pid);
	describe_context(root, k, out);
}

char *damon_describe(const struct root *root)
{
	struct str text = { 0 };
	uint64_t n;

	if (damon_count(root, &n))
		return xstrdup("");
	for (uint64_t k = 0; k < n && k < MOST_SHOWN; k++)
		describe_one(root, k, &text);
	if (n > MOST_SHOWN)
		str_addf(&text, "; and %" PRIu64 " more", n - MOST_SHOWN);
	return str_steal(&text);
}

static int read_of_scheme(const struct root *root, size_t k, const char *file,
			  uint64_t *out)
{
	auto_free char *path =
		xasprintf(DAMON_ROOT "/%zu/contexts/0/schemes/0/%s", k, file);

	return read_number(root, path, out);
}

int damon_effective_read(const struct root *root, size_t k, uint64_t *bytes)
{
	return read_of_scheme(root, k, "quotas/effective_bytes", bytes);
}

int damon_stats_read(const struct root *root, size_t k, struct damon_stats *out)
{
	static const struct {
		const char *file;
		size_t offset;
	} fields[] = {
		{ "nr_tried", offsetof(struct damon_stats, nr_tried) },
		{ "sz_tried", offsetof(struct damon_stats, sz_tried_bytes) },
		{ "nr_applied", offsetof(struct damon_stats, nr_applied) },
		{ "sz_applied",
		  offsetof(struct damon_stats, sz_applied_bytes) },
		{ "qt_exceeds", offsetof(struct damon_stats, qt_exceeds) },
	};

	*out = (struct damon_stats){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		auto_free char *file = xasprintf("stats/%s", fields[i].file);
		uint64_t *field =
			(uint64_t *)(void *)((char *)out + fields[i].offset);
		int ret = read_of_scheme(root, k, file, field);

		if (ret)
			return ret;
	}
	out->has_snapshots = !read_of_scheme(root, k, "stats/nr_snapshots",
					     &out->nr_snapshots);
	out->has_effective =
		!damon_effective_read(root, k, &out->effective_bytes);
	return 0;
}
