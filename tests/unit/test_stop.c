/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that wait until what is half made is whole, or gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/stop.h"

/* The wait status of a child that does work(sig). */
static int status_of(void (*work)(int sig), int sig)
{
	int wstatus = 0;
	pid_t pid = fork();

	if (pid == 0) {
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		work(sig);
		_exit(7);
	}
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	return wstatus;
}

static void held(int sig)
{
	struct stop outer;
	struct stop inner;

	if (stop_asked())
		_exit(1);
	stop_hold(&outer);
	if (stop_asked())
		_exit(2);
	kill(getpid(), sig);
	if (!stop_asked())
		_exit(3);
	stop_hold(&inner);
	stop_release(&inner);
	/* Still held by the outer one. */
	if (!stop_asked())
		_exit(4);
	stop_release(&outer);
	_exit(5);
}

static void test_held(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		int wstatus = status_of(held, signals[i]);

		assert_true(WIFSIGNALED(wstatus));
		assert_int_equal(WTERMSIG(wstatus), signals[i]);
	}
}

/* As nohup does. */
static void ignored(int sig)
{
	struct stop stop;

	signal(sig, SIG_IGN);
	stop_hold(&stop);
	kill(getpid(), sig);
	if (stop_asked())
		_exit(1);
	stop_release(&stop);
	_exit(0);
}

static void test_ignored(void **state)
{
	int wstatus = status_of(ignored, SIGHUP);

	(void)state;
	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), 0);
}

static int run_sleep(bool stops)
{
	const char *const argv[] = { "sleep", "2", NULL };
	const struct proc_spec spec = { .argv = argv, .stops = stops };
	int wstatus;

	return proc_run(&spec, 30 * NUM_NS_PER_S, &wstatus);
}

static int capture_sleep(void)
{
	const char *const argv[] = { "sleep", "20", NULL };
	const struct proc_spec spec = { .argv = argv, .stops = true };
	char *out = NULL;
	int wstatus;

	return proc_capture(&spec, 30 * NUM_NS_PER_S, &out, &wstatus);
}

static void ends_programs(int sig)
{
	uint64_t begin = clock_ns();
	struct stop stop;

	stop_hold(&stop);
	kill(getpid(), sig);
	if (run_sleep(true) != -EINTR || capture_sleep() != -EINTR)
		_exit(1);
	if (clock_ns() - begin > 1900 * NUM_NS_PER_MS)
		_exit(2);
	/* Who does not ask for it is left alone. */
	_exit(run_sleep(false) ? 3 : 0);
}

static void test_programs(void **state)
{
	int wstatus = status_of(ends_programs, SIGTERM);

	(void)state;
	assert_true(WIFEXITED(wstatus));
	assert_int_equal(WEXITSTATUS(wstatus), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_ignored),
		cmocka_unit_test(test_programs),
	};

	return cmocka_run_group_tests_name("stop", tests, NULL, NULL);
}
