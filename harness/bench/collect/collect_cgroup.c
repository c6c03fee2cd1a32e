/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.stat of the server's cgroup. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bench/collect/collectors.h"
#include "kern/cgroup.h"

enum {
	ANON,
	ANON_THP,
	FILES,
	FAULT_ALLOC, /* from here on version 2 only */
	COLLAPSE_ALLOC,
	N_COLUMNS,
};

static const char *const columns[N_COLUMNS] = {
	[ANON] = "cg_anon_bytes",
	[ANON_THP] = "cg_anon_thp_bytes",
	[FILES] = "cg_file_bytes",
	[FAULT_ALLOC] = "cg_fault_alloc",
	[COLLAPSE_ALLOC] = "cg_collapse_alloc",
};

struct group {
	struct kept file;
	int version;
	size_t n_columns;
};

static int group_read(struct group *s, struct cgroup_memory *m)
{
	int ret = kept_read(&s->file);

	return ret ? ret : cgroup_parse_memory(s->file.text, s->version, m);
}

static void group_close(void *state)
{
	struct group *s = state;

	kept_close(&s->file);
	free(s);
}

static void *group_open(const struct collect_target *t, char **source,
			char **why)
{
	auto_free char *path = NULL;
	struct cgroup_memory m;
	struct group *s;
	int ret;

	if (!t->cgroup) {
		*why = xstrdup("no cgroup was made: no server, or no memory "
			       "controller");
		return NULL;
	}
	path = xasprintf("%s/memory.stat", t->cgroup->path);
	s = xcalloc(1, sizeof(*s));
	s->file = KEPT_CLOSED;
	s->version = t->cgroup->version;
	ret = kept_open(&s->file, t->root, path);
	if (!ret)
		ret = group_read(s, &m);
	if (ret) {
		*why = xasprintf("/%s: %s", path, strerror(-ret));
		group_close(s);
		return NULL;
	}
	s->n_columns = m.has_counts ? N_COLUMNS : FAULT_ALLOC;
	*source = xasprintf("cgroup v%d memory.stat", s->version);
	return s;
}

static const char *const *group_columns(void *state, size_t *n)
{
	*n = ((struct group *)state)->n_columns;
	return columns;
}

static void group_sample(void *state, const struct collect_target *t,
			 double *cells)
{
	struct group *s = state;
	struct cgroup_memory m;

	(void)t;
	if (group_read(s, &m))
		return;
	cells[ANON] = (double)m.anon_bytes;
	cells[ANON_THP] = (double)m.anon_huge_bytes;
	cells[FILES] = (double)m.file_bytes;
	if (s->n_columns == N_COLUMNS && m.has_counts) {
		cells[FAULT_ALLOC] = (double)m.fault_alloc;
		cells[COLLAPSE_ALLOC] = (double)m.collapse_alloc;
	}
}

const struct collector collector_cgroup = {
	.name = "cgroup",
	.help = "memory.stat of the server's cgroup",
	.open = group_open,
	.columns = group_columns,
	.sample = group_sample,
	.close = group_close,
	.none = "memory.stat could not be read again",
};
