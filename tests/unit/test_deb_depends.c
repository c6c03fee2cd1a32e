/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependencies: their field, and following them through recorded lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/packages/apt_parts.h"
#include "bench/packages/deb_depends.h"

struct row {
	const char *field;
	const char *said; /* names, '|' before an alternative */
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_str struct str said = { 0 };
	size_t n;
	struct deb_depend *list = deb_depends_parse(row->field, &n);

	str_add(&said, "");
	for (size_t i = 0; i < n; i++)
		str_addf(&said, "%s%s ", list[i].is_alternative ? "|" : "",
			 list[i].name);
	deb_depends_free(list, n);
	assert_string_equal(said.text, row->said);
}

/* An apt that says what the real one said of these suites. */
struct recorded {
	char dir[32];
	struct apt apt;
};

static void open_recorded(struct recorded *r, const char *suite)
{
	auto_free char *main = NULL;
	FILE *f;

	*r = (struct recorded){ .dir = "/tmp/test_deb.XXXXXX" };
	assert_non_null(mkdtemp(r->dir));
	main = xasprintf("%s/main.list", r->dir);
	f = fopen(main, "w");
	assert_non_null(f);
	fputs("deb http://mirror.example/debian stable main\n", f);
	assert_int_equal(fclose(f), 0);
	setenv("FAKE_APT_SOURCES", r->dir, 1);
	assert_int_equal(apt_open(r->dir, suite, "amd64", NULL, &r->apt), 0);
}

static void close_recorded(struct recorded *r)
{
	apt_close(&r->apt);
	assert_int_equal(tree_remove(r->dir), 0);
}

static bool is_kernels(const char *name, void *arg)
{
	size_t *n_asked = arg;

	(*n_asked)++;
	return str_starts(name, "linux-image-") ||
	       str_starts(name, "linux-binary-");
}

static void test_follows_what_is_wanted(void **state)
{
	struct recorded r;
	struct deb822 found;
	size_t n_asked = 0;
	auto_free char *names = NULL;

	(void)state;
	open_recorded(&r, "trixie-backports");
	assert_int_equal(deb_closure(&r.apt, "linux-image-cloud-amd64",
				     is_kernels, &n_asked, &found),
			 0);
	names = deb_list_text(&found);
	assert_string_equal(
		names, "linux-image-cloud-amd64=7.3.4-1~bpo13+1 "
		       "linux-image-7.3.4+deb13-cloud-amd64=7.3.4-1~bpo13+1 "
		       "linux-binary-7.3.4+deb13-cloud-amd64=7.3.4-1~bpo13+1");
	/* Those that are not wanted were asked about, and left. */
	assert_true(n_asked > found.n);
	assert_int_equal(deb_room_bytes(&found.list[0]), 1524 + 15 * 1024);
	deb822_free(&found);
	close_recorded(&r);
}

static bool is_any(const char *name, void *arg)
{
	(void)name;
	(void)arg;
	return true;
}

/* What a suite does not have is left out, each is there once. */
static void test_ends_at_what_is_not_there(void **state)
{
	struct recorded r;
	struct deb822 found;

	(void)state;
	open_recorded(&r, "bullseye");
	assert_int_equal(deb_closure(&r.apt, "mariadb-server", is_any, NULL,
				     &found),
			 0);
	assert_int_equal(found.n, 8);
	for (size_t i = 0; i < found.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(facts_get(&found.list[i],
							  "package"),
						facts_get(&found.list[k],
							  "package"));
	deb822_free(&found);
	close_recorded(&r);
}

static void test_package_is_not_there(void **state)
{
	struct recorded r;
	struct deb822 found;

	(void)state;
	open_recorded(&r, "bookworm");
	assert_int_equal(deb_closure(&r.apt, "none", is_any, NULL, &found),
			 -ENOENT);
	assert_int_equal(found.n, 0);
	close_recorded(&r);
}

static void test_names_by_prefix(void **state)
{
	struct recorded r;
	struct facts names;

	(void)state;
	open_recorded(&r, "trixie-backports");
	assert_int_equal(apt_names(&r.apt, "linux-binary-7.2", &names), 0);
	assert_int_equal(names.n, 2);
	facts_free(&names);
	assert_int_equal(apt_names(&r.apt, "none", &names), 0);
	assert_int_equal(names.n, 0);
	close_recorded(&r);
}

struct complaint_row {
	const char *log;
	const char *said;
};

static void check_complaint(void **state)
{
	const struct complaint_row *row = *state;
	auto_free char *said = apt_complaint(row->log);

	assert_string_equal(said, row->said);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define COMPLAINT(name, ...)                                                   \
	{                                                                      \
		name, check_complaint, NULL, NULL, &(struct complaint_row)     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("nothing", "", ""),
		ROW("one", "libc6", "libc6 "),
		ROW("versions", "libc6 (>= 2.36), linux-base (>= 4.3~)",
		    "libc6 linux-base "),
		ROW("alternatives", "a1 | b2 (= 3), c3 | d4 | e5",
		    "a1 |b2 c3 |d4 |e5 "),
		ROW("architectures", "perl:any, gcc [amd64]", "perl gcc "),
		ROW("signs in names", "libstdc++6,linux-image-7.3.4+deb13",
		    "libstdc++6 linux-image-7.3.4+deb13 "),
		ROW("lines", "a1,\nb2\n", "a1 b2 "),
		ROW("what is no name", ", | -x, (, a1", "a1 "),
		ROW("too short for a name", "a, b1", "b1 "),
		COMPLAINT("none", "", ""),
		COMPLAINT("notes alone", "N: see the manual\n", ""),
		COMPLAINT("the first error", "E: one\nE: two\n", "one"),
		COMPLAINT("an error before a warning", "W: one\nE: two\n",
			  "two"),
		COMPLAINT("a sum says least",
			  "E: Some index files failed to download. They\n"
			  "W: Failed to fetch x\n",
			  "Failed to fetch x"),
		COMPLAINT("no key says most",
			  "W: GPG error: NO_PUBKEY 12\nE: not signed\n",
			  "GPG error: NO_PUBKEY 12"),
		COMPLAINT("the sandbox is no matter",
			  "W: Download is performed unsandboxed as root\n", ""),
		COMPLAINT("of dpkg-deb",
			  "dpkg-deb: error: 'x' is not an archive\n",
			  "dpkg-deb: error: 'x' is not an archive"),
		cmocka_unit_test(test_follows_what_is_wanted),
		cmocka_unit_test(test_ends_at_what_is_not_there),
		cmocka_unit_test(test_package_is_not_there),
		cmocka_unit_test(test_names_by_prefix),
	};
	auto_free char *here = getcwd(NULL, 0);
	auto_free char *path =
		xasprintf("%s/tests/fake-apt:%s", here, getenv("PATH"));

	setenv("PATH", path, 1);
	return cmocka_run_group_tests_name("deb_depends", tests, NULL, NULL);
}
