/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data folders made once per (workload, server version) and kept in a cache;
 * each run gets a fresh copy.
 */
#ifndef BENCH_PREPARED_H
#define BENCH_PREPARED_H

#include "bench/config/config.h"
#include "bench/guard/journal.h"
#include "bench/server/server.h"

struct prepared {
	char *dir;           /* the kept folder, never started on */
	char *key;           /* what it was made of, a hash */
	uint64_t data_bytes; /* of the workload's tables and indexes */
	bool was_cached;
};

/*
 * The cache folder: $THPBENCH_CACHE, else /var/cache/thpbench for root, else
 * $XDG_CACHE_HOME/thpbench or ~/.cache/thpbench. free() it.
 */
char *prepared_cache_dir(void);

/*
 * Find the folder in the cache, or make it (mariadb-install-db, sysbench
 * prepare, rows checked, clean shutdown) and publish it by rename, so that a
 * killed preparation leaves nothing that counts. tell (may be NULL) hears of
 * progress. -errno printed; -ENOSPC before anything is written where the disk
 * cannot hold it twice.
 */
int prepared_get(const struct root *root, const struct config *config,
		 const struct server_program *program, struct journal *journal,
		 void (*tell)(const char *what), struct prepared *out);

/*
 * The buffer pool that holds all pages of the workload, what the server needs
 * beside them, and little else: pages of the pool that stay empty are where a
 * collapse stops.
 */
uint64_t prepared_pool_bytes(const struct prepared *p);

/*
 * A copy for one run beside the cache (reflink where the file system can),
 * journaled. *dir is free()d by the caller.
 */
int prepared_copy(const struct prepared *p, struct journal *journal,
		  char **dir);
void prepared_free(struct prepared *p);

#endif
