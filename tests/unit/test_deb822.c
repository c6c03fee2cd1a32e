/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paragraphs of fields, as apt and dpkg write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "base/deb822.h"
#include "base/str.h"

struct row {
	const char *text;
	int ret;
	const char *said; /* "name=value;" of all, '|' between paragraphs */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_str struct str said = { 0 };
	struct deb822 d;

	assert_int_equal(deb822_parse(row->text, &d), row->ret);
	str_add(&said, "");
	for (size_t i = 0; i < d.n; i++) {
		if (i)
			str_addc(&said, '|');
		for (size_t k = 0; k < d.list[i].n; k++)
			str_addf(&said, "%s=%s;", d.list[i].list[k].name,
				 d.list[i].list[k].value);
	}
	deb822_free(&d);
	assert_string_equal(said.text, row->said);
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
		ROW("nothing", "", 0, ""),
		ROW("blank lines alone", "\n \n\t\n", 0, ""),
		ROW("one field", "Package: a\n", 0, "package=a;"),
		ROW("no newline at the end", "Package: a", 0, "package=a;"),
		ROW("two paragraphs", "A: 1\nB: 2\n\n\nA: 3\n", 0,
		    "a=1;b=2;|a=3;"),
		ROW("an empty value", "A:\nB: x\n", 0, "a=;b=x;"),
		ROW("a colon in the value", "A: b: c\n", 0, "a=b: c;"),
		ROW("more lines", "Key:\n BEGIN\n .\n  end\nB: x\n", 0,
		    "key=\nBEGIN\n\nend;b=x;"),
		ROW("a comment inside", "A: 1\n# B: 2\n two\n", 0, "a=1\ntwo;"),
		ROW("the last of a name counts", "A: 1\na: 2\n", 0, "a=2;"),
		ROW("carriage returns", "A: 1\r\n\r\nB: 2\r\n", 0, "a=1;|b=2;"),
		ROW("no colon", "A: 1\nnonsense\n", -EPROTO, ""),
		ROW("no name", ": 1\n", -EPROTO, ""),
		ROW("goes on with nothing", " x\n", -EPROTO, ""),
	};

	return cmocka_run_group_tests_name("deb822", tests, NULL, NULL);
}
