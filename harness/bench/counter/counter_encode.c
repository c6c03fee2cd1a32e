/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/counter/counter_parts.h"

enum { PERF_RAW = 4 }; /* PERF_TYPE_RAW */

const char *counter_tables(const struct event_pmu *pmu)
{
	for (size_t i = 0; i < pmu->n_tables; i++)
		if (str_eq(pmu->tables[i], EVENT_RAW) ||
		    pfm_has_pmu(pmu->tables[i]))
			return pmu->tables[i];
	return EVENT_RAW;
}

/*
 * drivers/perf/arm_pmuv3.c shows in events/ which of the common events a core
 * has (PMCEID); of others it is not said. It opens those that a core does not
 * have too, and they stay 0.
 */
static bool is_common_of_arm(uint64_t code)
{
	return code < 0x40 || (code >= 0x4000 && code < 0x4040);
}

static char *not_advertised(const struct counter_job *job,
			    const struct event_word *word,
			    const struct perf_code *code)
{
	if (!str_starts(job->sysfs->name, "armv") ||
	    !is_common_of_arm(code->config) ||
	    cpu_pmu_has_code(job->sysfs, code->config))
		return NULL;
	return xasprintf("the core does not have %s (%#" PRIx64
			 "): it is not in /" CPU_PMU_DIR "/%s/events",
			 word->name, code->config, job->sysfs->name);
}

/* The event's name for libpfm4, and for those who read of it. free() both. */
static char *full_name(const struct counter_job *job,
		       const struct event_word *word, char **shown)
{
	char *name;

	if (!str_eq(job->tables, EVENT_RAW)) {
		name = xasprintf("%s::%s", job->tables, word->name);
		*shown = xstrdup(name);
		return name;
	}
	*shown = xasprintf("%s (raw)", word->name);
	return xasprintf("perf_raw::r%" PRIx64, word->code);
}

/* NULL, or why not (free() it). */
static char *encode_word(const struct counter_job *job,
			 const struct event_word *word,
			 struct counter_event *out)
{
	auto_free char *name = NULL;
	const char *why;

	if (str_eq(job->tables, EVENT_RAW) && !word->has_code)
		return xasprintf("libpfm4 has no tables of %s, and %s has no "
				 "code of %s",
				 job->pmu->name, job->file->path, word->name);
	name = full_name(job, word, &out->name);
	if (pfm_encode(name, job->ask->level, &out->code, &why))
		return xasprintf("libpfm4 cannot encode %s: %s", name, why);
	if (word->has_code && out->code.config != word->code)
		return xasprintf("libpfm4 encodes %s as %#" PRIx64
				 ", %s says %#" PRIx64,
				 name, out->code.config, job->file->path,
				 word->code);
	if (job->is_hybrid && out->code.type == PERF_RAW)
		out->code.type = job->sysfs->type;
	return not_advertised(job, word, &out->code);
}

struct counter_event *counter_encode(const struct counter_job *job,
				     const struct event_role *role, char **why)
{
	struct counter_event *events = xcalloc(role->n, sizeof(*events));

	*why = NULL;
	for (size_t i = 0; !*why && i < role->n; i++) {
		events[i].role = xstrdup(role->name);
		*why = encode_word(job, &role->words[i], &events[i]);
	}
	if (!*why)
		return events;
	counter_events_free(events, role->n);
	return NULL;
}

void counter_events_free(struct counter_event *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(events[i].name);
		free(events[i].role);
	}
	free(events);
}
