/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run at a time: the state folder and the lock file in it. */
#ifndef BENCH_LOCK_H
#define BENCH_LOCK_H

#include "base/root.h"

/*
 * The state folder of this root and user: run/thpbench below the root, or
 * for one who may not write there $XDG_RUNTIME_DIR/thpbench, else
 * /tmp/thpbench-UID. It need not be there. free() it.
 */
char *lock_state_dir(const struct root *root);

/* What the folder is for everybody: run/thpbench below the root. free() it. */
char *lock_system_dir(const struct root *root);

/*
 * Make the folder if need be (0755 below the root, else 0700; -EPERM, printed,
 * if it is a link or another may write in it) and take the lock in it with
 * flock(2). Returns the fd, which whoever forks must close in the child; or
 * -EBUSY, printed with the holder's pid and what it does, or -errno, printed.
 * what: a word for the second one, the path of our configuration.
 */
int lock_take(const struct root *root, const char *dir, const char *what);

/*
 * Who holds the lock in a folder: "pid 12 (x.conf)"; NULL: nobody does. Only
 * looked at. free() it.
 */
char *lock_holder(const char *dir);

/* Remove the lock file, give the lock back; the folder goes if empty. */
void lock_give_back(const char *dir, int fd);

#endif
