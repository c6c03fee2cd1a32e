/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out/about: which server, where arms have servers of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/mem.h"
#include "out/about.h"

struct row {
	const char *version; /* of the experiment's own; NULL: none */
	const char *own[3];  /* of the arms a, b, c; NULL: none */
	const char *text;
};

static void check_row(void **state)
{
	static char labels[][2] = { "a", "b", "c" };
	const struct row *row = *state;
	struct arm_record arms[3] = { 0 };
	struct experiment e = { .arms = arms, .n_arms = ARRAY_SIZE(arms) };
	auto_free char *text = NULL;

	if (row->version)
		facts_set(&e.server, "version", row->version);
	for (size_t i = 0; i < e.n_arms; i++) {
		arms[i].label = labels[i];
		if (row->own[i])
			facts_set(&arms[i].settings, "mariadbd", row->own[i]);
	}
	text = about_server(&e);
	assert_string_equal(text, row->text);
	facts_free(&e.server);
	for (size_t i = 0; i < e.n_arms; i++)
		facts_free(&arms[i].settings);
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
		ROW("none", NULL, { 0 }, "no database"),
		ROW("one for all", "10.11", { 0 }, "10.11"),
		ROW("one of an arm's own", "10.11", { NULL, "x, 10.5", NULL },
		    "10.11; of 'b': x, 10.5"),
		ROW("two arms with the same", "10.11",
		    { "x, 10.5", NULL, "x, 10.5" },
		    "10.11; of 'a', 'c': x, 10.5"),
		ROW("each its own", NULL, { "x, 1", "y, 2", "x, 1" },
		    "of 'a', 'c': x, 1; of 'b': y, 2"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
