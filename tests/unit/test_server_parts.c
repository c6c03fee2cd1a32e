/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs, option files and environments of a server, without a server. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/server/server_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct log_row {
	const char *text;
	const char *end; /* what is shown of it */
	int err;
};

static void check_log(void **state)
{
	const struct log_row *row = *state;
	char path[] = "/tmp/thpbench-log-XXXXXX";
	auto_free char *end = NULL;
	int fd = mkstemp(path);
	int err;

	assert_true(fd >= 0);
	assert_int_equal(file_write_fd(fd, row->text, strlen(row->text)), 0);
	close(fd);
	end = server_log_end(path);
	err = server_log_error(path);
	unlink(path);
	assert_string_equal(end, row->end);
	assert_int_equal(err, row->err);
}

struct crash_row {
	const char *text;
	bool is_crash;
};

static void check_crash(void **state)
{
	const struct crash_row *row = *state;
	char path[] = "/tmp/thpbench-log-XXXXXX";
	int fd = mkstemp(path);
	bool is_crash;

	assert_true(fd >= 0);
	assert_int_equal(file_write_fd(fd, row->text, strlen(row->text)), 0);
	close(fd);
	is_crash = server_log_crashed(path);
	unlink(path);
	assert_int_equal(is_crash, row->is_crash);
}

struct cnf_row {
	const char *name;
	const char *value;
	const char *line;
};

static void check_cnf(void **state)
{
	const struct cnf_row *row = *state;
	auto_str struct str out = { 0 };

	server_cnf_add(&out, row->name, row->value);
	assert_string_equal(out.text, row->line);
}

static const char *value_in(const char **list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list++)
		if (strncmp(*list, name, n) == 0 && (*list)[n] == '=')
			return *list + n + 1;
	return NULL;
}

struct env_row {
	enum thp_disable thp_disable;
	const char *lib_path;
	const char *arm[2];     /* one variable of the arm */
	const char *ours;       /* LD_PRELOAD of our own */
	const char *want_libs;  /* NULL: not set */
	const char *want_after; /* LD_PRELOAD behind the library */
};

static void check_env(void **state)
{
	const struct env_row *row = *state;
	struct server_program program = { .lib_path = (char *)row->lib_path };
	struct facts env = { 0 };
	struct arm arm = { 0 };
	auto_free const char **list = NULL;
	const char *preload;

	if (row->arm[0])
		facts_set(&arm.env, row->arm[0], row->arm[1]);
	if (row->ours)
		setenv("LD_PRELOAD", row->ours, 1);
	assert_int_equal(server_env(&program, &arm, row->thp_disable, &env), 0);
	unsetenv("LD_PRELOAD");
	list = server_env_list(&env);
	facts_free(&env);
	facts_free(&arm.env);
	if (row->want_libs)
		assert_string_equal(value_in(list, "LD_LIBRARY_PATH"),
				    row->want_libs);
	else
		assert_null(value_in(list, "LD_LIBRARY_PATH"));
	preload = value_in(list, "LD_PRELOAD");
	if (row->thp_disable == THP_DISABLE_BLOCK) {
		assert_non_null(preload);
		preload = strstr(preload, "/libthpkeep.so");
		assert_non_null(preload);
		assert_string_equal(preload + strlen("/libthpkeep.so"),
				    row->want_after);
	} else if (row->want_after) {
		assert_string_equal(preload, row->want_after);
	} else {
		assert_null(preload);
	}
}

#define LOG(title, ...)                                                        \
	{                                                                      \
		title, check_log, NULL, NULL, &(struct log_row)                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define CRASH(title, ...)                                                      \
	{                                                                      \
		title, check_crash, NULL, NULL, &(struct crash_row)            \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define CNF(title, ...)                                                        \
	{                                                                      \
		title, check_cnf, NULL, NULL, &(struct cnf_row)                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ENV(title, ...)                                                        \
	{                                                                      \
		title, check_env, NULL, NULL, &(struct env_row)                \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOG("log: empty", "", "", -EIO),
		LOG("log: no error, its end", "1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n",
		    "\n  2 b\n  3 c\n  4 d\n  5 e\n  6 f", -EIO),
		LOG("log: the first errors",
		    "0 [Note] x\n1 [ERROR] a\n2 [ERROR] b\n3 [ERROR] c\n"
		    "4 [ERROR] d\n5 [ERROR] e\n6 [ERROR] f\n7 advice\n",
		    "\n  1 [ERROR] a\n  2 [ERROR] b\n  3 [ERROR] c\n"
		    "  4 [ERROR] d\n  5 [ERROR] e",
		    -EIO),
		LOG("log: an error on the first line only",
		    "1 [ERROR] a\n2 x\n3 y\n", "\n  1 [ERROR] a", -EIO),
		CRASH("log: of a crash, its handler at work",
		      "0 [Note] x\n1 [ERROR] mariadbd got signal 11 "
		      ";\nAttempting "
		      "backtrace.\n",
		      true),
		CRASH("log: of a clean end",
		      "0 [Note] mariadbd (initiated by: root): Normal "
		      "shutdown\n",
		      false),
		CRASH("log: an error is no crash", "1 [ERROR] Aborting\n",
		      false),
		LOG("log: one cut short", "0 x\n1 [ERROR] ha",
		    "\n  1 [ERROR] ha", -EIO),
		LOG("log: of the loader", "mariadbd: error while loading\n",
		    "\n  mariadbd: error while loading", -EIO),
		LOG("log: of the install script",
		    "FATAL ERROR: Could not find x\nmore\n",
		    "\n  FATAL ERROR: Could not find x", -EIO),
		LOG("log: a full disk, said in a note",
		    "0 [Note] No space left on device\n1 [ERROR] Aborting\n",
		    "\n  1 [ERROR] Aborting", -ENOSPC),
		LOG("log: a full disk, as InnoDB says it",
		    "[ERROR] Probably out of disk space\n",
		    "\n  [ERROR] Probably out of disk space", -ENOSPC),
		LOG("log: no memory",
		    "[ERROR] Cannot map innodb_buffer_pool_size_max=8t\n",
		    "\n  [ERROR] Cannot map innodb_buffer_pool_size_max=8t",
		    -ENOMEM),
		CNF("cnf: plain", "a", "1", "a = \"1\"\n"),
		CNF("cnf: a comment sign", "a", "x #y", "a = \"x #y\"\n"),
		CNF("cnf: quotes", "a", "x\"y", "a = \"x\\\"y\"\n"),
		CNF("cnf: backslash", "a", "\\n", "a = \"\\\\n\"\n"),
		CNF("cnf: empty", "sql_mode", "", "sql_mode = \"\"\n"),
		CNF("cnf: a switch", "skip_log_bin", "", "skip_log_bin\n"),
		ENV("env: keep, nothing", THP_DISABLE_KEEP, NULL, { NULL },
		    NULL, NULL, NULL),
		ENV("env: block", THP_DISABLE_BLOCK, NULL, { NULL }, NULL, NULL,
		    ""),
		ENV("env: block, before ours", THP_DISABLE_BLOCK, NULL,
		    { NULL }, "libm.so.6", NULL, ":libm.so.6"),
		ENV("env: block, before the arm's", THP_DISABLE_BLOCK, NULL,
		    { "LD_PRELOAD", "a.so" }, "libm.so.6", NULL, ":a.so"),
		ENV("env: keep, the arm's stays", THP_DISABLE_KEEP, NULL,
		    { "LD_PRELOAD", "a.so" }, NULL, NULL, "a.so"),
		ENV("env: own libraries", THP_DISABLE_KEEP, "/x/lib", { NULL },
		    NULL, "/x/lib", NULL),
		ENV("env: own libraries, before the arm's", THP_DISABLE_KEEP,
		    "/x/lib", { "LD_LIBRARY_PATH", "/y" }, NULL, "/x/lib:/y",
		    NULL),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
