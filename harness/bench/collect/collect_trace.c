/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who made huge pages by a collapse, exactly: the kernel's tracepoint
 * mm_collapse_huge_page by the name of the task. In the whole system.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/collect/collectors.h"
#include "bench/guard/journal.h"
#include "data/column.h"
#include "kern/tracefs.h"

#define EVENT "huge_memory/mm_collapse_huge_page"

enum { DAMOS, KHUGEPAGED, OTHER, N_COLUMNS };

static const char *const columns[N_COLUMNS] = {
	[DAMOS] = COL_TRACE_DAMOS,
	[KHUGEPAGED] = COL_TRACE_KHUGEPAGED,
	[OTHER] = COL_TRACE_OTHER,
};

struct trace {
	struct tracefs fs;
	uint64_t n[N_COLUMNS];
};

static int who(const char *comm)
{
	if (str_starts(comm, "kdamond."))
		return DAMOS;
	return str_eq(comm, "khugepaged") ? KHUGEPAGED : OTHER;
}

static void count(void *arg, const struct trace_event *e)
{
	auto_free char *status = trace_event_word(e, "status");
	struct trace *s = arg;

	if (str_eq(status, "succeeded"))
		s->n[who(e->comm)]++;
}

static char *why_not(const struct collect_target *t)
{
	int ret = tracefs_probe(t->root);

	if (ret == -ENOENT)
		return xstrdup("tracefs is not mounted (mount -t tracefs nodev "
			       "/sys/kernel/tracing)");
	if (ret)
		return xasprintf("/" TRACEFS_INSTANCES ": %s", strerror(-ret));
	if (!tracefs_has(t->root, EVENT))
		return xstrdup("this kernel has no tracepoint " EVENT);
	return NULL;
}

/* Room for what 10,000 collapses between two ticks leave. */
enum { BUFFER_KB = 1024 };

static int make(const struct collect_target *t, struct trace *s)
{
	auto_free char *path =
		xasprintf(TRACEFS_INSTANCES "/thpbench.%d", (int)getpid());
	int ret = journal_trace(t->journal, path);

	if (!ret)
		ret = tracefs_open(t->root, path, BUFFER_KB, &s->fs);
	return ret ? ret : tracefs_enable(&s->fs, EVENT);
}

static void trace_close(void *state)
{
	struct trace *s = state;

	tracefs_close(&s->fs);
	free(s);
}

static void *trace_open(const struct collect_target *t, char **source,
			char **why)
{
	struct trace *s;
	int ret;

	*why = why_not(t);
	if (*why)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->fs = TRACEFS_CLOSED;
	/* `check` only asks. */
	ret = t->journal ? make(t, s) : 0;
	if (!ret) {
		*source = xstrdup("tracepoint " EVENT);
		return s;
	}
	*why = xasprintf("a trace instance of our own: %s", strerror(-ret));
	trace_close(s);
	return NULL;
}

static const char *const *trace_columns(void *state, size_t *n)
{
	(void)state;
	*n = N_COLUMNS;
	return columns;
}

static void trace_sample(void *state, const struct collect_target *t,
			 double *cells)
{
	struct trace *s = state;

	(void)t;
	/* What was lost is not known to be of whom: then nothing is exact. */
	if (tracefs_read(&s->fs, count, s) || s->fs.n_lost)
		return;
	for (size_t i = 0; i < N_COLUMNS; i++)
		cells[i] = (double)s->n[i];
}

const struct collector collector_trace = {
	.name = "trace",
	.help = "collapses by DAMOS, khugepaged and others, by a tracepoint",
	.open = trace_open,
	.columns = trace_columns,
	.sample = trace_sample,
	.close = trace_close,
	.none = "events were lost: its buffer was too small",
};
