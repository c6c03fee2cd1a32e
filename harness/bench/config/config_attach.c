/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_attach.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

static const struct text_key *key_of(const struct text *text,
				     const char *section, const char *name)
{
	return text_key(text_section(text, section), name);
}

/* All that name a kernel: it can be the host's alone. */
static void check_kernels(const struct text *text, struct faults *faults)
{
	for (size_t i = 0; i < text->n; i++) {
		const struct text_key *k =
			text_key(&text->sections[i], "kernel");

		if (k && !str_eq(k->value, "host"))
			fault_add(faults, k->line,
				  "kernel = %s: program = attach watches a "
				  "process of this machine; host",
				  k->value);
	}
}

static void check_scope(const struct text *text, const struct config *c,
			struct faults *faults)
{
	const struct text_key *k = key_of(text, "collect", "scope");

	if (k && c->collect.scope == COUNTERS_OF_CGROUP)
		fault_add(faults, k->line,
			  "scope = cgroup: that of an attached process is not "
			  "ours; server or system");
}

void config_attach(const struct text *text, struct config *c,
		   struct faults *faults)
{
	const struct text_key *program = key_of(text, "workload", "program");

	if (c->workload.program != WORKLOAD_ATTACH)
		return;
	if (!c->workload.pid && !key_of(text, "workload", "pid"))
		fault_add(
			faults, program ? program->line : 0,
			"program = attach: no pid; pid = N, of a process that "
			"runs");
	check_kernels(text, faults);
	check_scope(text, c, faults);
	if (key_of(text, "experiment", "primary"))
		return;
	free(c->primary);
	c->primary = xstrdup("huge_bytes");
	if (*facts_get(&c->keys, "experiment.primary"))
		facts_set(&c->keys, "experiment.primary", c->primary);
}
