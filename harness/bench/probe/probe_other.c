/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice for the memory of another process: process_madvise(2). */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/probe/probe_parts.h"

/* The other process: fill the memory, say so, and wait to be killed. */
static _Noreturn void be_other(const struct probe_memory *m, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	probe_memory_fill(m, 0, m->bytes);
	(void)!write(ready, "", 1);
	for (;;)
		pause();
}

/* Start it. Its pid once its pages are there, or -errno. */
static pid_t start_other(const struct probe_memory *m)
{
	int line[2];
	char c;
	pid_t pid;

	if (pipe(line))
		return -errno;
	pid = fork();
	if (pid == 0)
		be_other(m, line[1]);
	if (pid < 0)
		pid = -errno;
	close(line[1]);
	if (pid > 0 && read(line[0], &c, 1) != 1)
		pid = -ECHILD;
	close(line[0]);
	return pid;
}

/* An errno, 0: done. */
static int advise(pid_t pid, const struct probe_memory *m, int advice)
{
	struct iovec range = { m->base, m->bytes };
	auto_close int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0)
		return errno;
	return syscall(SYS_process_madvise, fd, &range, 1, advice, 0) < 0
		       ? errno
		       : 0;
}

static void tell(const struct probe_env *env, const struct probe_memory *m,
		 pid_t pid, int advice, struct answer *out)
{
	int err = advise(pid, m, advice);
	uint64_t huge_bytes = 0;
	int ret = probe_memory_huge(env->root, m, pid, &huge_bytes);

	if (err == EPERM || err == ENOSYS)
		probe_missing(out, "process_madvise: %s%s", strerror(err),
			      err == EPERM ? ": CAP_SYS_NICE is wanted" : "");
	else if (ret)
		probe_missing(out, "/proc/%d/smaps: %s", (int)pid,
			      strerror(-ret));
	else if (advice == PROBE_ADVICE_COLLAPSE || err)
		answer_set(out, ANSWER_OK,
			   probe_collapse_text(err,
					       huge_bytes / env->huge_bytes,
					       m->bytes / env->huge_bytes),
			   NULL);
	else
		answer_set(out, ANSWER_OK, xstrdup("taken"), NULL);
}

static void try(const struct probe_env *env, int advice, struct answer *out)
{
	struct probe_memory m;
	pid_t pid;

	if (probe_map(env, 1, &m, out))
		return;
	pid = start_other(&m);
	if (pid < 0) {
		probe_missing(out, "start another process: %s", strerror(-pid));
		return;
	}
	tell(env, &m, pid, advice, out);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

void probe_other_collapse(const struct probe_env *env, struct answer *out)
{
	try(env, PROBE_ADVICE_COLLAPSE, out);
}

void probe_other_hugepage(const struct probe_env *env, struct answer *out)
{
	try(env, MADV_HUGEPAGE, out);
}
