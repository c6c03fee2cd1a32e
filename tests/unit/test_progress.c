/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/progress: a live line on a terminal, a line a phase elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#undef fail /* of cmocka */
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/run/progress.h"

/* Two runs of which the first is over; two hours each. */
static void play(void)
{
	struct progress *p = progress_open(4, 7200 * NUM_NS_PER_S);

	progress_run(p, 0, 1, 2, "T ñ, D c");
	progress_phase(p, "start");
	progress_tick(p, (double)NAN, (double)NAN);
	progress_phase(p, "measure");
	progress_tick(p, 18432.4, 1.5 * (double)NUM_GIB);
	progress_say(p, "marked: %s", "a reason");
	warn("from below");
	progress_tick(p, 18000, 0);
	progress_run(p, 1, 1, 2, "T a");
	progress_phase(p, "start");
	progress_close(p);
	progress_close(NULL);
	warn("at the end");
}

/* All that the child's stderr got; a terminal of so many columns, 0: a pipe. */
static char *watch(unsigned short columns, const char *term)
{
	struct winsize size = { .ws_row = 24, .ws_col = columns };
	struct str got = { 0 };
	char buf[4096];
	int fds[2];
	ssize_t n;
	pid_t pid;

	if (columns ? openpty(&fds[0], &fds[1], NULL, NULL, &size) : pipe(fds))
		return NULL;
	pid = fork();
	if (pid == 0) {
		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		setenv("TERM", term, 1);
		/* What goes to stdout would be in the way of a report. */
		dup2(fds[1], STDERR_FILENO);
		close(STDOUT_FILENO);
		play();
		_exit(fflush(stdout) ? 0 : 7);
	}
	close(fds[1]);
	while ((n = read(fds[0], buf, sizeof(buf))) > 0)
		str_addn(&got, buf, (size_t)n);
	close(fds[0]);
	waitpid(pid, NULL, 0);
	return str_steal(&got);
}

static const char plain[] = "[1/4] block 1/2, T ñ, D c: start, 8h00m left\n"
			    "[1/4] block 1/2, T ñ, D c: measure\n"
			    "thpbench: marked: a reason\n"
			    "thpbench: warning: from below\n"
			    "[2/4] block 1/2, T a: start, 0s left\n"
			    "thpbench: warning: at the end\n";

#define CLEAR "\r\033[K"
#define HERE CLEAR "[1/4] block 1/2, T ñ, D c: "

static const char live[] =
	HERE "start, 8h00m left" HERE "start, 8h00m left" HERE
	     "measure, 8h00m left" HERE
	     "measure, 18432 TPS, 1.50 GiB huge, 8h00m left" CLEAR
	     "thpbench: marked: a reason\r\n" HERE
	     "measure, 18432 TPS, 1.50 GiB huge, 8h00m left" CLEAR
	     "thpbench: warning: from below\r\n" HERE
	     "measure, 18000 TPS, 0.00 GiB huge, 8h00m left" CLEAR
	     "[2/4] block 1/2, T a: start, 0s left" CLEAR
	     "thpbench: warning: at the end\r\n";

struct row {
	unsigned short columns;
	const char *term;
	const char *expected;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *got = watch(row->columns, row->term);

	assert_string_equal(got, row->expected);
}

/* No line is wider than the terminal; its last column stays free. */
static void narrow(void **state)
{
	auto_free char *got = watch(30, "xterm");

	(void)state;
	assert_non_null(strstr(got, HERE "st" CLEAR));
	assert_non_null(strstr(got, HERE "me" CLEAR));
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("a pipe", 0, "xterm", plain),
		ROW("a terminal", 100, "xterm", live),
		cmocka_unit_test(narrow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
