/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cgroup with the memory controller, version 2 or 1. */
#ifndef KERN_CGROUP_H
#define KERN_CGROUP_H

#include <stdint.h>

#include "base/root.h"

struct cgroup {
	int version; /* 2 or 1 */
	char *path;  /* below the root: "sys/fs/cgroup/memory/thpbench.123" */
};

/*
 * Make a cgroup with memory accounting below where we are, or at the top:
 * version 2 where its memory controller can be switched on, else the version
 * 1 memory hierarchy, found from /proc/self/mountinfo. Returns 0 or -errno
 * with *why set to a sentence (free() it). cgroup_remove() it.
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
	int has_counts;
};

/* 0 or -EPROTO if anon or its huge part is missing. */
int cgroup_parse_memory(const char *text, int version,
			struct cgroup_memory *out);
int cgroup_read_memory(const struct root *root, const struct cgroup *cg,
		       struct cgroup_memory *out);

/* SIGKILL all in it, wait until it is empty, remove it. 0 or -errno. */
int cgroup_remove(const struct root *root, const char *path);
void cgroup_free(struct cgroup *cg);

#endif
