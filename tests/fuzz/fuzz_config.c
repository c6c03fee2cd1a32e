/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a configuration: refused or read, and never both. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/run/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A scheme that a kernel would take, told in DAMON's own files alone. */
static void check_scheme(const struct config *c, size_t arm)
{
	const struct damos_config *s = &c->arms[arm].scheme;
	struct damon_writes start;
	struct damon_writes stop;

	plan_scheme(c, arm, &start, &stop);
	if (s->is_used != (c->arms[arm].damos == DAMOS_SCHEME) ||
	    !start.n == s->is_used || !stop.n == s->is_used)
		abort();
	for (size_t i = 0; i < start.n; i++)
		if (!str_starts(start.list[i].path, DAMON_ROOT "/") ||
		    strstr(start.list[i].path, ".."))
			abort();
	if (s->is_used &&
	    (!s->setup.sample_us || s->setup.sample_us > s->setup.aggr_us ||
	     s->setup.nr_regions.min < 3 ||
	     s->setup.nr_regions.max < s->setup.nr_regions.min ||
	     (s->goal != DAMOS_GOAL_NONE && !s->setup.scheme.quota_reset_ms)))
		abort();
	damon_writes_free(&start);
	damon_writes_free(&stop);
}

/* What a good configuration promises to those who use it. */
static void check(const struct config *c)
{
	const struct workload_config *w = &c->workload;

	if (!c->n_arms || c->baseline >= c->n_arms || !c->title ||
	    !c->primary || strlen(c->hash) != 16 || !c->blocks)
		abort();
	if (w->program == WORKLOAD_SYSBENCH &&
	    (!w->script || !w->rand_type || !w->tables))
		abort();
	if (w->program == WORKLOAD_MEMTOUCH &&
	    (!w->memtouch_pattern || !w->memtouch_bytes))
		abort();
	for (size_t i = 0; i < c->n_arms; i++) {
		struct plan_writes writes;

		plan_writes(c, i, &writes);
		if (writes.n < c->arms[i].n_knobs)
			abort();
		for (size_t k = 0; k < writes.n; k++)
			if (strstr(writes.list[k].path, "..") ||
			    writes.list[k].path[0] == '/')
				abort();
		plan_writes_free(&writes);
		check_scheme(c, i);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct config c;
	struct config again;

	err_quiet(1);
	if (config_parse("fuzz.conf", text, &c))
		return 0;
	check(&c);
	if (config_parse("fuzz.conf", c.text, &again) ||
	    !str_eq(c.hash, again.hash))
		abort();
	config_free(&again);
	config_free(&c);
	return 0;
}
