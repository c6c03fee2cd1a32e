/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mappings of the server by what they are for, from smaps. */
#ifndef BENCH_MAPPING_H
#define BENCH_MAPPING_H

#include <stdbool.h>

#include "bench/collect/collect.h"
#include "data/record.h"
#include "kern/smaps.h"

/*
 * Sum the mappings of one name up, the most resident first:
 *   buffer pool         smaps_find_pool(), of a database; of anything else
 *                       "largest anonymous"
 *   [heap], [stack], [anon:NAME]
 *                       as the kernel has them; [vdso] and the like are
 *                       "kernel's own"
 *   thread stacks       anonymous and right above a guard of glibc's
 *   PROGRAM             the program's file and its .bss
 *   libraries           files that hold ".so", and their .bss
 *   files               all other files
 *   reserved            address space that nothing may touch
 *   [anon]              the rest
 * range is "START-END" of a single mapping, else "N mappings". huge_bytes:
 * anonymous, file and shmem, PMD-mapped. mappings_free() it.
 */
void mapping_group(const struct smaps *s, const char *program, bool is_database,
		   struct mappings *out);
void mappings_free(struct mappings *m); /* and empties it */

/* What the memory collector says before and after smaps was read, and it. */
struct mapping_check {
	double rss_bytes[2]; /* NAN: not known */
	double huge_bytes[2];
	double smaps_rss_bytes;
	double smaps_huge_bytes; /* AnonHugePages */
};

/*
 * Read smaps of the target's server. Fills *out and the smaps_ fields of
 * *check. 0 or -errno (silent).
 */
int mapping_read(const struct collect_target *t, struct mappings *out,
		 struct mapping_check *check);

/*
 * A sentence (free() it) if a sum of smaps lies outside what the collector
 * said before and after by more than 1 % and 4 MiB; else NULL.
 */
char *mapping_mismatch(const struct mapping_check *check, const char *source,
		       const char *when);

#endif
