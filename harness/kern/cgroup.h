/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cgroup with the memory controller, version 2 or 1. */
#ifndef KERN_CGROUP_H
#define KERN_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"

struct cgroup {
	int version; /* 2 or 1 */
	char *path;  /* below the root: "sys/fs/cgroup/memory/thpbench.123" */
};

/*
 * Where a cgroup with memory accounting can be made; nothing is written.
 * Version 2: the nearest cgroup, from ours to the top, that hands the memory
 * controller to its children, or could be told to (*must_enable; a cgroup
 * with processes in it cannot, but for the top: "no internal processes" of
 * Documentation/admin-guide/cgroup-v2.rst). Else the version 1 memory
 * hierarchy, at ours. Both are found from /proc/self/mountinfo and
 * /proc/self/cgroup. Returns 0 with the parent in *out, or -ENOTSUP with *why
 * set to a sentence (free() it). must_enable may be NULL.
 */
int cgroup_where(const struct root *root, struct cgroup *out, bool *must_enable,
		 char **why);

/*
 * Make a cgroup of that name there. Where the memory controller has to be
 * switched on for it, its name gets "+memory" added, and cgroup_remove()
 * switches it off again. Returns 0 or -errno with *why set to a sentence
 * (free() it). cgroup_remove() and cgroup_free() it.
 */
int cgroup_make(const struct root *root, const char *name, struct cgroup *out,
		char **why);

/* Move the calling process in: for the child between fork and exec. */
int cgroup_enter(const struct root *root, const struct cgroup *cg);

/* What memory.stat says. All in bytes but the counts. */
struct cgroup_memory {
	uint64_t anon_bytes;
	uint64_t anon_huge_bytes; /* v2 anon_thp, v1 rss_huge */
	uint64_t file_bytes;
	uint64_t file_mapped_bytes;
	uint64_t fault_alloc;    /* v2 only: thp_fault_alloc */
	uint64_t collapse_alloc; /* v2 only: thp_collapse_alloc */
	bool has_counts;
};

/*
 * 0, or -EPROTO if anon or its huge part is missing. What was charged before
 * a process came in is not in it: start the process inside.
 */
int cgroup_parse_memory(const char *text, int version,
			struct cgroup_memory *out);
int cgroup_read_memory(const struct root *root, const struct cgroup *cg,
		       struct cgroup_memory *out);

/*
 * SIGKILL all in it, wait until it is empty (at most 10 s), remove it. Where
 * there is none: 0. -EBUSY if we are in it ourselves, or it does not empty;
 * -EINVAL for a path that is no cgroup. Below a recorded root nothing is
 * killed, nor waited for.
 */
int cgroup_remove(const struct root *root, const char *path);
void cgroup_free(struct cgroup *cg);

#endif
