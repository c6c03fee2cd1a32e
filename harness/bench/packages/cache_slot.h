/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder of the cache that is filled and then gets its name, so that one
 * which was interrupted never counts: until then it begins with a dot.
 * info.tsv in it says what it is.
 */
#ifndef BENCH_CACHE_SLOT_H
#define BENCH_CACHE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/facts.h"
#include "base/stop.h"

struct cache_slot {
	char *folder;     /* that holds all of this kind */
	char *dir;        /* to be filled */
	int lock;         /* one at a time fills a folder of this kind */
	struct stop stop; /* Ctrl-C waits for cache_slot_end() */
	bool is_held;
};

/*
 * Wait for others who fill one of this kind, at most some minutes, remove
 * what killed ones left, and make an empty folder. 0 or -errno, printed.
 * cache_slot_end() it in any case. Between them stop_asked() is to be looked
 * at, as proc_spec.stops does.
 */
int cache_slot_begin(const char *folder, void (*tell)(const char *what),
		     struct cache_slot *slot);

/* Room for so many bytes? 0, or -ENOSPC, printed with how much is needed. */
int cache_slot_room(const struct cache_slot *slot, uint64_t bytes,
		    const char *what);

/*
 * Write info.tsv (with when: "fetched"), bring all to the disk, and give the
 * folder its name; one of that name that is there goes. 0 or -errno, printed.
 */
int cache_slot_publish(struct cache_slot *slot, const struct facts *info,
		       const char *name);

/* Remove what was not published, let others in. */
void cache_slot_end(struct cache_slot *slot);

/* info.tsv of a folder that was published. 0 or -errno, silent. */
int cache_info_read(const char *dir, struct facts *out);

#endif
