/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a journal, read, and taken back. */
#ifndef BENCH_UNDO_H
#define BENCH_UNDO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"
#include "base/tsv.h"
#include "bench/guard/journal.h"

enum undo_kind {
	UNDO_GUARD,
	UNDO_SETTING,
	UNDO_DIR,
	UNDO_CGROUP,
	UNDO_PID,
	UNDO_HALTED,
	UNDO_GOING,
	UNDO_KDAMONDS,
	UNDO_TRACE,
};

struct undo_row {
	enum undo_kind kind;
	const char *path;  /* setting, dir, cgroup, trace */
	const char *value; /* setting */
	int rank;          /* setting */
	int32_t pid; /* guard, pid, halted, going; kdamonds: what they watch, 0:
		      * none
		      */
	uint64_t start;  /* proc_start_time() of it */
	uint64_t n;      /* kdamonds: how many */
	const char *ops; /* kdamonds: of DAMON's operations */
};

struct undo {
	struct tsv tsv; /* what the rows point into */
	struct undo_row *rows;
	size_t n;
	unsigned int n_bad; /* rows not understood, or not ours to undo */
};

/*
 * Read the text of a journal; takes it. A last line cut short is left out. A
 * row that is not understood, or that names what is not ours (undo_owns(),
 * undo_owns_cgroup(), undo_owns_trace(), a setting outside the root or of
 * DAMON's, a pid below 2), is counted and left out.
 */
void undo_parse(char *text, struct undo *out);
void undo_free(struct undo *u);

/*
 * May this folder be removed, by its name: absolute, the last part begins
 * with "thpbench", no part is "..".
 */
bool undo_owns(const char *path);
/* The same of a cgroup: below sys/fs/cgroup/, relative to the root. */
bool undo_owns_cgroup(const char *path);
/* The same of a trace instance: in TRACEFS_INSTANCES (kern/tracefs.h). */
bool undo_owns_trace(const char *path);

/*
 * SIGKILL what still is the process of its row, with its group, and whatever
 * carries the guard's mark in its environment (undo_mark()); wait until they
 * are gone. What was halted and stands still goes on first.
 */
void undo_processes(const struct undo *u, struct journal_undone *done);

/*
 * Kdamonds, settings by rank, then the rest, last first. What fails is
 * printed and counted. Returns 0, -EACCES if all that failed was a matter of
 * permission, else -EIO.
 */
int undo_rest(const struct root *root, const struct undo *u,
	      struct journal_undone *done);

/* "3 settings, 1 folder", or "nothing". free() it. */
char *undo_text(const struct journal_undone *done);

/* Put "THPBENCH_GUARD=PID:START" of this guard into our environment. */
void undo_mark(int32_t guard_pid, uint64_t start);

#endif
