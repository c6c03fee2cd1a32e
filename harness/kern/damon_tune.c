/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's goal tuners, step by step as mm/damon/core.c has them. */
#include "base/str.h"
#include "kern/damon.h"

static const uint64_t full_bp = 10000;

/* damos_quota_score() of one goal. */
uint64_t damon_score_bp(uint64_t current, uint64_t target)
{
	if (!target)
		return 0;
	if (current > UINT64_MAX / full_bp)
		return UINT64_MAX;
	return current * full_bp / target;
}

/* damon_feed_loop_next_input() */
static uint64_t next_input(uint64_t last, uint64_t score)
{
	bool is_over = score > full_bp;
	uint64_t diff = is_over ? score - full_bp : full_bp - score;
	uint64_t change;

	if (!diff)
		return last;
	if (score >= 2 * full_bp)
		return full_bp;
	change = last < UINT64_MAX / diff ? last * diff / full_bp
					  : last / full_bp * diff;
	if (is_over)
		return last - change > full_bp ? last - change : full_bp;
	return last < UINT64_MAX - change ? last + change : UINT64_MAX;
}

uint64_t damon_tune_bp(const char *tuner, uint64_t esz_bp, uint64_t score_bp,
		       uint64_t quota_bytes)
{
	if (!str_eq(tuner, "temporal"))
		return next_input(esz_bp > full_bp ? esz_bp : full_bp,
				  score_bp);
	if (score_bp >= full_bp)
		return 0;
	if (!quota_bytes || quota_bytes > UINT64_MAX / full_bp)
		return UINT64_MAX;
	return quota_bytes * full_bp;
}

uint64_t damon_effective_bytes(uint64_t esz_bp, uint64_t quota_bytes)
{
	uint64_t bytes = esz_bp / full_bp;

	return quota_bytes && quota_bytes < bytes ? quota_bytes : bytes;
}
