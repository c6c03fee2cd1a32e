/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of our own, mapped by small or by huge pages, for probes. */
#ifndef BENCH_PROBE_MEMORY_H
#define BENCH_PROBE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"

struct probe_memory {
	char *base;   /* aligned to huge_bytes */
	size_t bytes; /* a multiple of huge_bytes */
	char *map;    /* what was mapped, base within; around it no access */
	size_t map_bytes;
	size_t huge_bytes;
};

/*
 * Private anonymous memory, readable and writable, that no page of is there
 * yet and that touches no other mapping. 0 or -ENOMEM. probe_memory_free() it.
 */
int probe_memory_map(size_t bytes, size_t huge_bytes, struct probe_memory *out);
/* The same of a file, shared or private (a flag of mmap(2)). 0 or -errno. */
int probe_memory_map_file(int fd, int prot, int flags, size_t huge_bytes,
			  struct probe_memory *m);

/* Write a byte to each page of [from, from + bytes). */
void probe_memory_fill(const struct probe_memory *m, size_t from, size_t bytes);

/*
 * How much of it is mapped by whole PMDs, by smaps of a process that has it
 * at the same place (0: this one): anonymous, shmem or of a file. 0 or
 * -errno.
 */
int probe_memory_huge(const struct root *root, const struct probe_memory *m,
		      pid_t pid, uint64_t *huge_bytes);

/*
 * Map and touch bytes (a multiple of huge_bytes): with huge pages all of it,
 * by MADV_HUGEPAGE and MADV_COLLAPSE (Linux 6.1), which asks no THP mode; else
 * none. 0; -ENOMEM; -ENOTSUP if smaps says that it came out otherwise.
 * probe_memory_free() it.
 */
int probe_memory_make(const struct root *root, size_t bytes, size_t huge_bytes,
		      bool is_huge, struct probe_memory *out);
void probe_memory_free(struct probe_memory *m);

/* Write to n words at random places of it, page by page alike. */
void probe_memory_touch(const struct probe_memory *m, uint64_t n);

#endif
