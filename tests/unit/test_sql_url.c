/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/sql_url.h"

struct row {
	const char *text;
	const char *why; /* part of the reason; NULL: it is good */
	struct want {
		bool is_mariadb;
		uint16_t port;
		const char *path;
		const char *user;
		const char *host;
		const char *database;
		const char *socket;
		const char *option_file;
		const char *tls_ca;
	} want;
};

static void expect(const char *what, const char *got, const char *want)
{
	if (!str_eq(got, want))
		fail_msg("%s: %s, not %s", what, got ? got : "none",
			 want ? want : "none");
}

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *why = NULL;
	struct sql_url got;
	int ret = sql_url_parse(row->text, &got, &why);

	assert_int_equal(ret, row->why ? -EINVAL : 0);
	if (row->why && !strstr(why, row->why))
		fail_msg("no '%s' in: %s", row->why, why);
	assert_int_equal(got.is_mariadb, row->want.is_mariadb);
	assert_int_equal(got.port, row->want.port);
	expect("path", got.path, row->want.path);
	expect("user", got.user, row->want.user);
	expect("host", got.host, row->want.host);
	expect("database", got.database, row->want.database);
	expect("socket", got.socket, row->want.socket);
	expect("option_file", got.option_file, row->want.option_file);
	expect("tls_ca", got.tls_ca, row->want.tls_ca);
	sql_url_free(&got);
}

static void test_default(void **state)
{
	auto_free char *path = NULL;

	(void)state;
	unsetenv("THPBENCH_STORE");
	unsetenv("XDG_DATA_HOME");
	setenv("HOME", "/home/x", 1);
	path = sql_url_default();
	expect("home", path, "/home/x/.local/share/thpbench/history.db");
	free(path);
	setenv("XDG_DATA_HOME", "relative", 1);
	path = sql_url_default();
	expect("not absolute", path,
	       "/home/x/.local/share/thpbench/history.db");
	free(path);
	setenv("XDG_DATA_HOME", "/data", 1);
	path = sql_url_default();
	expect("XDG", path, "/data/thpbench/history.db");
	free(path);
	setenv("THPBENCH_STORE", "mariadb://a@b/c", 1);
	path = sql_url_default();
	expect("variable", path, "mariadb://a@b/c");
	free(path);
	unsetenv("THPBENCH_STORE");
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	path = sql_url_default();
	expect("none", path, NULL);
}

#define GOOD(text, ...)                                                        \
	{                                                                      \
		text, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			text, NULL,                                            \
			{                                                      \
				__VA_ARGS__                                    \
			}                                                      \
		}                                                              \
	}
#define BAD(text, why)                                                         \
	{                                                                      \
		"bad: " text, check_row, NULL, NULL, &(struct row)             \
		{                                                              \
			text, why,                                             \
			{                                                      \
				.path = NULL                                   \
			}                                                      \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		GOOD("h.db", .path = "h.db"),
		GOOD("/a b/%41.db", .path = "/a b/%41.db"),
		GOOD("mariadb", .path = "mariadb"),
		GOOD("mariadb://u@h/d", .is_mariadb = true, .user = "u",
		     .host = "h", .database = "d"),
		GOOD("mariadb://h:3307/d", .is_mariadb = true, .host = "h",
		     .port = 3307, .database = "d"),
		GOOD("mariadb://u%40x@h.example/d%2De?tls_ca=/c%26a",
		     .is_mariadb = true, .user = "u@x", .host = "h.example",
		     .database = "d-e", .tls_ca = "/c&a"),
		GOOD("mariadb://u@[::1]/d", .is_mariadb = true, .user = "u",
		     .host = "::1", .database = "d"),
		GOOD("mariadb://[fe80::1%25eth0]:3307/d", .is_mariadb = true,
		     .host = "fe80::1%eth0", .port = 3307, .database = "d"),
		GOOD("./:memory:", .path = "./:memory:"),
		GOOD("mariadb:///d?socket=/run/s", .is_mariadb = true,
		     .database = "d", .socket = "/run/s"),
		GOOD("mariadb://u@/d?option_file=/o&socket=/s",
		     .is_mariadb = true, .user = "u", .database = "d",
		     .socket = "/s", .option_file = "/o"),
		GOOD("mariadb:///d?option_file=/o", .is_mariadb = true,
		     .database = "d", .option_file = "/o"),
		BAD("", "empty"),
		BAD("mysql://u@h/d", "mariadb://"),
		BAD("mariadb://", "database"),
		BAD("mariadb://h", "database"),
		BAD("mariadb://h/", "database"),
		BAD("mariadb://h?socket=/s", "database"),
		BAD("mariadb:///d", "neither"),
		BAD("mariadb://u:secret@h/d", "password"),
		BAD("mariadb://h:0/d", "port"),
		BAD("mariadb://h:65536/d", "port"),
		BAD("mariadb://h:x/d", "port"),
		BAD("mariadb://:3306/d", "host"),
		BAD("mariadb://u@::1/d", "[::1]"),
		BAD("mariadb://u@[::1/d", "[::1]"),
		BAD("mariadb://u@[]/d", "host"),
		BAD("mariadb://u@[::1]x/d", "[::1]"),
		BAD("mariadb://u@[::1]:/d", "port"),
		BAD("mariadb:u@h/d", "strokes"),
		BAD(":memory:", "begins with"),
		BAD("mariadb://h/d?socket=/s", "one of them"),
		BAD("mariadb://h/d?sockets=/s", "behind"),
		BAD("mariadb://h/d?tls_ca=", "no value"),
		BAD("mariadb:///d?socket=/s&socket=/t", "twice"),
		BAD("mariadb:///d?socket=/s&tls_ca=/c", "no tls_ca"),
		BAD("mariadb://%zz@h/d", "user"),
		BAD("mariadb://u@%00/d", "host"),
		BAD("mariadb://h/%4", "database"),
		BAD("mariadb://h/a/b", "database"),
		cmocka_unit_test(test_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
