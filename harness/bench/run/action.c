/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/action.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "kern/collapse.h"

/* What one collapse of a whole process works with. */
struct collapsing {
	struct collapse process;
	const struct action_job *job;
	int ended; /* what look() returned; 0: go on */
	uint64_t n_ranges;
	uint64_t n_collapsed;
	int last_refused;
};

static int look(void *arg)
{
	struct collapsing *c = arg;

	c->ended = c->job->look(c->job->arg);
	return c->ended;
}

static double since_s(uint64_t zero_ns)
{
	return (double)(clock_ns() - zero_ns) / (double)NUM_NS_PER_S;
}

static bool is_worth_it(const struct smaps_vma *vma, uint64_t huge_bytes)
{
	uint64_t first = (vma->start + huge_bytes - 1) / huge_bytes;

	/* Special mappings ([vdso], [vvar]) are never larger than this. */
	return vma->end / huge_bytes > first && vma->rss_bytes > 0 &&
	       strchr(vma->perms, 'r');
}

static int collapse_one(struct collapsing *c, const struct smaps_vma *vma)
{
	struct collapse_result r = { 0 };
	uint64_t begin = clock_ns();
	int ret = collapse_vma(&c->process, vma, look, c, &r);
	auto_free char *text = NULL;

	c->n_ranges += r.n_ranges;
	c->n_collapsed += r.n_collapsed;
	if (r.n_refused)
		c->last_refused = r.last_refused;
	text = xasprintf("%" PRIx64 "-%" PRIx64 " %s: %" PRIu64
			 " ranges, %" PRIu64 " collapsed, %" PRIu64
			 " empty, %" PRIu64 " busy, %" PRIu64
			 " without memory, %" PRIu64
			 " refused%s%s; %.3f s, longest "
			 "call %.1f ms",
			 vma->start, vma->end,
			 vma->name[0] ? vma->name : "[anon]", r.n_ranges,
			 r.n_collapsed, r.n_empty, r.n_busy, r.n_no_memory,
			 r.n_refused, r.n_refused ? ": " : "",
			 r.n_refused ? strerror(r.last_refused) : "",
			 (double)(clock_ns() - begin) / (double)NUM_NS_PER_S,
			 (double)r.longest_ns / (double)NUM_NS_PER_MS);
	if (r.n_ranges)
		store_event(c->job->store, since_s(c->job->zero_ns), "collapse",
			    text);
	return ret;
}

static int collapse_all(struct collapsing *c, const struct smaps *maps)
{
	for (size_t i = 0; i < maps->n; i++) {
		int ret;

		if (!is_worth_it(&maps->list[i], c->process.huge_bytes))
			continue;
		ret = collapse_one(c, &maps->list[i]);
		if (c->ended)
			return c->ended;
		if (ret)
			return fail(ret, "madvise-collapse of mapping %s",
				    maps->list[i].name);
	}
	return 0;
}

int action_start(const struct action_job *job, char **mark)
{
	struct collapsing c = { .job = job };
	auto_free char *path = xasprintf("proc/%d/smaps", (int)job->pid);
	auto_free char *text = NULL;
	struct smaps maps = { 0 };
	int ret;

	*mark = NULL;
	if (job->arm->damos != DAMOS_MADVISE_COLLAPSE || !job->pid)
		return 0;
	ret = root_read(job->root, path, &text);
	if (!ret)
		ret = smaps_parse(text, &maps);
	if (ret)
		return fail(ret, "%s", path);
	ret = collapse_open(job->root, job->pid, &c.process);
	if (ret) {
		smaps_free(&maps);
		return fail(ret, "madvise-collapse of process %d",
			    (int)job->pid);
	}
	ret = collapse_all(&c, &maps);
	collapse_close(&c.process);
	smaps_free(&maps);
	if (!ret && !c.n_collapsed)
		*mark = xasprintf("madvise-collapse collapsed none of %" PRIu64
				  " ranges%s%s",
				  c.n_ranges, c.last_refused ? ": " : "",
				  c.last_refused ? strerror(c.last_refused)
						 : "");
	return ret;
}
