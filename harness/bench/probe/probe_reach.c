/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How narrow the work of a scheme was, in words that can be compared. */
#include "base/mem.h"
#include "bench/probe/probe_parts.h"

/* Words for a share, up to and without its end. */
struct share {
	double below;
	const char *word;
};

static const char *word_of(const struct share *shares, double share)
{
	while (share >= shares->below)
		shares++;
	return shares->word;
}

char *probe_reach_text(const struct probe_reach *r)
{
	/* A border within a huge page leaves a quarter of the range out. */
	static const struct share hits[] = {
		{ 0.1, "nothing of the hot range" },
		{ 0.7, "a part of the hot range" },
		{ 2, "most of the hot range" },
	};
	static const struct share misses[] = {
		{ 0.25, "little else" },
		{ 2, "much else" },
	};

	if (!r->hit_bytes && !r->miss_bytes)
		return xstrdup("nothing");
	return xasprintf(
		"%s, %s",
		word_of(hits, (double)r->hit_bytes / (double)r->hot_bytes),
		word_of(misses, (double)r->miss_bytes / (double)r->rest_bytes));
}
