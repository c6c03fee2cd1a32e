/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of our own, mapped by small or by huge pages, for probes. */
#ifndef BENCH_PROBE_MEMORY_H
#define BENCH_PROBE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

struct probe_memory {
	char *base;   /* aligned to huge_bytes */
	size_t bytes; /* a multiple of huge_bytes */
	char *map;    /* what was mapped, base within */
	size_t map_bytes;
};

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
