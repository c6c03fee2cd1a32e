/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From an arm's wishes to one set-up a kdamond. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/damos/damos_parts.h"
#include "kern/host.h"
#include "kern/smaps.h"

/* A list of ranges that grows. */
struct ranges {
	struct damon_range *list;
	size_t n;
};

static void add_range(struct ranges *r, uint64_t start, uint64_t end)
{
	/* Neighbours are one: the kernel cuts them up as it likes. */
	if (r->n && r->list[r->n - 1].max == start) {
		r->list[r->n - 1].max = end;
		return;
	}
	XGROW(r->list, r->n);
	r->list[r->n++] = (struct damon_range){ start, end };
}

static int find_pool(const struct root *root, pid_t pid, struct ranges *out)
{
	auto_free char *path = xasprintf("proc/%d/smaps", (int)pid);
	auto_free char *text = NULL;
	auto_free bool *is_pool = NULL;
	struct smaps maps;
	int ret = root_read(root, path, &text);

	if (!ret)
		ret = smaps_parse(text, &maps);
	if (ret)
		return fail(ret, "read /%s for the buffer pool", path);
	is_pool = xcalloc(maps.n, sizeof(*is_pool));
	smaps_find_pool(&maps, is_pool);
	for (size_t i = 0; i < maps.n; i++)
		if (is_pool[i])
			add_range(out, maps.list[i].start, maps.list[i].end);
	smaps_free(&maps);
	if (!out->n)
		return refuse(-ENOENT,
			      "process %d has no mapping that could be a "
			      "buffer pool",
			      (int)pid);
	return 0;
}

static void give(struct damon_setup *share, uint64_t start, uint64_t end)
{
	if (start >= end)
		return;
	XGROW(share->regions, share->n_regions);
	share->regions[share->n_regions++] = (struct damon_range){ start, end };
}

/*
 * Where in a range the first goal bytes of all end, if the range begins
 * behind offset bytes: at a whole step, or at its ends.
 */
static uint64_t cut(const struct damon_range *r, uint64_t offset, uint64_t goal,
		    uint64_t step)
{
	uint64_t at;

	if (goal <= offset)
		return r->min;
	if (goal - offset >= r->max - r->min)
		return r->max;
	at = (r->min + (goal - offset) + step - 1) / step * step;
	return at < r->max ? at : r->max;
}

bool damos_split(const struct damon_range *ranges, size_t n_ranges,
		 uint64_t step, struct damon_setup *shares, size_t n)
{
	uint64_t total = 0;
	uint64_t offset = 0;
	uint64_t each;

	assert(n);
	for (size_t i = 0; i < n_ranges; i++)
		total += ranges[i].max - ranges[i].min;
	each = (total + n - 1) / n;
	for (size_t i = 0; i < n_ranges; i++) {
		const struct damon_range *r = &ranges[i];

		for (size_t k = 0; k < n; k++)
			give(&shares[k], cut(r, offset, k * each, step),
			     cut(r, offset, (k + 1) * each, step));
		offset += r->max - r->min;
	}
	for (size_t k = 0; k < n; k++)
		if (!shares[k].n_regions)
			return false;
	return true;
}

static int give_ranges(const struct damos *d, struct damon_setup *setups,
		       size_t n)
{
	const struct damos_config *c = d->config;
	struct ranges found = { 0 };
	int ret = 0;

	if (str_eq(c->setup.ops, "vaddr"))
		return 0;
	if (c->is_pool)
		ret = find_pool(d->root, d->target, &found);
	for (size_t i = 0; !c->is_pool && i < c->setup.n_regions; i++)
		add_range(&found, c->setup.regions[i].min,
			  c->setup.regions[i].max);
	if (!ret && !damos_split(found.list, found.n,
				 host_huge_page_bytes(d->root), setups, n))
		ret = refuse(-ERANGE,
			     "the monitored addresses are too few to split "
			     "them among %zu kdamonds",
			     n);
	free(found.list);
	return ret;
}

int damos_setups(const struct damos *d, struct damon_setup **out)
{
	size_t n = d->owned.n;
	struct damon_setup *setups = xcalloc(n, sizeof(*setups));
	int ret;

	assert(n);
	for (size_t i = 0; i < n; i++) {
		setups[i] = d->config->setup;
		setups[i].pid = d->target;
		setups[i].regions = NULL;
		setups[i].n_regions = 0;
		if (d->goal.metric) {
			setups[i].scheme.goals = (struct damon_goal *)&d->goal;
			setups[i].scheme.n_goals = 1;
		}
	}
	ret = give_ranges(d, setups, n);
	if (ret) {
		damos_setups_free(setups, n);
		setups = NULL;
	}
	*out = setups;
	return ret;
}

void damos_setups_free(struct damon_setup *setups, size_t n)
{
	for (size_t i = 0; setups && i < n; i++)
		free(setups[i].regions);
	free(setups);
}
