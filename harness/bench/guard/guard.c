/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/guard/lock.h"
#include "bench/guard/undo.h"

static const uint64_t default_grace_ns = 15 * NUM_NS_PER_S;
static const uint64_t same_request_ns = 300 * NUM_NS_PER_MS;

static const int stop_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* In the worker: the first signal that asked to stop. */
static volatile sig_atomic_t stop_signal;

static void on_stop(int sig)
{
	if (!stop_signal)
		stop_signal = sig;
}

int guard_stopped(void)
{
	return stop_signal;
}

/* nohup is respected. SIGINT is not: sh ignores it in what it starts with &. */
static bool is_taken(int sig)
{
	struct sigaction now;

	return sig != SIGHUP || sigaction(sig, NULL, &now) ||
	       now.sa_handler != SIG_IGN;
}

static void fill_stop_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		if (is_taken(stop_signals[i]))
			sigaddset(set, stop_signals[i]);
}

static struct timespec timespec_of(uint64_t ns)
{
	return (struct timespec){ .tv_sec = (time_t)(ns / NUM_NS_PER_S),
				  .tv_nsec = (long)(ns % NUM_NS_PER_S) };
}

int guard_sleep_until(uint64_t ns)
{
	sigset_t stop;
	sigset_t before;
	uint64_t now;

	/* Let in by ppoll() alone: none can come between look and sleep. */
	fill_stop_set(&stop);
	sigprocmask(SIG_BLOCK, &stop, &before);
	while (!stop_signal && (now = clock_ns()) < ns) {
		struct timespec left = timespec_of(ns - now);

		ppoll(NULL, 0, &left, &before);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return stop_signal;
}

static void take_signals(void)
{
	/* Libraries in the worker see no EINTR; our own sleeps do. */
	struct sigaction stop = { .sa_handler = on_stop,
				  .sa_flags = SA_RESTART };
	sigset_t set;

	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		if (is_taken(stop_signals[i]))
			sigaction(stop_signals[i], &stop, NULL);
	/* In the background of the terminal it may still write there. */
	signal(SIGTTOU, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	fill_stop_set(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static _Noreturn void run_worker(const struct guard_job *job,
				 struct journal *journal, pid_t guard)
{
	int ret;

	journal_forget_lock(journal);
	setpgid(0, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != guard)
		_exit(STATUS_INTERNAL);
	undo_mark(guard, proc_start_time(guard));
	take_signals();
	ret = journal_pid(journal, getpid());
	exit(ret ? err_status(ret) : job->work(journal, job->arg));
}

/* The worker as its guard sees it. */
struct watch {
	pid_t pid;
	uint64_t grace_ns;
	int sig; /* the signal that asked to stop, 0: none */
	uint64_t sig_ns;
	int wstatus;
	/* A shell that became us by exec may have had children: not ours. */
	struct proc_children before;
};

static void pass_on(struct watch *w, int sig)
{
	uint64_t now = clock_ns();

	if (!w->sig) {
		w->sig = sig;
		w->sig_ns = now;
		kill(w->pid, sig);
		kill(w->pid, SIGCONT);
		warn("SIG%s: the run ends and all is put back; a second one "
		     "does so at once",
		     sigabbrev_np(sig));
	} else if (now - w->sig_ns > same_request_ns) {
		kill(w->pid, SIGKILL);
	}
}

/* Reap what ended, orphans too. Has the worker? */
static bool has_ended(struct watch *w)
{
	int wstatus;
	pid_t pid;

	while ((pid = waitpid(-1, &wstatus, WNOHANG)) > 0) {
		if (pid == w->pid) {
			w->wstatus = wstatus;
			return true;
		}
	}
	return false;
}

static void wait_worker(struct watch *w)
{
	struct timespec nap = timespec_of(NUM_NS_PER_S / 2);
	sigset_t set;

	fill_stop_set(&set);
	sigaddset(&set, SIGCHLD);
	while (!has_ended(w)) {
		int sig = sigtimedwait(&set, NULL, &nap);

		if (sig > 0 && sig != SIGCHLD)
			pass_on(w, sig);
		if (w->sig && clock_ns() - w->sig_ns > w->grace_ns)
			kill(w->pid, SIGKILL);
	}
}

/* The worker is gone: take back the rest. 0 or -errno, printed. */
static int clean_up(const struct guard_job *job, const struct watch *w,
		    struct journal *journal)
{
	struct journal_undone done;
	int killed = proc_kill_children(&w->before);
	int ret = journal_replay(job->root, true, &done);

	journal->is_kept = ret != 0;
	done.processes += (unsigned int)killed;
	if (WIFSIGNALED(w->wstatus)) {
		auto_free char *how = proc_status_text(w->wstatus);
		auto_free char *what = undo_text(&done);

		refuse(0, "the run was %s; put back: %s", how, what);
	}
	journal_close(journal);
	return ret;
}

static int status_of(const struct watch *w, int undo_err)
{
	if (w->sig)
		return 128 + w->sig;
	if (WIFSIGNALED(w->wstatus))
		return 128 + WTERMSIG(w->wstatus);
	if (WEXITSTATUS(w->wstatus))
		return WEXITSTATUS(w->wstatus);
	return err_status(undo_err);
}

/* Those that came while we cleaned up: they asked for what is done. */
static void drop_pending(const sigset_t *set)
{
	struct timespec none = { 0 };

	while (sigtimedwait(set, NULL, &none) > 0)
		;
}

static int guard(const struct guard_job *job, struct journal *journal)
{
	pid_t self = getpid();
	struct watch w = {
		.grace_ns = job->grace_ns ? job->grace_ns : default_grace_ns,
	};
	int ret;

	proc_list_children(&w.before);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	w.pid = fork();
	if (w.pid == 0)
		run_worker(job, journal, self);
	if (w.pid < 0) {
		ret = fail(-errno, "fork");
		journal_close(journal);
		ret = err_status(ret);
	} else {
		wait_worker(&w);
		ret = status_of(&w, clean_up(job, &w, journal));
	}
	proc_free_children(&w.before);
	return ret;
}

/* After -EBUSY, which was printed: until nobody holds the lock. */
static void wait_for_lock(const struct guard_job *job)
{
	const uint64_t look_ns = NUM_NS_PER_S / 4;
	auto_free char *dir = lock_state_dir(job->root);
	char *holder;

	warn("waiting for its end");
	do {
		clock_sleep_until(clock_ns() + look_ns);
		holder = lock_holder(dir);
		free(holder);
	} while (holder);
}

int guard_check(const struct guard_job *job)
{
	int ret;

	while ((ret = journal_check(job->root, job->config_path)) == -EBUSY &&
	       job->waits)
		wait_for_lock(job);
	return ret;
}

/* With the lock, and the signals of set blocked; else what is to be undone. */
static int open_journal(const struct guard_job *job, const sigset_t *set,
			sigset_t *before, struct journal *journal)
{
	for (;;) {
		int ret;

		/* Blocked before there is anything to restore: none ends the
		 * guard. */
		sigprocmask(SIG_BLOCK, set, before);
		ret = journal_open(job->root, job->config_path, journal);
		if (ret != -EBUSY || !job->waits)
			return ret;
		sigprocmask(SIG_SETMASK, before, NULL);
		wait_for_lock(job);
	}
}

int guard_run(const struct guard_job *job)
{
	struct sigaction by_default = { .sa_handler = SIG_DFL };
	struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction chld;
	struct sigaction pipe;
	struct journal journal;
	sigset_t before;
	sigset_t set;
	int ret;

	fill_stop_set(&set);
	sigaddset(&set, SIGCHLD);
	ret = open_journal(job, &set, &before, &journal);
	sigaction(SIGCHLD, &by_default, &chld);
	sigaction(SIGPIPE, &ignored, &pipe);
	ret = ret ? err_status(ret) : guard(job, &journal);
	drop_pending(&set);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sigaction(SIGPIPE, &pipe, NULL);
	sigaction(SIGCHLD, &chld, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
