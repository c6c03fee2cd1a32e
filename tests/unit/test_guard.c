/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench/guard: every way in which a run can end leaves the machine as it was.
 *
 * Without an argument on a recorded machine; with "live" on this one, where
 * it needs root and nobody else at the same knobs (tests/live/ends.sh).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/guard/guard.h"
#include "bench/guard/lock.h"
#include "bench/guard/settings.h"
#include "kern/knobs.h"
#include "scratch.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

#define T(text) ((char[]){ text })
#define THP "sys/kernel/mm/transparent_hugepage/"

/* What the worker tells the test. */
struct shared {
	volatile int ready;
	volatile pid_t worker;
	volatile pid_t child;  /* of the worker, in the journal */
	volatile pid_t orphan; /* its grandchild, not in the journal */
	volatile pid_t hidden; /* a child without a mark: only the guard's */
	volatile pid_t older;  /* a child that the guard had before its run */
	volatile pid_t group;  /* the worker's process group */
	volatile int awake;    /* the signal was heard, not the axe */
	char temp_dir[64];
};

enum target { NOBODY, GUARD, GROUP, WORKER, BOTH };

struct end {
	const char *name;
	int (*inside)(void);
	enum target target; /* who is sent sig once the worker is ready */
	int sig;
	int again; /* a second signal, to the guard */
	int status;
	int killed_by; /* the guard itself, 0: not */
};

static struct {
	bool is_live;
	struct root root;
	struct scratch scratch;
	struct shared *shared;
	unsigned int n_ends;
	unsigned int n_differences;
	bool is_dirty; /* the last test did not come to its end */
} test;

static void cause_segv(void)
{
	volatile char *page =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*page = 1;
}

static int in_success(void)
{
	return STATUS_OK;
}

static int in_error(void)
{
	return STATUS_IO;
}

static int in_exit(void)
{
	exit(3);
}

static int in_quick_exit(void)
{
	_exit(4);
}

static int in_kill(void)
{
	return raise(SIGKILL);
}

static int in_abort(void)
{
	abort();
}

static int in_segv(void)
{
	cause_segv();
	return STATUS_OK;
}

/* As a run does: asleep for long, awake when asked to stop. */
static int in_wait(void)
{
	uint64_t end = clock_ns() + 60 * NUM_NS_PER_S;

	while (!guard_sleep_until(end) && clock_ns() < end)
		;
	test.shared->awake = guard_stopped();
	return guard_stopped() ? STATUS_INVALID : STATUS_INTERNAL;
}

/* It has to shut a server down: a second signal may come meanwhile. */
static int in_slow(void)
{
	uint64_t end = clock_ns() + 60 * NUM_NS_PER_S;

	while (!guard_sleep_until(end) && clock_ns() < end)
		;
	clock_sleep_until(clock_ns() + 400 * NUM_NS_PER_MS);
	test.shared->awake = guard_stopped();
	return STATUS_INVALID;
}

static int in_stubborn(void)
{
	for (;;)
		clock_sleep_until(clock_ns() + NUM_NS_PER_S);
	return STATUS_OK;
}

static int in_stopped(void)
{
	raise(SIGSTOP);
	return in_wait();
}

/* Let the guard be stopped and go on while the worker ends. */
static int in_guard_stopped(void)
{
	kill(getppid(), SIGSTOP);
	clock_sleep_until(clock_ns() + NUM_NS_PER_S / 5);
	kill(getppid(), SIGCONT);
	return STATUS_OK;
}

static const struct end ends[] = {
	{ "success", in_success, NOBODY, 0, 0, 0, 0 },
	{ "error", in_error, NOBODY, 0, 0, STATUS_IO, 0 },
	{ "exit()", in_exit, NOBODY, 0, 0, 3, 0 },
	{ "_exit()", in_quick_exit, NOBODY, 0, 0, 4, 0 },
	{ "abort()", in_abort, NOBODY, 0, 0, 128 + SIGABRT, 0 },
	{ "segfault", in_segv, NOBODY, 0, 0, 128 + SIGSEGV, 0 },
	{ "worker kills itself", in_kill, NOBODY, 0, 0, 128 + SIGKILL, 0 },
	{ "guard is stopped", in_guard_stopped, NOBODY, 0, 0, 0, 0 },
	{ "SIGINT", in_wait, GUARD, SIGINT, 0, 128 + SIGINT, 0 },
	{ "SIGTERM", in_wait, GUARD, SIGTERM, 0, 128 + SIGTERM, 0 },
	{ "SIGHUP", in_wait, GUARD, SIGHUP, 0, 128 + SIGHUP, 0 },
	{ "SIGQUIT", in_wait, GUARD, SIGQUIT, 0, 128 + SIGQUIT, 0 },
	{ "log-out: SIGTERM, SIGHUP", in_slow, GUARD, SIGTERM, SIGHUP,
	  128 + SIGTERM, 0 },
	{ "Ctrl-C to the group", in_wait, GROUP, SIGINT, 0, 128 + SIGINT, 0 },
	{ "SIGTERM to the worker", in_wait, WORKER, SIGTERM, 0, 3, 0 },
	{ "SIGKILL of the worker", in_wait, WORKER, SIGKILL, 0, 128 + SIGKILL,
	  0 },
	{ "stopped worker, SIGTERM", in_stopped, GUARD, SIGTERM, 0,
	  128 + SIGTERM, 0 },
	{ "stubborn, SIGTERM", in_stubborn, GUARD, SIGTERM, 0, 128 + SIGTERM,
	  0 },
	{ "stubborn, two signals", in_stubborn, GUARD, SIGINT, SIGINT,
	  128 + SIGINT, 0 },
	{ "SIGKILL of the guard", in_wait, GUARD, SIGKILL, 0, 0, SIGKILL },
	{ "stubborn, SIGKILL of the guard", in_stubborn, GUARD, SIGKILL, 0, 0,
	  SIGKILL },
	{ "stopped, SIGKILL of the guard", in_stopped, GUARD, SIGKILL, 0, 0,
	  SIGKILL },
	{ "SIGKILL of both", in_wait, BOTH, SIGKILL, 0, 0, SIGKILL },
	{ "SIGSEGV of the guard", in_wait, GUARD, SIGSEGV, 0, 0, SIGSEGV },
};

/* A child that left our session, and a grandchild that is nobody's. */
static int start_children(struct journal *journal)
{
	pid_t pid = fork();
	int fds[2];
	char byte;

	if (pid == 0) {
		setsid();
		for (;;)
			pause();
	}
	test.shared->child = pid;
	pid = fork();
	if (pid == 0) {
		setsid();
		for (;;)
			pause();
	}
	test.shared->hidden = pid;
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		setsid();
		pid = fork();
		if (pid) {
			test.shared->orphan = pid;
			_exit(0);
		}
		execlp("sleep", "sleep", "600", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	/* Closed by its exec: from then on it carries the guard's mark. */
	close(fds[1]);
	(void)!read(fds[0], &byte, 1);
	close(fds[0]);
	return journal_pid(journal, test.shared->child);
}

static char values[][8] = { "always", "never" };
static struct knob knobs[] = {
	{ T("thp"), T(THP "enabled"), values[0], 1 },
	{ T("thp.khugepaged.pages_to_scan"), T(THP "khugepaged/pages_to_scan"),
	  T("8192"), 2 },
	{ T("thp.khugepaged.scan_sleep_millisecs"),
	  T(THP "khugepaged/scan_sleep_millisecs"), T("5000"), 3 },
};
static struct arm arm = { .label = T("x"),
			  .knobs = knobs,
			  .n_knobs = ARRAY_SIZE(knobs) };
static const struct config config = { .path = T("ends.conf"),
				      .arms = &arm,
				      .n_arms = 1 };

struct job {
	struct settings settings;
	const struct end *end;
};

static int work(struct journal *journal, void *arg)
{
	struct job *job = arg;
	struct shared *shared = test.shared;
	auto_free char *file = NULL;
	char *bad = NULL;

	shared->worker = getpid();
	shared->group = getpgrp();
	snprintf(shared->temp_dir, sizeof(shared->temp_dir),
		 "/tmp/thpbench.XXXXXX");
	if (journal_settings(journal, &job->settings) ||
	    settings_apply(&test.root, &arm, &job->settings, &bad) || bad ||
	    !mkdtemp(shared->temp_dir) ||
	    journal_dir(journal, shared->temp_dir))
		return STATUS_INTERNAL;
	file = xasprintf("%s/data", shared->temp_dir);
	if (file_publish(file, "x") || start_children(journal))
		return STATUS_INTERNAL;
	shared->ready = 1;
	return job->end->inside();
}

static pid_t start_older(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	setpgid(0, 0);
	execlp("sleep", "sleep", "600", NULL);
	_exit(127);
}

static pid_t start_guard(const struct end *end)
{
	struct job job = { .end = end };
	struct guard_job guarded = { .root = &test.root,
				     .config_path = "ends.conf",
				     .work = work,
				     .arg = &job,
				     .grace_ns = NUM_NS_PER_S };
	pid_t pid;

	memset(test.shared, 0, sizeof(*test.shared));
	pid = fork();
	if (pid)
		return pid;
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	setpgid(0, 0);
	err_quiet(1);
	/* What a shell left that became thpbench by exec. */
	test.shared->older = start_older();
	/* Both words come up: the first value lies between them. */
	knobs[0].value = values[test.n_ends % 2];
	if (settings_save(&test.root, &config, &job.settings))
		_exit(STATUS_INTERNAL);
	_exit(guard_run(&guarded));
}

static void wait_ready(pid_t guard)
{
	uint64_t limit = clock_ns() + 20 * NUM_NS_PER_S;

	while (!test.shared->ready && clock_ns() < limit)
		clock_sleep_until(clock_ns() + 5 * NUM_NS_PER_MS);
	if (!test.shared->ready) {
		kill(guard, SIGKILL);
		fail_msg("the worker did not start");
	}
	/* Until it is where it waits or stops. */
	clock_sleep_until(clock_ns() + 50 * NUM_NS_PER_MS);
}

static void send_signals(const struct end *end, pid_t guard)
{
	const struct {
		pid_t pid;
		pid_t more;
	} targets[] = {
		[GUARD] = { guard, 0 },
		[GROUP] = { -guard, 0 },
		[WORKER] = { test.shared->worker, 0 },
		[BOTH] = { guard, test.shared->worker },
	};

	if (end->target == NOBODY)
		return;
	kill(targets[end->target].pid, end->sig);
	if (targets[end->target].more)
		kill(targets[end->target].more, end->sig);
	if (end->again) {
		uint64_t ms = end->inside == in_slow ? 50 : 400;

		clock_sleep_until(clock_ns() + ms * NUM_NS_PER_MS);
		kill(guard, end->again);
	}
}

/* Each knob of the root as its file has it. */
struct texts {
	char **paths;
	char **texts;
	size_t n;
};

static void read_texts(struct texts *t)
{
	knobs_list(&test.root, &t->paths, &t->n);
	t->texts = xcalloc(t->n, sizeof(*t->texts));
	for (size_t i = 0; i < t->n; i++)
		root_read(&test.root, t->paths[i], &t->texts[i]);
}

static unsigned int count_differences(const struct texts *a,
				      const struct texts *b)
{
	unsigned int n = a->n == b->n ? 0 : 1;

	for (size_t i = 0; i < a->n && i < b->n; i++) {
		if (str_eq(a->paths[i], b->paths[i]) &&
		    str_eq(a->texts[i], b->texts[i]))
			continue;
		print_message("%s: %s before, %s after\n", a->paths[i],
			      a->texts[i], b->texts[i]);
		n++;
	}
	return n;
}

static void free_texts(struct texts *t)
{
	root_list_free(t->paths, t->n);
	root_list_free(t->texts, t->n);
}

/* A worker that minds its signals ends with its guard, without restore. */
static void expect_worker_ends(void)
{
	uint64_t limit = clock_ns() + 10 * NUM_NS_PER_S;
	pid_t worker = test.shared->worker;

	while (waitpid(worker, NULL, WNOHANG) == 0 && clock_ns() < limit)
		clock_sleep_until(clock_ns() + 5 * NUM_NS_PER_MS);
	assert_int_equal(kill(worker, 0), -1);
}

static void restore(void)
{
	struct journal_undone done;
	struct journal journal;

	assert_int_equal(journal_open(&test.root, "x", &journal), -EAGAIN);
	assert_non_null(strstr(err_last(), "'thpbench restore"));
	assert_int_equal(journal_replay(&test.root, false, &done), 0);
	/* min_free_kbytes goes back with `enabled` where the kernel minds. */
	assert_true(done.settings >= 3);
	assert_int_equal(done.failures, 0);
	assert_int_equal(done.dirs, 1);
	assert_int_equal(journal_replay(&test.root, false, &done), -ENOENT);
}

/* So that a test that fails does not leave what the next one stumbles on. */
static void kill_left(const struct end *end)
{
	const struct shared *s = test.shared;
	const pid_t pids[] = { s->worker, s->child, s->orphan, s->hidden };

	/* Neither in the journal nor marked: of no guard but a living one. */
	if (end->killed_by && s->hidden > 0 && !kill(s->hidden, SIGKILL))
		waitpid(s->hidden, NULL, 0);
	for (size_t i = 0; test.is_dirty && i < ARRAY_SIZE(pids); i++)
		if (pids[i] > 0)
			kill(pids[i], SIGKILL);
}

/* The guard ends what it began and no other; its end made it ours. */
static void expect_older_lives(void)
{
	pid_t older = test.shared->older;

	assert_true(older > 0);
	assert_int_equal(waitpid(older, NULL, WNOHANG), 0);
	kill(older, SIGKILL);
	assert_int_equal(waitpid(older, NULL, 0), older);
}

static void expect_gone(void)
{
	const pid_t pids[] = { test.shared->worker, test.shared->child,
			       test.shared->orphan, test.shared->hidden };
	auto_free char *dir = lock_state_dir(&test.root);
	auto_free char *journal = xasprintf("%s/journal.tsv", dir);
	auto_free char *lock = xasprintf("%s/lock", dir);

	expect_older_lives();
	/* Those whose guard was killed became ours. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		assert_true(pids[i] > 0);
		assert_int_equal(kill(pids[i], 0), -1);
	}
	assert_int_equal(access(test.shared->temp_dir, F_OK), -1);
	assert_int_equal(access(journal, F_OK), -1);
	assert_int_equal(access(lock, F_OK), -1);
}

/* The guard's own end, and that of a worker that heard of it. */
static void expect_status(const struct end *end, int wstatus)
{
	bool hears = end->inside == in_wait || end->inside == in_slow ||
		     end->inside == in_stopped;

	assert_int_equal(test.shared->group, test.shared->worker);
	if (end->killed_by) {
		assert_true(WIFSIGNALED(wstatus));
		assert_int_equal(WTERMSIG(wstatus), end->killed_by);
		return;
	}
	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), end->status);
	if (hears && end->sig != SIGKILL)
		assert_int_equal(test.shared->awake, end->sig);
}

static void check_end(void **state)
{
	const struct end *end = *state;
	uint64_t limit_ns = 20 * NUM_NS_PER_S;
	struct texts before;
	struct texts after;
	unsigned int n;
	int wstatus;
	pid_t guard;

	read_texts(&before);
	guard = start_guard(end);
	wait_ready(guard);
	test.is_dirty = true;
	send_signals(end, guard);
	assert_int_equal(proc_wait(guard, limit_ns, &wstatus), 1);
	expect_status(end, wstatus);
	if (end->killed_by == SIGKILL && end->inside == in_wait)
		expect_worker_ends();
	if (end->killed_by)
		restore();
	read_texts(&after);
	n = count_differences(&before, &after);
	test.n_ends++;
	test.n_differences += n;
	free_texts(&before);
	free_texts(&after);
	assert_int_equal(n, 0);
	kill_left(end);
	expect_gone();
	test.is_dirty = false;
}

static int clean_up(void **state)
{
	kill_left(*state);
	if (test.is_dirty && test.shared->older > 0)
		kill(test.shared->older, SIGKILL);
	test.is_dirty = false;
	return 0;
}

static void test_second_run(void **state)
{
	static const struct end end = { "second", in_wait,       GUARD, SIGTERM,
					0,        128 + SIGTERM, 0 };
	auto_free char *sentence = NULL;
	struct journal_undone done;
	struct journal journal;
	pid_t guard = start_guard(&end);
	int wstatus;

	(void)state;
	wait_ready(guard);
	sentence = xasprintf("another run is going on: pid %d (ends.conf)",
			     (int)guard);
	assert_int_equal(journal_open(&test.root, "x", &journal), -EBUSY);
	assert_string_equal(err_last(), sentence);
	assert_int_equal(journal_replay(&test.root, false, &done), -EBUSY);
	assert_string_equal(err_last(), sentence);
	kill(guard, SIGTERM);
	assert_int_equal(proc_wait(guard, 20 * NUM_NS_PER_S, &wstatus), 1);
	assert_int_equal(WEXITSTATUS(wstatus), 128 + SIGTERM);
	expect_gone();
}

static int setup(void **state)
{
	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test.shared = mmap(NULL, sizeof(*test.shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (test.shared == MAP_FAILED)
		return -1;
	if (test.is_live)
		return root_open("/", &test.root);
	if (scratch_open(&test.scratch, "host-6.18"))
		return -1;
	test.root = test.scratch.root;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	printf("ends tried: %u, differences: %u\n", test.n_ends,
	       test.n_differences);
	if (!test.is_live)
		return scratch_close(&test.scratch);
	root_close(&test.root);
	return 0;
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[ARRAY_SIZE(ends) + 1] = {
		cmocka_unit_test(test_second_run),
	};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		tests[i + 1] = (struct CMUnitTest){
			.name = ends[i].name,
			.test_func = check_end,
			.teardown_func = clean_up,
			.initial_state = (void *)&ends[i],
		};
	test.is_live = argc > 1 && str_eq(argv[1], "live");
	err_quiet(1);
	return cmocka_run_group_tests(tests, setup, teardown);
}
