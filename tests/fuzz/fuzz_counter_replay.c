/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as counts to replay: what is read holds together. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "bench/counter/counter_replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct counter_replay *r,
		  const struct counter_plan *plan)
{
	if (!plan->n_groups)
		abort();
	for (size_t i = 0; i < plan->n_groups; i++) {
		struct perf_count c;

		if (!plan->groups[i].n || plan->groups[i].n > PERF_MOST_EVENTS)
			abort();
		counter_replay_at(r, i, UINT64_MAX, &c);
		if (c.running_ns > c.enabled_ns)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct counter_replay *r = NULL;
	struct counter_plan plan;

	err_quiet(1);
	if (counter_replay_parse("x", text, &plan, &r) == 0) {
		check(r, &plan);
		counter_replay_free(r);
		counter_plan_free(&plan);
	} else if (r || plan.groups) {
		abort();
	}
	return 0;
}
