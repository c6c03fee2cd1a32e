/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine's sources of packages, and the same for another suite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/packages/apt_sources.h"

struct kind_row {
	const char *suite;
	struct apt_suite_kind kind;
};

static void check_kind(void **state)
{
	const struct kind_row *row = *state;
	struct apt_suite_kind kind = apt_suite_kind(row->suite);

	assert_int_equal(kind.place, row->kind.place);
	assert_int_equal(kind.has_security, row->kind.has_security);
}

struct name_row {
	const char *name;
	bool is_name;
};

static void check_name(void **state)
{
	const struct name_row *row = *state;

	assert_int_equal(apt_is_suite_name(row->name), row->is_name);
}

struct row {
	const char *file;
	const char *text;
	int ret;
	size_t n;
	size_t n_main; /* of bookworm */
	size_t n_security;
	const char *as_trixie; /* the first that is main; NULL: none */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	struct deb822 d = { 0 };
	const struct facts *first = NULL;
	size_t n_main = 0;
	size_t n_security = 0;

	assert_int_equal(apt_sources_parse(row->file, row->text, &d), row->ret);
	assert_int_equal(d.n, row->n);
	for (size_t i = 0; i < d.n; i++) {
		if (apt_source_is(&d.list[i], "bookworm", APT_MAIN)) {
			n_main++;
			first = first ? first : &d.list[i];
		}
		n_security +=
			apt_source_is(&d.list[i], "bookworm", APT_SECURITY);
	}
	assert_int_equal(n_main, row->n_main);
	assert_int_equal(n_security, row->n_security);
	if (first) {
		auto_free char *text = apt_source_text(first, "trixie", "");

		assert_string_equal(text, row->as_trixie);
	}
	deb822_free(&d);
}

static void test_keyrings_are_added_to_files(void **state)
{
	struct facts entry = { 0 };
	auto_free char *text = NULL;

	(void)state;
	facts_set(&entry, "signed-by", "/k/a.gpg");
	text = apt_source_text(&entry, "sid", "/k/b.gpg /k/c.gpg");
	assert_string_equal(text, "types: deb\nsuites: sid\n"
				  "components: main\n"
				  "signed-by: /k/a.gpg /k/b.gpg /k/c.gpg\n");
	facts_free(&entry);
}

/* A fingerprint, or a key, is all that may sign. */
static void test_keyrings_are_not_added_to_keys(void **state)
{
	struct facts entry = { 0 };
	auto_free char *text = NULL;

	(void)state;
	facts_set(&entry, "signed-by", "0123ABCD");
	text = apt_source_text(&entry, "sid", "/k/b.gpg");
	assert_string_equal(text, "types: deb\nsuites: sid\n"
				  "components: main\n"
				  "signed-by: 0123ABCD\n");
	facts_free(&entry);
}

#define KIND(...)                                                              \
	{                                                                      \
		"kind", check_kind, NULL, NULL, &(struct kind_row)             \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define NAME(...)                                                              \
	{                                                                      \
		"name", check_name, NULL, NULL, &(struct name_row)             \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define MAIN "types: deb\nsuites: trixie\nuris: http://m/d\ncomponents: main\n"

static const struct CMUnitTest kinds[] = {
	KIND("bookworm", { APT_MAIN, true }),
	KIND("no-such-release", { APT_MAIN, true }),
	KIND("bookworm-security", { APT_SECURITY, false }),
	KIND("trixie-backports", { APT_MAIN, false }),
	KIND("trixie-backports-sloppy", { APT_MAIN, false }),
	KIND("bookworm-updates", { APT_MAIN, false }),
	KIND("sid", { APT_MAIN, false }),
	KIND("experimental", { APT_MAIN, false }),
	NAME("trixie-backports", true),
	NAME("12.5", true),
	NAME("", false),
	NAME(".", false),
	NAME("..", false),
	NAME("-o", false),
	NAME("a/b", false),
	NAME("a b", false),
	NAME("a\nb", false),
};

static const struct CMUnitTest sources[] = {
	ROW("one line", "x.list", "deb http://m/d bookworm main contrib\n", 0,
	    1, 1, 0, MAIN),
	ROW("one line with options", "x.list",
	    "deb [arch=amd64 signed-by=/k/a.gpg,/k/b.gpg trusted=yes] "
	    "http://m/d bookworm main # says who\n",
	    0, 1, 1, 0, MAIN "signed-by: /k/a.gpg /k/b.gpg\n"),
	ROW("packages' sources and comments", "x.list",
	    "deb-src http://m/d bookworm main\n# deb http://m/d bookworm "
	    "main\n",
	    0, 0, 0, 0, NULL),
	ROW("fixes", "x.list", "deb http://m/s bookworm-security main\n", 0, 1,
	    0, 1, NULL),
	ROW("fixes of old", "x.list", "deb http://m/s stable/updates main\n", 0,
	    1, 0, 1, NULL),
	ROW("updates are of the same place", "x.list",
	    "deb http://m/d bookworm-updates main\n", 0, 1, 1, 0, MAIN),
	ROW("a class of releases", "x.list", "deb http://m/d testing main\n", 0,
	    1, 1, 0, MAIN),
	ROW("without main", "x.list", "deb http://m/d bookworm stable\n", 0, 1,
	    0, 0, NULL),
	ROW("of others", "x.list", "deb http://o/ nodistro main\n", 0, 1, 0, 0,
	    NULL),
	ROW("of others, by the same name and more", "x.list",
	    "deb http://o/ bookworm-pgdg main\n", 0, 1, 0, 0, NULL),
	ROW("flat", "x.list", "deb http://o/ ./\n", 0, 0, 0, 0, NULL),
	ROW("an option that is not closed", "x.list",
	    "deb [a=b http://m/d x y\n", -EPROTO, 0, 0, 0, NULL),
	ROW("nothing behind", "x.list", "deb http://m/d\n", -EPROTO, 0, 0, 0,
	    NULL),
	ROW("paragraphs", "x.sources",
	    "Types: deb deb-src\nURIs: http://m/d\nSuites: bookworm "
	    "bookworm-updates\nComponents: main\nArchitectures: amd64\n"
	    "Trusted: yes\n\nTypes: deb\nURIs: http://m/s\nSuites: "
	    "bookworm-security\nComponents: main\n",
	    0, 2, 1, 1, MAIN),
	ROW("both places in one", "x.sources",
	    "Types: deb\nURIs: http://m/d\nSuites: bookworm\n "
	    "bookworm-security\nComponents: main\n",
	    0, 1, 1, 1, MAIN),
	ROW("disabled", "x.sources",
	    "Enabled: No\nTypes: deb\nURIs: http://m/d\nSuites: "
	    "bookworm\nComponents: main\n",
	    0, 0, 0, 0, NULL),
	ROW("sources only", "x.sources",
	    "Types: deb-src\nURIs: http://m/d\nSuites: bookworm\n"
	    "Components: main\n",
	    0, 0, 0, 0, NULL),
	ROW("a key in it", "x.sources",
	    "Types: deb\nURIs: http://m/d\nSuites: bookworm\nComponents: main\n"
	    "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mDME\n",
	    0, 1, 1, 0,
	    MAIN "signed-by: \n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n "
		 "mDME\n"),
	ROW("other names are no sources", "x.list.save",
	    "deb http://m/d bookworm main\n", 0, 0, 0, 0, NULL),
	ROW("no fields", "x.sources", "nonsense\n", -EPROTO, 0, 0, 0, NULL),
};

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keyrings_are_added_to_files),
		cmocka_unit_test(test_keyrings_are_not_added_to_keys),
	};

	return cmocka_run_group_tests_name("apt suites", kinds, NULL, NULL) +
	       cmocka_run_group_tests_name("apt sources", sources, NULL, NULL) +
	       cmocka_run_group_tests_name("apt keyrings", tests, NULL, NULL);
}
