/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a killed run: those of the journal, and their children. */
#include "bench/guard/undo.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "kern/procstat.h"

#define MARK "THPBENCH_GUARD"

static bool has_ended(int pidfd, int limit_ms)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	return poll(&p, 1, limit_ms) > 0;
}

/* Kill the process behind pidfd, with its group if it leads one. */
static void kill_one(int pidfd, pid_t pid, struct journal_undone *done)
{
	enum { LIMIT_MS = 10000 };

	if (getpgid(pid) == pid)
		kill(-pid, SIGKILL);
	if (pidfd_send_signal(pidfd, SIGKILL, NULL, 0) && errno != ESRCH) {
		fail(-errno, "kill pid %d", (int)pid);
		done->failures++;
	} else if (!has_ended(pidfd, LIMIT_MS)) {
		refuse(-ETIMEDOUT, "pid %d does not end", (int)pid);
		done->failures++;
	} else {
		done->processes++;
	}
}

static void kill_row(const struct undo_row *row, struct journal_undone *done)
{
	/* Opened first: what is looked at is then what is killed. */
	auto_close int pidfd = pidfd_open(row->pid, 0);

	if (pidfd < 0 || row->pid == getpid() || has_ended(pidfd, 0) ||
	    proc_start_time(row->pid) != row->start)
		return;
	kill_one(pidfd, row->pid, done);
}

/* A process of somebody else's that the guard died over. */
static void let_go_on(const struct undo_row *row, struct journal_undone *done)
{
	auto_close int pidfd = pidfd_open(row->pid, 0);
	auto_free char *path = xasprintf("/proc/%d/stat", (int)row->pid);
	auto_free char *text = NULL;
	struct procstat stat;

	if (pidfd < 0 || proc_start_time(row->pid) != row->start ||
	    file_read(path, &text, NULL) || procstat_parse(text, &stat) ||
	    stat.state != 'T')
		return;
	if (!pidfd_send_signal(pidfd, SIGCONT, NULL, 0)) {
		done->continued++;
	} else if (errno != ESRCH) {
		fail(-errno, "let pid %d go on", (int)row->pid);
		done->failures++;
	}
}

static char *mark_text(int32_t guard_pid, uint64_t start)
{
	return xasprintf("%d:%" PRIu64, (int)guard_pid, start);
}

void undo_mark(int32_t guard_pid, uint64_t start)
{
	auto_free char *value = mark_text(guard_pid, start);

	setenv(MARK, value, 1);
}

/* Does its environment hold the mark, with the NUL that ends it? */
static bool is_marked(pid_t pid, const char *mark)
{
	auto_free char *path = xasprintf("/proc/%d/environ", (int)pid);
	auto_free char *text = NULL;
	size_t n;

	return !file_read(path, &text, &n) &&
	       memmem(text, n, mark, strlen(mark) + 1);
}

static void kill_marked(const char *mark, struct journal_undone *done)
{
	struct root proc;
	char **names;
	size_t n;

	if (root_open("/proc", &proc))
		return;
	if (!root_list(&proc, ".", &names, &n)) {
		for (size_t i = 0; i < n; i++) {
			pid_t pid = isdigit((unsigned char)names[i][0])
					    ? (pid_t)strtol(names[i], NULL, 10)
					    : getpid();
			auto_close int pidfd =
				pid == getpid() ? -1 : pidfd_open(pid, 0);

			if (pidfd >= 0 && is_marked(pid, mark))
				kill_one(pidfd, pid, done);
		}
		root_list_free(names, n);
	}
	root_close(&proc);
}

/* Was it let go on by who had stopped it? */
static bool goes_on(const struct undo *u, size_t halted)
{
	const struct undo_row *row = &u->rows[halted];

	for (size_t i = halted + 1; i < u->n; i++)
		if (u->rows[i].kind == UNDO_GOING &&
		    u->rows[i].pid == row->pid &&
		    u->rows[i].start == row->start)
			return true;
	return false;
}

void undo_processes(const struct undo *u, struct journal_undone *done)
{
	enum { MOST_PASSES = 10 };

	for (size_t i = 0; i < u->n; i++)
		if (u->rows[i].kind == UNDO_HALTED && !goes_on(u, i))
			let_go_on(&u->rows[i], done);
	for (size_t i = u->n; i-- > 0;)
		if (u->rows[i].kind == UNDO_PID)
			kill_row(&u->rows[i], done);
	for (size_t i = 0; i < u->n; i++) {
		auto_free char *value = NULL;
		auto_free char *mark = NULL;

		if (u->rows[i].kind != UNDO_GUARD)
			continue;
		value = mark_text(u->rows[i].pid, u->rows[i].start);
		mark = xasprintf(MARK "=%s", value);
		/* Again while there were some: they may have forked. */
		for (int pass = 0; pass < MOST_PASSES; pass++) {
			unsigned int before = done->processes;

			kill_marked(mark, done);
			if (done->processes == before)
				break;
		}
	}
}
