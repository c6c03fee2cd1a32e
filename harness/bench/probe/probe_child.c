/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One probe in a process of its own. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/guard/guard.h"
#include "bench/probe/probe_parts.h"

/* In the child: the answer goes into the file, as such files have it. */
static _Noreturn void run_child(const struct probe *p,
				const struct probe_env *env, int fd,
				pid_t parent)
{
	struct answers a = { 0 };
	struct answer *out = answers_add(&a, p->name, p->asks);
	auto_free char *text = NULL;

	setsid();
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_INTERNAL);
	err_quiet(1);
	p->run(env, out);
	if (!out->text)
		probe_missing(out, "the probe says nothing");
	text = answers_format(&a);
	_exit(file_write_fd(fd, text, strlen(text)) ? STATUS_IO : STATUS_OK);
}

/* Until it ends, its time is over or we are to stop. What stopped it, or 0. */
static int wait_child(const struct probe *p, pid_t pid, int *wstatus)
{
	uint64_t end_ns = clock_ns() + p->limit_s * NUM_NS_PER_S;

	for (;;) {
		int got = proc_wait(pid, NUM_NS_PER_S / 10, wstatus);

		if (got)
			return got < 0 ? got : 0;
		if (guard_stopped())
			return -EINTR;
		if (clock_ns() > end_ns)
			return -ETIMEDOUT;
	}
}

static void take(int fd, struct answer *out)
{
	auto_free char *text = NULL;
	auto_free char *why = NULL;
	struct answers a;
	int ret = file_reread_fd(fd, &text, NULL);

	if (ret || answers_parse(text, &a, &why)) {
		probe_missing(out, "the probe gave no answer%s%s",
			      why ? ": " : "", why ? why : "");
		return;
	}
	answer_set(out, a.list[0].state, xstrdup(a.list[0].text),
		   xstrdup(a.list[0].detail));
	answers_free(&a);
}

static void conclude(const struct probe *p, int stopped, int wstatus, int fd,
		     struct answer *out)
{
	auto_free char *how = proc_status_text(wstatus);

	if (stopped == -ETIMEDOUT)
		probe_missing(out, "no answer in %u s", p->limit_s);
	else if (stopped)
		probe_missing(out, "it was stopped: %s", strerror(-stopped));
	else if (!WIFEXITED(wstatus) || WEXITSTATUS(wstatus))
		probe_missing(out, "the probe was ended: %s", how);
	else
		take(fd, out);
}

void probe_child(const struct probe *p, const struct probe_env *env,
		 struct answer *out, int *pid)
{
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);
	pid_t parent = getpid();
	int wstatus = 0;
	int stopped;

	*pid = 0;
	if (fd < 0) {
		probe_missing(out, "make a file: %s", strerror(-fd));
		return;
	}
	fflush(NULL);
	*pid = fork();
	if (*pid == 0)
		run_child(p, env, fd, parent);
	if (*pid < 0) {
		probe_missing(out, "fork: %s", strerror(errno));
		return;
	}
	stopped = wait_child(p, *pid, &wstatus);
	/* Its session too: what it began ends with it. */
	kill(-*pid, SIGKILL);
	if (stopped) {
		kill(*pid, SIGKILL);
		waitpid(*pid, &wstatus, 0);
	}
	conclude(p, stopped, wstatus, fd, out);
}
