/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/err and base/facts: what is said once, and what is kept by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#undef fail /* cmocka has one of its own */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/facts.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"

struct status_row {
	int err;
	int status;
};

static void check_status(void **state)
{
	const struct status_row *row = *state;

	assert_int_equal(err_status(row->err), row->status);
}

/* stderr into a file, and back with what was written. */
struct taken {
	int saved;
	char path[40];
};

static void take_stderr(struct taken *t)
{
	int fd;

	snprintf(t->path, sizeof(t->path), "/tmp/thpbench-err-XXXXXX");
	fd = mkstemp(t->path);
	fflush(stderr);
	t->saved = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static char *give_back(struct taken *t)
{
	char *text = NULL;

	fflush(stderr);
	dup2(t->saved, STDERR_FILENO);
	close(t->saved);
	file_read(t->path, &text, NULL);
	unlink(t->path);
	return text;
}

static void prints_once_and_returns(void **state)
{
	struct taken t;
	auto_free char *text = NULL;
	int failed;
	int refused;

	(void)state;
	take_stderr(&t);
	failed = fail(-ENOENT, "open %s", "x");
	refused = refuse(-EBUSY, "no: %d", 7);
	warn("odd");
	text = give_back(&t);
	assert_int_equal(failed, -ENOENT);
	assert_int_equal(refused, -EBUSY);
	assert_string_equal(text,
			    "thpbench: open x: No such file or directory\n"
			    "thpbench: no: 7\n"
			    "thpbench: warning: odd\n");
	/* A warning is not the last error. */
	assert_string_equal(err_last(), "no: 7");
}

static void clears_a_live_line(void **state)
{
	struct taken t;
	auto_free char *text = NULL;

	(void)state;
	take_stderr(&t);
	err_live(true);
	refuse(-EIO, "a");
	err_live(false);
	refuse(-EIO, "b");
	text = give_back(&t);
	assert_string_equal(text, "\r\033[Kthpbench: a\nthpbench: b\n");
}

static void keeps_quiet(void **state)
{
	struct taken t;
	auto_free char *text = NULL;

	(void)state;
	take_stderr(&t);
	err_quiet(1);
	fail(-EIO, "read y");
	warn("z");
	err_quiet(0);
	text = give_back(&t);
	assert_string_equal(text, "");
	assert_string_equal(err_last(), "read y: Input/output error");
}

/* Longer than its room, with and without what strerror adds. */
static void cuts_long_messages(void **state)
{
	auto_free char *big = xcalloc(1, 5000);

	(void)state;
	memset(big, 'x', 4999);
	err_quiet(1);
	for (size_t n = 1000; n < 1040; n++) {
		fail(-EIO, "%.*s", (int)n, big);
		assert_true(strlen(err_last()) <= 1023);
		assert_true(strlen(err_last()) >= 1000);
	}
	refuse(-EIO, "%s", big);
	assert_int_equal(strlen(err_last()), 1023);
	/* A percent sign of the user's is text. */
	refuse(-EIO, "%s", "100%s %n");
	assert_string_equal(err_last(), "100%s %n");
	err_quiet(0);
}

static void keeps_facts_in_order(void **state)
{
	struct facts a = { 0 };
	struct facts b = { 0 };

	(void)state;
	assert_string_equal(facts_get(&a, "x"), "");
	for (int i = 0; i < 100; i++) {
		auto_free char *name = xasprintf("n%d", i);

		facts_setf(&a, name, "v%d %s", i, "t");
	}
	facts_set(&a, "n7", "seven");
	facts_set(&a, "n8", "");
	assert_int_equal(a.n, 100);
	assert_string_equal(a.list[7].name, "n7");
	assert_string_equal(a.list[7].value, "seven");
	assert_string_equal(facts_get(&a, "n99"), "v99 t");
	assert_string_equal(facts_get(&a, "n8"), "");
	/* A value of its own, and of another's. */
	facts_set(&a, "n7", facts_get(&a, "n7"));
	facts_set(&a, "n7", a.list[9].value);
	assert_string_equal(facts_get(&a, "n7"), "v9 t");
	facts_set(&b, "n7", "kept?");
	facts_set(&b, "own", "o");
	facts_copy(&b, &a);
	assert_int_equal(b.n, 101);
	assert_string_equal(b.list[0].value, "v9 t");
	assert_string_equal(b.list[1].value, "o");
	facts_free(&a);
	assert_int_equal(a.n, 0);
	facts_free(&a);
	facts_set(&a, "again", "1");
	assert_string_equal(facts_get(&a, "again"), "1");
	facts_free(&a);
	facts_free(&b);
}

/* Element by element, with the room that is not stored. */
static void grows_arrays(void **state)
{
	uint64_t *arr = NULL;
	size_t n = 0;

	(void)state;
	for (; n < 1000;) {
		XGROW(arr, n);
		arr[n] = n * n;
		n++;
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(arr[i], i * i);
	free(arr);
	assert_null(xstrdup(NULL));
}

#define STATUS(err, status)                                                    \
	{                                                                      \
		"status of " #err, check_status, NULL, NULL,                   \
			&(struct status_row)                                   \
		{                                                              \
			err, status                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STATUS(0, 0),
		STATUS(2, STATUS_INCONCLUSIVE),
		STATUS(STATUS_CONFIG, 78),
		STATUS(-EPERM, 77),
		STATUS(-EACCES, 77),
		STATUS(-EROFS, 77),
		STATUS(-ENOENT, 66),
		STATUS(-EISDIR, 66),
		STATUS(-ELOOP, 66),
		STATUS(-ENAMETOOLONG, 66),
		STATUS(-EBUSY, 75),
		STATUS(-EAGAIN, 75),
		STATUS(-EBADMSG, 78),
		STATUS(-EINVAL, 64),
		STATUS(-ENOTSUP, 69),
		STATUS(-EIO, 74),
		STATUS(-ENOSPC, 74),
		STATUS(-EBADF, 74),
		STATUS(-EPROTO, 70),
		STATUS(-4095, 70),
		STATUS(INT32_MIN, 70),
		cmocka_unit_test(prints_once_and_returns),
		cmocka_unit_test(clears_a_live_line),
		cmocka_unit_test(keeps_quiet),
		cmocka_unit_test(cuts_long_messages),
		cmocka_unit_test(keeps_facts_in_order),
		cmocka_unit_test(grows_arrays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
