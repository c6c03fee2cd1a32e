/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loads are taken: a good one, spoilt in one way at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/load/load.h"

/* A row names a field again to spoil it. */
#pragma GCC diagnostic ignored "-Woverride-init"

struct row {
	struct load load;
	const char *log;  /* what it printed; NULL: no file */
	const char *want; /* part of the verdict; NULL: taken */
};

static void check_row(void **state)
{
	const struct row *r = *state;
	char path[] = "/tmp/thpbench-verdict-XXXXXX";
	struct load l = r->load;
	auto_free char *verdict = NULL;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	if (r->log)
		assert_int_equal(file_write_fd(fd, r->log, strlen(r->log)), 0);
	else
		unlink(path);
	close(fd);
	l.log = path;
	verdict = load_verdict(&l);
	unlink(path);
	if (!r->want) {
		if (verdict)
			fail_msg("%s", verdict);
		return;
	}
	if (!verdict || !strstr(verdict, r->want))
		fail_msg("%s", verdict ? verdict : "taken");
	assert_null(strchr(verdict, '\n'));
}

#define SPOILT(...)                                                            \
	{                                                                      \
		.is_asked = true, .n_lines = 11, .seconds = 10.5,              \
		.transactions = 700, .has_final = true,                        \
		.final_transactions = 700, .final_seconds = 10.5, __VA_ARGS__  \
	}
#define LOG_ROW(name, printed, text, ...)                                      \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			SPOILT(__VA_ARGS__), printed, text                     \
		}                                                              \
	}
#define ROW(name, text, ...)                                                   \
	LOG_ROW(name, "sysbench 1.0.20\n", text, __VA_ARGS__)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("good", NULL, .n_pending = 0),
		ROW("null load", NULL, .program = WORKLOAD_NULL,
		    .wstatus = 256),
		ROW("ended by itself", "ended by itself: exited with 0",
		    .is_asked = false),
		ROW("did not stop", "did not stop", .is_killed = true,
		    .wstatus = 9),
		ROW("status 1", "exited with 1: sysbench 1.0.20",
		    .wstatus = 256),
		ROW("signal", "killed by SIGSEGV", .wstatus = 11),
		LOG_ROW("status and reason", "a\nFATAL: b\nc\n",
			"exited with 1: FATAL: b", .wstatus = 256),
		LOG_ROW("FATAL and status 0", "a\nFATAL: error 2013\nc\n",
			"printed \"FATAL: error 2013\"", .n_pending = 0),
		LOG_ROW("FATAL within a line", "a FATAL: b\n", NULL,
			.n_pending = 0),
		LOG_ROW("FATAL in the last, unended line", "a\nFATAL: b",
			"FATAL: b", .n_pending = 0),
		LOG_ROW("no log at all", NULL, NULL, .n_pending = 0),
		ROW("bad line", "holds not a line: \"x\"",
		    .bad_line = (char[]){ "not a line: \"x\"" }),
		ROW("partial line", "middle of a line", .n_pending = 3),
		ROW("no final report", "no final report", .has_final = false),
		ROW("no transaction", "no transaction", .transactions = 0,
		    .final_transactions = 0),
		ROW("errors", "3 transactions met errors", .errors = 3),
		ROW("reconnects", "connect again 2 times", .reconnects = 2),
		ROW("one line late", NULL, .n_lines = 9),
		ROW("two lines missing", "8 lines", .n_lines = 8),
		ROW("seconds missing", "cover 9.500 s of its 10.500 s",
		    .seconds = 9.5),
		ROW("seconds too many", "cover 11.500 s", .seconds = 11.5),
		ROW("a short run has one line", NULL, .n_lines = 1,
		    .seconds = 0.3, .final_seconds = 0.3),
		ROW("sum one short",
		    "sum up to 699 transactions, but it "
		    "counted 700",
		    .transactions = 699),
		ROW("sum one over", "sum up to 701", .transactions = 701),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
