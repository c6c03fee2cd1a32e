/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a child process that holds memory and waits to be killed. */
#ifndef TESTS_TOUCHER_H
#define TESTS_TOUCHER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct toucher {
	size_t huge_bytes;  /* touched, then collapsed */
	size_t small_bytes; /* touched under MADV_NOHUGEPAGE */
	/* Runs in the child first: 0, or it ends. */
	int (*before)(void *arg);
	void *arg;
};

/* flags: MAP_PRIVATE or MAP_SHARED. Aligned: a collapse of shmem needs it. */
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

/* Returns when the memory is touched; 0 if that failed. toucher_end() it. */
static inline pid_t toucher_start(const struct toucher *m)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		return 0;
	pid = fork();
	if (pid == 0) {
		/* cmocka would go on with the tests in the child. */
		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
		if (m->before && m->before(m->arg))
			_exit(1);
		toucher_map(m->huge_bytes, MAP_PRIVATE, true);
		toucher_map(m->small_bytes, MAP_PRIVATE, false);
		if (write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
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
