/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/vmstat: huge pages, compaction and page faults of the whole system. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/collect/collectors.h"
#include "kern/vmstat.h"

static const char *const wanted[] = {
	"thp_fault_alloc",    "thp_fault_fallback",
	"thp_collapse_alloc", "thp_collapse_alloc_failed",
	"thp_split_page",     "thp_split_pmd",
	"compact_stall",      "compact_success",
	"compact_fail",       "pgfault",
	"pgmajfault",
};

struct vmstat {
	struct kept file;
	struct columns columns;
	const char *names[ARRAY_SIZE(wanted)]; /* those that are there */
};

static void choose(struct vmstat *s, struct str *absent)
{
	uint64_t values[ARRAY_SIZE(wanted)];
	unsigned char is_there[ARRAY_SIZE(wanted)] = { 0 };

	vmstat_parse(s->file.text, wanted, ARRAY_SIZE(wanted), values,
		     is_there);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!is_there[i]) {
			str_addf(absent, " %s", wanted[i]);
			continue;
		}
		s->names[s->columns.n] = wanted[i];
		columns_add(&s->columns, xasprintf("vm_%s", wanted[i]));
	}
}

static void vmstat_close(void *state)
{
	struct vmstat *s = state;

	kept_close(&s->file);
	columns_free(&s->columns);
	free(s);
}

static void *vmstat_open(const struct collect_target *t, char **source,
			 char **why)
{
	struct vmstat *s = xcalloc(1, sizeof(*s));
	auto_str struct str absent = { 0 };
	int ret;

	s->file = KEPT_CLOSED;
	ret = kept_open(&s->file, t->root, "proc/vmstat");
	if (!ret)
		ret = kept_read(&s->file);
	if (!ret)
		choose(s, &absent);
	if (!s->columns.n) {
		*why = ret ? xasprintf("/proc/vmstat: %s", strerror(-ret))
			   : xstrdup("/proc/vmstat has none of its lines");
		vmstat_close(s);
		return NULL;
	}
	*source = absent.len ? xasprintf("/proc/vmstat, which has no%s",
					 absent.text)
			     : xstrdup("/proc/vmstat");
	return s;
}

static const char *const *vmstat_columns(void *state, size_t *n)
{
	struct vmstat *s = state;

	*n = s->columns.n;
	return (const char *const *)s->columns.names;
}

static void vmstat_sample(void *state, const struct collect_target *t,
			  double *cells)
{
	struct vmstat *s = state;
	uint64_t values[ARRAY_SIZE(wanted)];
	unsigned char is_there[ARRAY_SIZE(wanted)] = { 0 };

	(void)t;
	if (kept_read(&s->file))
		return;
	vmstat_parse(s->file.text, s->names, s->columns.n, values, is_there);
	for (size_t i = 0; i < s->columns.n; i++)
		if (is_there[i])
			cells[i] = (double)values[i];
}

const struct collector collector_vmstat = {
	.name = "vmstat",
	.help = "huge pages, compaction, page faults of the whole system",
	.open = vmstat_open,
	.columns = vmstat_columns,
	.sample = vmstat_sample,
	.close = vmstat_close,
	.none = "/proc/vmstat could not be read again",
};
