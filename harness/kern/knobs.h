/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which kernel files are settings: those that an arm may set, those that leak
 * from one arm into the next, and the order in which they go back.
 */
#ifndef KERN_KNOBS_H
#define KERN_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/root.h"

/* The order of restoring, low first. */
enum knob_rank {
	KNOB_DAMON = 0, /* kdamonds off before anything else */
	KNOB_THP = 10,  /* transparent_hugepage/... */
	KNOB_SYSCTL = 20,
	KNOB_MIN_FREE = 30,   /* writing `enabled` changes it: after THP */
	KNOB_DAMON_STAT = 40, /* the kernel's own DAMON users, last */
};

/*
 * The paths of all knobs that exist below the root, sorted by rank and name:
 * transparent_hugepage/{enabled,defrag,shmem_enabled,use_zero_page,
 * shrink_underused}, hugepages-*kB/{enabled,shmem_enabled}, khugepaged/ (the
 * writable ones: not full_scans, pages_collapsed), vm.min_free_kbytes,
 * vm.compaction_proactiveness, kernel.numa_balancing,
 * kernel.perf_event_paranoid, kernel.randomize_va_space,
 * kernel.nmi_watchdog, damon_{stat,reclaim,lru_sort}/enabled and
 * nr_kdamonds (watched only). Free with root_list_free().
 */
int knobs_list(const struct root *root, char ***paths, size_t *n);

enum knob_rank knob_rank(const char *path);

/* Switches of the kernel's own users of DAMON, then NULL. */
extern const char *const knobs_damon_users[];

/*
 * "thp" -> sys/kernel/mm/transparent_hugepage/enabled, "thp.defrag",
 * "thp.khugepaged.pages_to_scan", "thp.hugepages-64kB.enabled",
 * "sysctl.vm.swappiness" -> proc/sys/vm/swappiness. NULL if the key is of
 * none of these forms or a part is empty or "..". free() it.
 */
char *knob_path(const char *key);

/*
 * The words that a file such as "always [madvise] never" offers, in *words
 * (free the array and words[0]); the chosen one's index or -1. n = 0: the
 * file holds something else (a number).
 */
int knob_words(const char *text, char ***words, size_t *n);

/*
 * What a file says, as one value: "always [madvise] never\n" -> "madvise";
 * without brackets the text itself, trimmed. free() it.
 */
char *knob_value(const char *text);

/*
 * Do two values mean the same to the kernel? Texts but for white space;
 * numbers as numbers (-1, 010 is ten, 0x10); Y, y, 1 and N, n, 0 of modules.
 */
bool knob_same(const char *a, const char *b);

/*
 * Would a file that says text now take this value, as far as its form tells:
 * one of its words, a whole number for a number, Y or N for Y or N? Any text
 * for any other file.
 */
bool knob_takes(const char *text, const char *value);

/*
 * What a file that says text would say once value is written to it, for
 * recorded trees: the brackets move, the line keeps its end. NULL if it does
 * not offer that word. free() it.
 */
char *knob_show(const char *text, const char *value);

#endif
