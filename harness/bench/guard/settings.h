/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernel settings as data: one generic save, apply, verify and restore of
 * (path, value), with a journal that outlives us.
 */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "data/record.h"

/*
 * One kernel file that is watched, and what is known of it. Values are as of
 * knob_value(): "madvise", not "always [madvise] never".
 */
struct setting {
	char *path;
	char *before;      /* its value when the experiment began; NULL: none */
	char *at_start;    /* at the start of this run */
	char *asked;       /* what this run's arm wants; NULL: only watched */
	char *read_back;   /* after applying */
	char *after;       /* at the end of this run */
	int rank;          /* order of restoring, low first (kern/knobs.h) */
	bool is_ours;      /* some arm writes it, or writing changes it */
	bool is_off;       /* a user of DAMON's in the kernel: N in all runs */
	bool was_restored; /* settings_restore() found it changed, put it back
			    */
	int restore_err;   /* 0, or why settings_restore() could not */
};

struct settings {
	struct setting *list;
	size_t n;
};

/*
 * Read every knob of kern/knobs.h that this root has, and those that the
 * arms name. Nothing is written. DAMON_STAT, DAMON_RECLAIM and DAMON_LRU_SORT
 * are to be off in every run, where they are on and may be written. What an arm
 * cannot have is printed with its line and what would be right, and returned
 * (knobcheck.h).
 */
int settings_save(const struct root *root, const struct config *config,
		  struct settings *out);

/*
 * Write what an arm wants, and the first value of what other arms set and it
 * does not, in the order THP, khugepaged, sysctl, then vm.min_free_kbytes
 * pinned to its first value (writing `enabled` changes it), and read all
 * back. Every path is in the journal before (journal.h). A write that fails
 * is printed and returned. One whose value does not hold is not an error
 * here: *bad gets the sentence (free() it), else NULL.
 *
 * A file of a recorded tree gets what the kernel would show afterwards
 * (knob_show()), so that it can be read again.
 */
int settings_apply(const struct root *root, const struct arm *arm,
		   struct settings *s, char **bad);

/*
 * Read all again at the end of a run and compare: a knob that neither we nor
 * the kernel on our behalf changed is named in *foreign (NULL if none).
 */
void settings_check(const struct root *root, struct settings *s,
		    char **foreign);

/*
 * Write the first values back to all that is ours and differs, by rank, and
 * read back. Returns 0, or the first -errno (each printed). A file that is
 * gone (its module was unloaded) has nothing to restore.
 */
int settings_restore(const struct root *root, struct settings *s);

/*
 * Before a run, where asked for: drop clean caches (vm.drop_caches = 3) and
 * compact memory (vm.compact_memory = 1), through the root. Commands, not
 * settings: there is nothing to restore. 0, or -errno printed.
 */
int settings_freshen(const struct root *root, bool drop_caches,
		     bool compact_memory);

struct settings_command {
	const char *path;
	const char *value;
};

/* What settings_freshen() writes, in order; returns how many. */
size_t settings_commands(bool drop_caches, bool compact_memory,
			 struct settings_command list[2]);

/* As rows of settings.tsv; the texts belong to s. free() the array. */
struct setting_record *settings_records(const struct settings *s, size_t *n);

/* The setting of a path, added if need be: for the journal's reader. */
struct setting *settings_add(struct settings *s, const char *path);
/* By rank, then path: the order of writing and of restoring. */
void settings_sort(struct settings *s);

void settings_free(struct settings *s);

#endif
