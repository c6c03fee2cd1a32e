/* SPDX-License-Identifier: GPL-3.0-or-later */
/* /proc/PID/smaps and smaps_rollup: where the memory of a process lies. */
#ifndef KERN_SMAPS_H
#define KERN_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sums over a process. Kernel kB are converted: all in bytes. */
struct smaps_sum {
	uint64_t rss_bytes;
	uint64_t pss_bytes;
	uint64_t anon_bytes;
	uint64_t anon_huge_bytes;  /* AnonHugePages: PMD-mapped only, no mTHP */
	uint64_t file_huge_bytes;  /* FilePmdMapped */
	uint64_t shmem_huge_bytes; /* ShmemPmdMapped */
	uint64_t hugetlb_bytes;    /* Private_ + Shared_Hugetlb; not in rss */
};

/* One mapping. */
struct smaps_vma {
	uint64_t start;
	uint64_t end;
	char perms[5]; /* "rw-p" */
	char *name;    /* path, "[heap]", "" for anonymous */
	uint64_t rss_bytes;
	uint64_t anon_bytes;
	uint64_t anon_huge_bytes;
	uint64_t file_huge_bytes;
	uint64_t shmem_huge_bytes;
	uint64_t hugetlb_bytes;
	bool is_eligible;    /* THPeligible: 1 */
	bool has_hugepage;   /* VmFlags hg */
	bool has_nohugepage; /* VmFlags nh */
};

struct smaps {
	struct smaps_vma *list;
	size_t n;
};

/*
 * Parse the text of smaps_rollup; unknown lines are skipped, so that newer
 * kernels work. Returns 0, or -EPROTO if Rss or AnonHugePages is missing.
 */
int smaps_parse_rollup(const char *text, struct smaps_sum *out);

/*
 * Parse smaps, or maps (then all sizes are 0). Unknown lines are skipped.
 * Returns 0, or -EPROTO: no mapping at all (an ended process has none), a
 * line before the first, a header or a known line that is none. smaps_free().
 */
int smaps_parse(const char *text, struct smaps *out);
void smaps_free(struct smaps *s);

/*
 * The buffer pool of a database: the largest anonymous private rw mapping by
 * resident bytes, hugetlb pages included (address space where nothing is
 * resident), and every other one of at least a quarter of its size by the
 * same measure (10.5 lays the pool out in chunks of 128 MiB; the kernel
 * merges the pool with its neighbours, so an exact size is never looked for).
 * Heap, stacks and files are none. Returns how many of s are marked in
 * is_pool[s->n].
 */
size_t smaps_find_pool(const struct smaps *s, bool *is_pool);

#endif
