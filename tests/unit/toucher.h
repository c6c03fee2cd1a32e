/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests: a process that touches memory and waits to be killed. It is this
 * test program once more, so that all its memory is its own: main() calls
 * toucher_main() first.
 */
#ifndef TESTS_TOUCHER_H
#define TESTS_TOUCHER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct toucher {
	size_t huge_bytes;   /* touched, then collapsed */
	size_t small_bytes;  /* touched under MADV_NOHUGEPAGE */
	size_t shared_bytes; /* shmem, touched, then collapsed */
	/* Runs in the child before its exec: 0, or it ends. */
	int (*before)(void *arg);
	void *arg;
};

/* Aligned: a collapse of shmem needs it. */
static inline void toucher_map(size_t size, int flags, bool is_huge)
{
	enum { ADVICE_COLLAPSE = 25 }; /* older headers lack it */
	const size_t huge = 2 << 20;
	char *at;

	if (!size)
		return;
	at = mmap(NULL, size + huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		  0);
	if (at == MAP_FAILED)
		_exit(1);
	at += -(uintptr_t)at & (huge - 1);
	at = mmap(at, size, PROT_READ | PROT_WRITE,
		  flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (at == MAP_FAILED)
		_exit(1);
	madvise(at, size, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	memset(at, 1, size);
	/* Whatever the mode of the machine is at the moment. */
	if (is_huge)
		madvise(at, size, ADVICE_COLLAPSE);
}

/* "toucher" HUGE SMALL SHARED READY-FD: does not return then. */
static inline void toucher_main(int argc, char **argv)
{
	if (argc != 5 || strcmp(argv[0], "toucher") != 0)
		return;
	toucher_map(strtoul(argv[1], NULL, 10), MAP_PRIVATE, true);
	toucher_map(strtoul(argv[2], NULL, 10), MAP_PRIVATE, false);
	toucher_map(strtoul(argv[3], NULL, 10), MAP_SHARED, true);
	if (write((int)strtoul(argv[4], NULL, 10), "x", 1) == 1)
		pause();
	_exit(1);
}

static inline void toucher_exec(const struct toucher *t, int ready)
{
	char args[4][24];
	char name[] = "toucher";
	char *argv[] = { name, args[0], args[1], args[2], args[3], NULL };

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
	snprintf(args[0], sizeof(args[0]), "%zu", t->huge_bytes);
	snprintf(args[1], sizeof(args[1]), "%zu", t->small_bytes);
	snprintf(args[2], sizeof(args[2]), "%zu", t->shared_bytes);
	snprintf(args[3], sizeof(args[3]), "%d", ready);
	if (!t->before || t->before(t->arg) == 0)
		execv("/proc/self/exe", argv);
	_exit(1);
}

/* Returns when the memory is touched; 0 if that failed. toucher_end() it. */
static inline pid_t toucher_start(const struct toucher *t)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		return 0;
	pid = fork();
	if (pid == 0)
		toucher_exec(t, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		waitpid(pid, NULL, 0);
		pid = 0;
	}
	close(ready[0]);
	return pid;
}

static inline void toucher_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

#endif
