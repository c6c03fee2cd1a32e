/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest is given, listed again by cpio(1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/guest/guest_files.h"

/* A folder with a file, links of all sorts, and an archive of it. */
struct fixture {
	char dir[64];
	struct guest_files f;
	char *list; /* what is in it, once it was asked */
};

static void make(const struct fixture *f, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);

	assert_int_equal(file_publish(path, text), 0);
}

static void make_link(const struct fixture *f, const char *name,
		      const char *target)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);

	assert_int_equal(symlink(target, path), 0);
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	auto_free char *sub = NULL;

	snprintf(f->dir, sizeof(f->dir), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	sub = xasprintf("%s/sub", f->dir);
	if (mkdir(sub, 0750) || guest_files_open(&f->f))
		return -1;
	make(f, "sub/file", "1234");
	make_link(f, "way", "sub");
	make_link(f, "up", "sub/../way/file");
	make_link(f, "lost", "nowhere");
	make_link(f, "round", "round");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	guest_files_free(&f->f);
	tree_remove(f->dir);
	free(f->list);
	free(f);
	return 0;
}

/* End the archive and list it. */
static void finish(struct fixture *f)
{
	const char *const argv[] = { "cpio", "-itvn", NULL };
	auto_close int in = -1;
	struct proc_spec spec = { .argv = argv };
	int wstatus = 0;

	assert_int_equal(guest_files_end(&f->f), 0);
	in = open(f->f.path, O_RDONLY | O_CLOEXEC);
	assert_true(in > 0);
	spec.in_fd = in;
	assert_int_equal(proc_capture(&spec, 10 * NUM_NS_PER_S, &f->list,
				      &wstatus),
			 0);
	assert_int_equal(wstatus, 0);
}

/* How often a name, in the test's folder, ends a line of the list. */
static size_t count(const struct fixture *f, const char *name)
{
	auto_free char *line = xasprintf(" %s/%s\n", f->dir + 1, name);
	size_t n = 0;

	for (const char *p = f->list; (p = strstr(p, line)); p++)
		n++;
	return n;
}

static int add(struct fixture *f, const char *name)
{
	auto_free char *path = xasprintf("%s/%s", f->dir, name);

	return guest_files_add(&f->f, path);
}

static void links_are_kept_on_the_way(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "up"), 0);
	assert_int_equal(add(f, "way/file"), 0);
	assert_int_equal(add(f, "sub/file"), 0);
	finish(f);
	assert_int_equal(count(f, "up -> sub/../way/file"), 1);
	assert_int_equal(count(f, "way -> sub"), 1);
	assert_int_equal(count(f, "sub/file"), 1);
	assert_int_equal(count(f, "sub"), 1);
	/* All of it is root's, and the modes are as they are here. */
	assert_non_null(strstr(f->list, "drwxr-x---   1 0        0"));
	assert_non_null(strstr(f->list, " dev/console\n"));
}

static void what_is_not_there(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(add(f, "none"), -ENOENT);
	assert_int_equal(add(f, "lost"), -ENOENT);
	assert_int_equal(add(f, "round"), -ELOOP);
	assert_int_equal(add(f, "sub/file/x"), -ENOTDIR);
}

static void a_tree_may_hold_lost_links(void **state)
{
	struct fixture *f = *state;
	auto_free char *round = xasprintf("%s/round", f->dir);

	assert_int_equal(unlink(round), 0);
	assert_int_equal(guest_files_add_tree(&f->f, f->dir), 0);
	finish(f);
	assert_int_equal(count(f, "lost -> nowhere"), 1);
	assert_int_equal(count(f, "sub/file"), 1);
	assert_null(strstr(f->list, "/nowhere\n"));
}

static void ours_go_through_links_too(void **state)
{
	struct fixture *f = *state;
	auto_free char *name = xasprintf("%s/way/new/text", f->dir);
	auto_free char *again = xasprintf("%s/sub/new/text", f->dir);

	assert_int_equal(guest_files_add_data(&f->f, name, "x", 1, 0644), 0);
	assert_int_equal(guest_files_add_data(&f->f, again, "yy", 2, 0644), 0);
	assert_int_equal(guest_files_add_as(&f->f, "/init", again, 0755),
			 -ENOENT);
	assert_int_equal(guest_files_add_as(&f->f, "/init", "LICENSE", 0755),
			 0);
	assert_int_equal(guest_files_add_link(&f->f, "/linked", "init"), 0);
	finish(f);
	assert_int_equal(count(f, "sub/new/text"), 1);
	assert_int_equal(count(f, "way -> sub"), 1);
	assert_non_null(strstr(f->list, " linked -> init\n"));
	assert_non_null(strstr(f->list, " init\n"));
}

static void programs_bring_their_libraries(void **state)
{
	struct fixture *f = *state;
	auto_free char *exe = realpath("/proc/self/exe", NULL);
	auto_free char *line = xasprintf(" %s\n", exe + 1);

	assert_int_equal(guest_files_add_program(&f->f, exe, NULL), 0);
	finish(f);
	assert_non_null(strstr(f->list, line));
	assert_non_null(strstr(f->list, "/libc.so."));
	assert_non_null(strstr(f->list, "/ld-linux"));
}

static void relative_paths_are_of_the_working_folder(void **state)
{
	struct fixture *f = *state;
	auto_free char *here = getcwd(NULL, 0);
	auto_free char *line = xasprintf(" %s/LICENSE\n", here + 1);

	assert_int_equal(guest_files_add(&f->f, "LICENSE"), 0);
	finish(f);
	assert_non_null(strstr(f->list, line));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(links_are_kept_on_the_way,
						setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_not_there, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_tree_may_hold_lost_links,
						setup, teardown),
		cmocka_unit_test_setup_teardown(ours_go_through_links_too,
						setup, teardown),
		cmocka_unit_test_setup_teardown(programs_bring_their_libraries,
						setup, teardown),
		cmocka_unit_test_setup_teardown(
			relative_paths_are_of_the_working_folder, setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
