/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child process with memory as a test wants it, for live tests. */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/root.h"
#include "base/mem.h"
#include "kern/host.h"
#include "kern/smaps.h"

enum { CHILD_PAGES = 8 }; /* huge pages of its memory */

struct child {
	pid_t pid;
	uint64_t huge_bytes;
	struct smaps_vma vma; /* start and end alone: CHILD_PAGES, aligned */
};

/*
 * Run fill() in a child on CHILD_PAGES huge pages' worth of untouched memory
 * with THP switched off (nothing becomes huge by fault, whatever the mode),
 * then switch it on again, call then() if there is one, and wait for
 * child_end(). false: it did not come so far.
 */
static inline bool child_start(struct child *c, uint64_t huge_bytes,
			       void (*fill)(char *mem, size_t huge),
			       void (*then)(char *mem, size_t huge))
{
	size_t size = (CHILD_PAGES + 1) * huge_bytes;
	char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint64_t start =
		((uint64_t)(uintptr_t)mem + huge_bytes - 1) & -huge_bytes;
	int ready[2];
	char byte = 0;

	if (mem == MAP_FAILED || pipe(ready))
		return false;
	c->huge_bytes = huge_bytes;
	c->vma.start = start;
	c->vma.end = start + CHILD_PAGES * huge_bytes;
	c->pid = fork();
	if (c->pid == 0) {
		char *aligned = mem + (start - (uint64_t)(uintptr_t)mem);

		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
		fill(aligned, huge_bytes);
		prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
		if (then)
			then(aligned, huge_bytes);
		(void)!write(ready[1], "r", 1);
		for (;;)
			pause();
	}
	close(ready[1]);
	munmap(mem, size);
	if (c->pid > 0)
		(void)!read(ready[0], &byte, 1);
	close(ready[0]);
	return byte == 'r';
}

static inline void child_end(struct child *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
}

/* Its smaps_rollup. */
static inline int child_sum(const struct child *c, const struct root *root,
			    struct smaps_sum *sum)
{
	auto_free char *path = xasprintf("proc/%d/smaps_rollup", (int)c->pid);
	auto_free char *text = NULL;
	int ret = root_read(root, path, &text);

	return ret ? ret : smaps_parse_rollup(text, sum);
}

/* One byte of each page of 4 KiB of all. */
static inline void child_fill_all(char *mem, size_t huge)
{
	for (size_t i = 0; i < CHILD_PAGES * huge; i += 4096)
		mem[i] = 1;
}

#endif
