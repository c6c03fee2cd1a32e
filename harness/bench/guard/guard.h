/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that the user starts is the guard: it forks, the child works,
 * the parent undoes whatever the child left, however the child ended.
 */
#ifndef BENCH_GUARD_H
#define BENCH_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"
#include "bench/guard/journal.h"

struct guard_job {
	const struct root *root;
	const char *config_path; /* named to a second run */
	/*
	 * The work, in a child process. Returns an exit status. It must look
	 * at guard_stopped() often: SIGINT, SIGTERM, SIGHUP and SIGQUIT set
	 * it. It is in a process group of its own, ignores SIGPIPE, and is
	 * sent SIGTERM if the guard dies.
	 */
	int (*work)(struct journal *journal, void *arg);
	void *arg;
	uint64_t grace_ns; /* between a signal and SIGKILL; 0: 15 s */
	/*
	 * Where another run holds the lock, wait until it is free instead of
	 * being refused. There is no queue. A signal ends the wait, and us.
	 */
	bool waits;
};

/*
 * Take the lock, run the job under guard, replay the journal, remove it.
 * Returns an exit status: the job's own; 128 + N if a signal N ended the
 * experiment or the worker; STATUS_TRY_AGAIN if the lock is held or a journal
 * is left. Forwards signals to the worker, gives it 15 s to end, then
 * SIGKILL; a second signal shortens that to at once, but one within 0.3 s is
 * the first request sent twice: timeout(1) signals a process and then its
 * group, systemd sends SIGTERM and SIGHUP to what a log-out ends. SIGHUP stays
 * ignored if it was (nohup).
 */
int guard_run(const struct guard_job *job);

/*
 * Would guard_run() be refused now? 0, -EBUSY or -EAGAIN, printed. For what
 * is to be made only by a run that begins, such as its result folder.
 */
int guard_check(const struct guard_job *job);

/* In the worker: the signal that asks to stop, or 0. Async-signal-safe. */
int guard_stopped(void);

/*
 * Sleep to a moment of clock_ns() or until a signal asks to stop. Returns
 * guard_stopped().
 */
int guard_sleep_until(uint64_t ns);

#endif
