/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/root: files below a root, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/root.h"
#include "base/str.h"
#include "scratch.h"

static int open_scratch(void **state)
{
	struct scratch *s = xcalloc(1, sizeof(*s));

	*state = s;
	return scratch_open(s, "broken");
}

static int close_scratch(void **state)
{
	int ret = scratch_close(*state);

	free(*state);
	return ret;
}

static void opens_and_closes(void **state)
{
	struct root root = { 0 };

	(void)state;
	assert_int_equal(root_open("tests/no such root", &root), -ENOENT);
	assert_int_equal(root_open("Makefile", &root), -ENOTDIR);
	root_close(&root);
	assert_int_equal(root_open("tests/roots/broken", &root), 0);
	assert_false(root.is_live);
	assert_string_equal(root.path, "tests/roots/broken");
	root_close(&root);
	root_close(&root);
	assert_int_equal(root_open("/", &root), 0);
	assert_true(root.is_live);
	root_close(&root);
}

static void reads(void **state)
{
	struct scratch *s = *state;
	char *text = NULL;
	struct str big = { 0 };

	assert_int_equal(root_read(&s->root, "none", &text), -ENOENT);
	assert_int_equal(root_read(&s->root, "proc", &text), -EISDIR);
	assert_int_equal(root_read(&s->root, "proc/cmdline", &text), 0);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(scratch_put(s, "a/word", " \n two words\t\n\n"), 0);
	assert_int_equal(root_read_word(&s->root, "a/word", &text), 0);
	assert_string_equal(text, "two words");
	free(text);
	assert_int_equal(root_read_word(&s->root, "proc/cmdline", &text), 0);
	assert_string_equal(text, "");
	free(text);
	assert_int_equal(root_read_word(&s->root, "none", &text), -ENOENT);
	/* Every size around the room that reading starts with. */
	for (int i = 0; i < 9000; i++) {
		if (i < 2000 || (i > 2100 && i < 4050) || i > 4150)
			continue;
		while (big.len < (size_t)i)
			str_addc(&big, 'x');
		assert_int_equal(scratch_put(s, "a/big", big.text), 0);
		assert_int_equal(root_read(&s->root, "a/big", &text), 0);
		assert_string_equal(text, big.text);
		free(text);
	}
	str_free(&big);
}

/* Kernel files claim a size of 0 or of a page. */
static void reads_kernel_files_to_their_end(void **state)
{
	struct root root;
	char *text;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(root_read(&root, "proc/self/smaps", &text), 0);
	assert_true(strlen(text) > 4096);
	assert_true(str_ends(text, "\n"));
	free(text);
	root_close(&root);
}

static void writes(void **state)
{
	struct scratch *s = *state;
	const char *path = "sys/kernel/mm/transparent_hugepage/enabled";
	auto_free char *text = NULL;

	assert_int_equal(root_write(&s->root, path, "never"), 0);
	assert_int_equal(root_read(&s->root, path, &text), 0);
	assert_string_equal(text, "never");
	/* Never makes a file: a knob that is not there is no knob. */
	assert_int_equal(root_write(&s->root, "sys/new", "1"), -ENOENT);
	assert_false(root_exists(&s->root, "sys/new"));
	assert_int_equal(root_write(&s->root, "sys", "1"), -EISDIR);
}

static void writes_to_the_kernel(void **state)
{
	struct root root;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	/* What the kernel says against a value comes back. */
	assert_int_equal(root_write(&root, "proc/self/oom_score_adj", "x"),
			 -EINVAL);
	assert_int_equal(root_write(&root, "dev/full", "x"), -ENOSPC);
	assert_int_equal(root_write(&root, "dev/null", "x"), 0);
	root_close(&root);
}

static void says_what_may_be_written(void **state)
{
	struct scratch *s = *state;

	assert_int_equal(scratch_put(s, "a/file", "1"), 0);
	assert_int_equal(root_writable(&s->root, "a/file"), 0);
	assert_int_equal(root_writable(&s->root, "a/none"), -ENOENT);
	/* As sysfs: no w bit at all is no for root as well. */
	assert_int_equal(fchmodat(s->root.fd, "a/file", 0444, 0), 0);
	assert_int_equal(root_writable(&s->root, "a/file"), -EACCES);
	/* The top of cgroup2 has this mode, and root makes cgroups in it. */
	assert_int_equal(fchmodat(s->root.fd, "a", 0555, 0), 0);
	assert_int_equal(root_writable(&s->root, "a"), geteuid() ? -EACCES : 0);
	assert_int_equal(fchmodat(s->root.fd, "a", 0755, 0), 0);
}

static void lists_sorted(void **state)
{
	struct scratch *s = *state;
	auto_str struct str sum = { 0 };
	char **names;
	size_t n = 4711;

	assert_int_equal(root_list(&s->root, "l", &names, &n), -ENOENT);
	assert_int_equal(scratch_put(s, "l/b", "1"), 0);
	assert_int_equal(scratch_put(s, "l/a", "1"), 0);
	assert_int_equal(scratch_put(s, "l/.c/x", "1"), 0);
	assert_int_equal(root_list(&s->root, "l/a", &names, &n), -ENOTDIR);
	assert_int_equal(root_list(&s->root, "l", &names, &n), 0);
	for (size_t i = 0; i < n; i++)
		str_addf(&sum, "%s,", names[i]);
	root_list_free(names, n);
	assert_string_equal(sum.text, ".c,a,b,");
	assert_int_equal(mkdirat(s->root.fd, "empty", 0755), 0);
	assert_int_equal(root_list(&s->root, "empty", &names, &n), 0);
	assert_int_equal(n, 0);
	root_list_free(names, n);
}

#define ON_SCRATCH(f)                                                          \
	cmocka_unit_test_setup_teardown(f, open_scratch, close_scratch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens_and_closes),
		ON_SCRATCH(reads),
		cmocka_unit_test(reads_kernel_files_to_their_end),
		ON_SCRATCH(writes),
		cmocka_unit_test(writes_to_the_kernel),
		ON_SCRATCH(says_what_may_be_written),
		ON_SCRATCH(lists_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
