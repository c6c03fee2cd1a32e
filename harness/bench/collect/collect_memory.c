/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resident and huge memory of the server, from the cheapest source that is
 * exact on this kernel. Huge is AnonHugePages of smaps: anonymous memory
 * mapped by PMD. Resident is Rss of smaps: anonymous, file and shmem pages
 * mapped, huge or not; neither counts hugetlb.
 *
 *   huge      memory.stat anon_thp (v1: rss_huge) of the cgroup that the
 *             server was started in, ~20 us; PAGEMAP_SCAN, ~1 ms a GiB;
 *             smaps_rollup, ~13 ms a GiB of small pages.
 *   resident  statm, ~8 us, where its counters are exact (kern/statm.h);
 *             else memory.stat's anonymous memory plus statm's file and
 *             shmem pages (file pages are charged to whom touched them
 *             first, so memory.stat does not have all of those); else
 *             smaps_rollup.
 *
 * memory.stat may lag by 64 pages a CPU for up to 2 s (memcg's rstat).
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/collect/collectors.h"
#include "data/column.h"
#include "kern/cgroup.h"
#include "kern/pagemap.h"
#include "kern/smaps.h"
#include "kern/statm.h"

enum { RSS, HUGE_PAGES, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {
	[RSS] = COL_RSS,
	[HUGE_PAGES] = COL_HUGE,
};

enum source {
	FROM_CGROUP,
	FROM_STATM,
	FROM_SCAN,
	FROM_ROLLUP,
};

struct memory {
	enum source rss;
	enum source huge;
	int version; /* of the cgroup */
	struct kept cgroup;
	pid_t pid; /* whose files the rest are; 0: none open */
	struct kept statm;
	struct kept rollup;
	int pagemap_fd;
};

static int read_cgroup(struct memory *s, struct cgroup_memory *m)
{
	int ret = kept_read(&s->cgroup);

	return ret ? ret : cgroup_parse_memory(s->cgroup.text, s->version, m);
}

static bool open_cgroup(struct memory *s, const struct collect_target *t)
{
	auto_free char *path = NULL;
	struct cgroup_memory m;

	if (!t->cgroup)
		return false;
	path = xasprintf("%s/memory.stat", t->cgroup->path);
	s->version = t->cgroup->version;
	return kept_open(&s->cgroup, t->root, path) == 0 &&
	       read_cgroup(s, &m) == 0;
}

/* Tried on ourselves: the server is not there yet. */
static bool can_scan(const struct root *root)
{
	auto_close int fd = pagemap_open(root, getpid());

	return fd >= 0;
}

/* false: there is none. */
static bool choose(struct memory *s, const struct collect_target *t)
{
	bool has_cgroup = open_cgroup(s, t);

	if (has_cgroup)
		s->huge = FROM_CGROUP;
	else if (can_scan(t->root))
		s->huge = FROM_SCAN;
	else
		s->huge = FROM_ROLLUP;
	/* A recorded tree is of another kernel than the one that runs us. */
	if (t->root->is_live && statm_is_exact())
		s->rss = FROM_STATM;
	else if (has_cgroup)
		s->rss = FROM_CGROUP;
	else
		s->rss = FROM_ROLLUP;
	if (s->rss == FROM_ROLLUP)
		s->huge = FROM_ROLLUP; /* one read for both */
	return s->huge != FROM_ROLLUP ||
	       root_exists(t->root, "proc/self/smaps_rollup");
}

static char *describe(const struct memory *s)
{
	static const char *const huge[] = {
		[FROM_CGROUP] = "memory.stat",
		[FROM_SCAN] = "PAGEMAP_SCAN",
		[FROM_ROLLUP] = "smaps_rollup",
	};
	static const char *const rss[] = {
		[FROM_STATM] = "statm",
		[FROM_CGROUP] = "memory.stat and statm",
		[FROM_ROLLUP] = "smaps_rollup",
	};

	if (s->huge == FROM_CGROUP)
		return xasprintf("huge: cgroup v%d memory.stat; resident: %s",
				 s->version, rss[s->rss]);
	return xasprintf("huge: %s; resident: %s", huge[s->huge], rss[s->rss]);
}

static void leave_process(struct memory *s)
{
	kept_close(&s->statm);
	kept_close(&s->rollup);
	if (s->pagemap_fd >= 0)
		close(s->pagemap_fd);
	s->pagemap_fd = -1;
	s->pid = 0;
}

static void memory_close(void *state)
{
	struct memory *s = state;

	leave_process(s);
	kept_close(&s->cgroup);
	free(s);
}

static void *memory_open(const struct collect_target *t, char **source,
			 char **why)
{
	struct memory *s = xcalloc(1, sizeof(*s));

	s->cgroup = s->statm = s->rollup = KEPT_CLOSED;
	s->pagemap_fd = -1;
	if (!choose(s, t)) {
		*why = xstrdup("no cgroup with memory.stat, no PAGEMAP_SCAN "
			       "(Linux 6.7), no /proc/PID/smaps_rollup");
		memory_close(s);
		return NULL;
	}
	*source = describe(s);
	return s;
}

static const char *const *memory_columns(void *state, size_t *n)
{
	(void)state;
	*n = N_COLUMNS;
	return columns;
}

/* Files of a process that is new to us. */
static void meet_process(struct memory *s, const struct collect_target *t)
{
	leave_process(s);
	s->pid = t->server_pid;
	if (s->rss != FROM_ROLLUP)
		kept_open_proc(&s->statm, t->root, s->pid, "statm");
	if (s->huge == FROM_SCAN)
		s->pagemap_fd = pagemap_open(t->root, s->pid);
	if (s->huge == FROM_ROLLUP)
		kept_open_proc(&s->rollup, t->root, s->pid, "smaps_rollup");
}

static void sample_rollup(struct memory *s, double *cells)
{
	struct smaps_sum sum;

	if (kept_read(&s->rollup) || smaps_parse_rollup(s->rollup.text, &sum))
		return;
	cells[RSS] = (double)sum.rss_bytes;
	cells[HUGE_PAGES] = (double)sum.anon_huge_bytes;
}

static void sample_scan(struct memory *s, double *cells)
{
	uint64_t bytes;

	if (s->pagemap_fd >= 0 &&
	    pagemap_huge_bytes(s->pagemap_fd, &bytes) == 0)
		cells[HUGE_PAGES] = (double)bytes;
}

static void memory_sample(void *state, const struct collect_target *t,
			  double *cells)
{
	struct memory *s = state;
	struct cgroup_memory m = { 0 };
	struct statm statm;
	bool has_cgroup;

	if (t->server_pid <= 0)
		return;
	if (t->server_pid != s->pid)
		meet_process(s, t);
	if (s->huge == FROM_ROLLUP)
		sample_rollup(s, cells);
	if (s->huge == FROM_SCAN)
		sample_scan(s, cells);
	if (s->rss == FROM_ROLLUP)
		return;
	/* A process that is gone has no statm, but its cgroup stays. */
	if (kept_read(&s->statm) || statm_parse(s->statm.text, &statm))
		return;
	has_cgroup = s->huge == FROM_CGROUP && read_cgroup(s, &m) == 0;
	if (has_cgroup)
		cells[HUGE_PAGES] = (double)m.anon_huge_bytes;
	if (s->rss == FROM_STATM)
		cells[RSS] = (double)statm.resident_bytes;
	else if (has_cgroup)
		cells[RSS] = (double)(m.anon_bytes + statm.shared_bytes);
}

const struct collector collector_memory = {
	.name = "memory",
	.help = "resident and huge memory of the server",
	.open = memory_open,
	.columns = memory_columns,
	.sample = memory_sample,
	.close = memory_close,
	.none = "no server process",
};
