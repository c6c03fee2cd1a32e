/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each collector as it would be opened here. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/collect/collectors.h"

static bool is_off(const struct check_job *job, const char *name)
{
	const char *off = job->config ? job->config->collect.off : NULL;

	return off && collect_is_off(off, name);
}

/* It needs what is there in a run alone. */
static bool needs_run(const struct collector *kind)
{
	return kind == &collector_cgroup || kind == &collector_mariadb ||
	       kind == &collector_damos || kind == &collector_counters;
}

static void check_one(struct check_job *job, const struct collector *kind)
{
	struct collect_target t = { .root = job->root };
	char *source = NULL;
	char *why = NULL;
	void *state;

	if (is_off(job, kind->name)) {
		check_missing(job, kind->name, false,
			      xstrdup("switched off by the configuration"),
			      "the key off of [collect]");
		return;
	}
	state = kind->open(&t, &source, &why);
	if (!state) {
		check_missing(job, kind->name, false, why,
			      "its columns are missing in samples.tsv");
		return;
	}
	kind->close(state);
	/* Its cgroup comes with a run. */
	if (kind == &collector_memory && check_has(job, "cgroup")) {
		auto_free char *without = source;

		source = xasprintf("memory.stat of the server's cgroup; "
				   "without one %s",
				   without);
	}
	check_ok(job, kind->name, source);
}

void check_collectors(struct check_job *job)
{
	for (size_t i = 0; i < n_collectors; i++)
		if (!needs_run(collectors[i]))
			check_one(job, collectors[i]);
}
