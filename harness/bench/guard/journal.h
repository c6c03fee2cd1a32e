/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must be undone, on disk before it is done: settings, folders, cgroups
 * and processes of a run. The guard replays it; after the guard's own death
 * `thpbench restore` does.
 *
 * <state>/journal.tsv, fsynced line by line:
 *   guard   PID START          who wrote it
 *   setting PATH VALUE RANK    write VALUE back
 *   dir     PATH               remove
 *   cgroup  PATH               kill what is in it, rmdir
 *   pid     PID START          kill, if it still is the same process
 *   halted  PID START          let go on, if it still is and stands still
 *   going   PID START          it does: the row before is void
 *   kdamonds N PID OPS         stop N kdamonds that watch PID, nr_kdamonds 0
 *   trace   PATH               remove this instance of tracefs
 * <state>: see lock.h.
 */
#ifndef BENCH_JOURNAL_H
#define BENCH_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/root.h"
#include "bench/guard/settings.h"

struct journal {
	int fd;      /* -1: not open */
	int lock_fd; /* held by flock(2) for as long as the guard lives */
	char *dir;   /* the state folder */
	char *path;
	bool is_kept; /* something could not be undone: closing leaves it */
};

/*
 * Take the lock and start a journal. -EBUSY (printed) if another run holds
 * it, naming its pid and configuration; -EAGAIN (printed: "thpbench restore")
 * if a journal of a killed run is there.
 */
int journal_open(const struct root *root, const char *config_path,
		 struct journal *j);

/* Would journal_open() refuse now? The same results, and nothing is left. */
int journal_check(const struct root *root, const char *config_path);

/*
 * Each appends a line and fsyncs before it returns. 0 or -errno, printed.
 * Names that a replay would not touch (undo.h: the last part must begin with
 * "thpbench") are refused with -EINVAL. A relative folder is made absolute.
 * A process that has ended already is left out.
 */
int journal_settings(struct journal *j, const struct settings *s);
int journal_dir(struct journal *j, const char *path);
/*
 * Make a folder of our own, thpbench.XXXXXX in $TMPDIR or /tmp, and journal
 * it (j may be NULL). In /tmp too where $TMPDIR is so long that a socket in
 * the folder would have no name (sun_path of unix(7): 108 bytes). *path is
 * free()d by the caller. -errno printed.
 */
int journal_temp_dir(struct journal *j, char **path);
int journal_cgroup(struct journal *j, const char *path);
int journal_pid(struct journal *j, pid_t pid);
/* Before a process that is not ours is stopped (halt.h). */
int journal_halted(struct journal *j, pid_t pid);
/* After it was let go on. */
int journal_going(struct journal *j, pid_t pid);
/* Before nr_kdamonds is written; pid and ops as in struct damos_owned. */
int journal_kdamonds(struct journal *j, size_t n, pid_t pid, const char *ops);
int journal_trace(struct journal *j, const char *path);

/* In a child of the guard: the lock is the guard's alone. */
void journal_forget_lock(struct journal *j);

/* What a replay did. */
struct journal_undone {
	unsigned int settings; /* values written back */
	unsigned int dirs;
	unsigned int cgroups;
	unsigned int processes;
	unsigned int kdamonds;
	unsigned int traces;
	unsigned int continued; /* processes that stood still */
	unsigned int failures;  /* each printed */
};

/*
 * Undo all that the journal names: processes, kdamonds, settings by rank, then
 * the rest, last first; then remove it. Used by the guard and by restore.
 * is_own: the caller holds the lock. -ENOENT if there is no journal; -EBUSY
 * (printed) if its guard lives; if something could not be undone (printed)
 * -EIO, or -EACCES where it was a matter of permission: the journal stays.
 */
int journal_replay(const struct root *root, bool is_own,
		   struct journal_undone *done);

/* The journal in a state folder (lock.h), if one is there. free() it. */
char *journal_left(const char *dir);

/* Remove the journal file and give the lock back. */
void journal_close(struct journal *j);

#endif
