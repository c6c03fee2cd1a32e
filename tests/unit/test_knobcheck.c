/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/knobcheck: what an arm cannot have is said before a write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/str.h"
#include "bench/guard/knobcheck.h"
#include "kern/knobs.h"
#include "scratch.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

#define THP "sys/kernel/mm/transparent_hugepage/"

struct row {
	const char *tree;
	const char *key;
	const char *value;
	const char *path; /* NULL: knob_path() of the key */
	int ret;
	const char *sentence; /* what stands behind the value; NULL: good */
};

static int check(const struct root *root, const char *key, const char *value,
		 const char *path)
{
	struct knob knob = { .key = (char *)key,
			     .path = path ? xstrdup(path) : knob_path(key),
			     .value = (char *)value,
			     .line = 7 };
	struct arm arm = { .label = (char *)"T n", .knobs = &knob };
	struct config config = { .path = (char *)"x.conf",
				 .arms = &arm,
				 .n_arms = 1 };
	int ret;

	arm.n_knobs = 1;
	ret = knobcheck_arms(root, &config);
	free(knob.path);
	return ret;
}

/* DIR stands for the root in the sentence of a row. */
static void expect_sentence(const struct row *row, const char *dir)
{
	const char *p = strstr(row->sentence, "DIR");
	auto_free char *start =
		p ? xstrndup(row->sentence, (size_t)(p - row->sentence))
		  : xstrdup(row->sentence);
	auto_free char *full =
		xasprintf("x.conf:7: arm \"T n\": %s = %s: %s%s%s%s", row->key,
			  row->value, start, p ? dir : "", p ? "/root" : "",
			  p ? p + 3 : "");

	assert_string_equal(err_last(), full);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct scratch s;
	int ret;

	if (row->ret == -EACCES && geteuid())
		skip(); /* worded for root */
	assert_int_equal(scratch_open(&s, row->tree), 0);
	/* The kernel's counters and nmi_watchdog of some machines. */
	assert_int_equal(fchmodat(s.root.fd, THP "khugepaged/full_scans", 0444,
				  0),
			 0);
	ret = check(&s.root, row->key, row->value, row->path);
	assert_int_equal(ret, row->ret);
	if (row->sentence)
		expect_sentence(row, s.dir);
	assert_int_equal(scratch_close(&s), 0);
}

static void test_no_thp_at_all(void **state)
{
	struct scratch s;
	auto_free char *thp = NULL;

	(void)state;
	assert_int_equal(scratch_open(&s, "host-6.18"), 0);
	thp = xasprintf("%s/root/" THP, s.dir);
	assert_int_equal(tree_remove(thp), 0);
	assert_int_equal(check(&s.root, "thp", "never", NULL), -ENOTSUP);
	assert_string_equal(err_last(),
			    "x.conf:7: arm \"T n\": thp = never: this kernel "
			    "has no transparent huge pages "
			    "(CONFIG_TRANSPARENT_HUGEPAGE)");
	assert_int_equal(scratch_close(&s), 0);
}

/* Run f in a child; 0 if it says so. */
static int in_child(int (*f)(struct scratch *), struct scratch *s)
{
	int wstatus;
	pid_t pid = fork();

	if (pid == 0) {
		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		_exit(f(s));
	}
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	return wstatus;
}

enum { SKIPPED = 99 };

static int as_nobody(struct scratch *s)
{
	if (setgid(65534) || setuid(65534))
		return SKIPPED;
	if (check(&s->root, "thp", "never", NULL) != -EACCES)
		return 1;
	/* A fault of the configuration is said first. */
	return str_ends(err_last(), "enabled: Permission denied; run as root")
		       ? check(&s->root, "thp", "nevr", NULL) != -EBADMSG
		       : 2;
}

static int read_only(struct scratch *s)
{
	auto_free char *dir = xasprintf("%s/root", s->dir);
	struct root root;

	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount(dir, dir, NULL, MS_BIND, NULL) ||
	    mount(NULL, dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL))
		return SKIPPED;
	if (root_open(dir, &root))
		return 1;
	if (check(&root, "thp", "never", NULL) != -EROFS)
		return 2;
	if (!str_ends(err_last(), "enabled: Read-only file system; in a "
				  "container? mount -o remount,rw /sys"))
		return 3;
	if (check(&root, "sysctl.vm.swappiness", "1", NULL) != -EROFS)
		return 4;
	return !str_ends(err_last(), "mount -o remount,rw /proc/sys");
}

static void check_child(int (*f)(struct scratch *))
{
	struct scratch s;
	int wstatus;

	if (geteuid())
		skip();
	assert_int_equal(scratch_open(&s, "host-6.18"), 0);
	wstatus = in_child(f, &s);
	assert_int_equal(scratch_close(&s), 0);
	if (WIFEXITED(wstatus) && WEXITSTATUS(wstatus) == SKIPPED)
		skip();
	assert_int_equal(wstatus, 0);
}

static void test_not_root(void **state)
{
	(void)state;
	check_child(as_nobody);
}

static void test_read_only(void **state)
{
	(void)state;
	check_child(read_only);
}

/* min_free_kbytes is pinned with THP: it must be writable as well. */
static void test_pin_must_be_writable(void **state)
{
	struct scratch s;

	(void)state;
	assert_int_equal(scratch_open(&s, "host-6.18"), 0);
	assert_int_equal(fchmodat(s.root.fd, "proc/sys/vm/min_free_kbytes",
				  0444, 0),
			 0);
	assert_int_equal(check(&s.root, "thp", "never", NULL), -EACCES);
	assert_non_null(strstr(err_last(), "min_free_kbytes"));
	assert_int_equal(check(&s.root, "sysctl.vm.swappiness", "1", NULL), 0);
	assert_int_equal(scratch_close(&s), 0);
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
		ROW("good", "host-6.18", "thp", "never", NULL, 0, NULL),
		ROW("good number", "host-6.18", "thp.khugepaged.max_ptes_none",
		    "0", NULL, 0, NULL),
		ROW("good bool", "guest-7.3", "x", "N",
		    "sys/module/damon_stat/parameters/enabled", 0, NULL),
		ROW("good bool as number", "guest-7.3", "x", "0",
		    "sys/module/damon_stat/parameters/enabled", 0, NULL),
		ROW("unknown word", "host-6.18", "thp", "nevr", NULL, -EBADMSG,
		    "DIR/" THP "enabled offers always, madvise, never; did you "
		    "mean never?"),
		ROW("far word", "host-6.18", "thp", "on", NULL, -EBADMSG,
		    "DIR/" THP "enabled offers always, madvise, never"),
		ROW("word of another file", "host-6.18", "thp.shmem_enabled",
		    "defer+madvise", NULL, -EBADMSG,
		    "DIR/" THP "shmem_enabled offers always, within_size, "
		    "advise, never, deny, force"),
		ROW("no number", "host-6.18", "thp.khugepaged.pages_to_scan",
		    "many", NULL, -EBADMSG,
		    "DIR/" THP "khugepaged/pages_to_scan holds 4096, and takes "
		    "a whole number"),
		ROW("number with a unit", "host-6.18",
		    "thp.khugepaged.pages_to_scan", "4k", NULL, -EBADMSG,
		    "DIR/" THP "khugepaged/pages_to_scan holds 4096, and takes "
		    "a whole number"),
		ROW("empty value", "host-6.18", "thp.khugepaged.pages_to_scan",
		    "", NULL, -EBADMSG,
		    "DIR/" THP "khugepaged/pages_to_scan holds 4096, and takes "
		    "a whole number"),
		ROW("no bool", "guest-7.3", "x", "maybe",
		    "sys/module/damon_stat/parameters/enabled", -EBADMSG,
		    "DIR/sys/module/damon_stat/parameters/enabled holds Y, and "
		    "takes Y or N"),
		ROW("missing, near", "host-6.18", "thp.khugepaged.pages_to_scn",
		    "1", NULL, -EBADMSG,
		    "this kernel has no DIR/" THP "khugepaged/pages_to_scn; "
		    "did you mean pages_to_scan?"),
		ROW("missing, old kernel", "arm64-6.12", "thp.shrink_underused",
		    "1", NULL, -ENOTSUP,
		    "this kernel has no DIR/" THP "shrink_underused"),
		ROW("missing size", "host-6.18", "thp.hugepages-48kB.enabled",
		    "never", NULL, -ENOTSUP,
		    "this kernel has no DIR/" THP "hugepages-48kB/enabled"),
		ROW("a folder", "host-6.18", "thp.khugepaged", "1", NULL,
		    -EISDIR, "read DIR/" THP "khugepaged: Is a directory"),
		ROW("a file of DAMON's", "host-6.18", "x", "0",
		    "sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds", -EPERM,
		    "DAMON's files are not settings"),
		ROW("nobody may write", "host-6.18",
		    "thp.khugepaged.full_scans", "1", NULL, -EACCES,
		    "may not write DIR/" THP "khugepaged/full_scans: "
		    "Permission denied; nobody may"),
		cmocka_unit_test(test_no_thp_at_all),
		cmocka_unit_test(test_pin_must_be_writable),
		cmocka_unit_test(test_not_root),
		cmocka_unit_test(test_read_only),
	};

	err_quiet(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
