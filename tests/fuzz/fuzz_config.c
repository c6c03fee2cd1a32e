/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a configuration: refused or read, and never both. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
