/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/damos/damos_put.h"

#include <errno.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/damon_fs.h"

static const uint64_t patience_ns = 2 * NUM_NS_PER_S;
static const uint64_t longest_pause_ns = 64 * NUM_NS_PER_MS;

int damos_put(const struct root *root, const char *path, const char *value)
{
	uint64_t end = clock_ns() + patience_ns;
	uint64_t pause = NUM_NS_PER_MS;

	if (!str_starts(path, DAMON_ROOT "/"))
		return -EPERM;
	for (;;) {
		int ret = root_write(root, path, value);

		if (ret != -EBUSY || clock_ns() + pause > end)
			return ret;
		clock_sleep_until(clock_ns() + pause);
		if (pause < longest_pause_ns)
			pause *= 2;
	}
}

int damos_command(const struct root *root, size_t k, const char *word)
{
	auto_free char *path = xasprintf(DAMON_ROOT "/%zu/state", k);

	return damos_put(root, path, word);
}

static bool owns_one(const struct root *root, size_t k,
		     const struct damos_owned *owned)
{
	auto_free char *path =
		xasprintf(DAMON_ROOT "/%zu/contexts/0/operations", k);
	auto_free char *ops = NULL;
	pid_t target = damon_target(root, k);

	if (target)
		return owned->pid && target == owned->pid;
	if (damon_is_on(root, k) != 1)
		return true;
	return owned->pid && str_eq(owned->ops, "paddr") &&
	       !root_read_word(root, path, &ops) && str_eq(ops, "paddr");
}

bool damos_owns(const struct root *root, const struct damos_owned *owned)
{
	uint64_t n;

	if (damon_count(root, &n) || n != owned->n)
		return false;
	for (size_t k = 0; k < n; k++)
		if (!owns_one(root, k, owned))
			return false;
	return true;
}

int damos_take_away(const struct root *root, const struct damos_owned *owned)
{
	struct damon_writes w;
	uint64_t n;
	int ret = damon_count(root, &n);

	if (ret == -ENOENT || (!ret && !n))
		return 0;
	if (ret)
		return fail(ret, "read /" DAMON_ROOT "/nr_kdamonds");
	if (!damos_owns(root, owned)) {
		auto_free char *whose = damon_describe(root);

		warn("DAMON is somebody else's by now, and left alone: %s",
		     whose);
		return 0;
	}
	damon_plan_stop(owned->n, &w);
	/* One that is off already answers EPERM, or a newer kernel nothing;
	 * what counts is that all are gone in the end. */
	for (size_t i = 0; i < w.n; i++)
		ret = damos_put(root, w.list[i].path, w.list[i].value);
	damon_writes_free(&w);
	if (ret)
		return fail(ret, "write 0 to /" DAMON_ROOT "/nr_kdamonds");
	return 1;
}
