/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/journal, lock and undo: what is on disk, and what may be undone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/guard/journal.h"
#include "bench/guard/lock.h"
#include "bench/guard/undo.h"
#include "scratch.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

#define THP "sys/kernel/mm/transparent_hugepage/"
#define TO_SCAN THP "khugepaged/pages_to_scan"

static int setup(void **state)
{
	struct scratch *s = xcalloc(1, sizeof(*s));

	*state = s;
	return scratch_open(s, "host-6.18");
}

static int teardown(void **state)
{
	struct scratch *s = *state;
	int ret = scratch_close(s);

	free(s);
	return ret;
}

static void put_journal(const struct scratch *s, const char *text)
{
	assert_int_equal(scratch_put(s, "run/thpbench/journal.tsv", text), 0);
}

static bool has_journal(const struct scratch *s)
{
	return root_exists(&s->root, "run/thpbench/journal.tsv");
}

struct parse_row {
	const char *text;
	size_t n;
	unsigned int n_bad;
};

static void check_parse(void **state)
{
	const struct parse_row *row = *state;
	struct undo u;

	undo_parse(xstrdup(row->text), &u);
	assert_int_equal(u.n, row->n);
	assert_int_equal(u.n_bad, row->n_bad);
	undo_free(&u);
}

static void test_parse_values(void **state)
{
	struct undo u;

	(void)state;
	undo_parse(xstrdup("guard\t12\t345\n"
			   "setting\tsys/a\\tb\tx\\\\y\\n\t30\n"
			   "dir\t/tmp/thpbench.x y\n"),
		   &u);
	assert_int_equal(u.n, 3);
	assert_int_equal(u.rows[0].kind, UNDO_GUARD);
	assert_int_equal(u.rows[0].pid, 12);
	assert_int_equal(u.rows[0].start, 345);
	assert_string_equal(u.rows[1].path, "sys/a\tb");
	assert_string_equal(u.rows[1].value, "x\\y\n");
	assert_int_equal(u.rows[1].rank, 30);
	assert_string_equal(u.rows[2].path, "/tmp/thpbench.x y");
	undo_free(&u);
}

/* What the journal says after each call: read as another process would. */
static void test_lines(void **state)
{
	struct scratch *s = *state;
	char setting_path[] = TO_SCAN;
	char before[] = "4096";
	struct setting list[] = {
		{ .path = setting_path,
		  .before = before,
		  .rank = 10,
		  .is_ours = true },
		{ .path = setting_path, .before = before, .rank = 10 },
		{ .path = setting_path, .rank = 10, .is_ours = true },
	};
	struct settings settings = { .list = list, .n = ARRAY_SIZE(list) };
	auto_free char *text = NULL;
	auto_free char *want = NULL;
	auto_free char *here = get_current_dir_name();
	struct journal j;

	assert_int_equal(journal_open(&s->root, "a.conf", &j), 0);
	assert_int_equal(journal_settings(&j, &settings), 0);
	assert_int_equal(journal_dir(&j, "/tmp/thpbench\tx"), 0);
	assert_int_equal(journal_dir(&j, "some/thpbench.1"), 0);
	assert_int_equal(journal_dir(&j, "/tmp/other"), -EINVAL);
	assert_int_equal(journal_dir(&j, "/tmp/../thpbench"), -EINVAL);
	assert_int_equal(journal_cgroup(&j, "sys/fs/cgroup/thpbench.1"), 0);
	assert_int_equal(journal_cgroup(&j, "sys/fs/cgroup"), -EINVAL);
	assert_int_equal(journal_pid(&j, getpid()), 0);
	assert_int_equal(journal_pid(&j, 0x7ffffff0), 0);
	assert_int_equal(root_read(&s->root, "run/thpbench/journal.tsv", &text),
			 0);
	want = xasprintf("guard\t%d\t%" PRIu64 "\n"
			 "setting\t" TO_SCAN "\t4096\t10\n"
			 "dir\t/tmp/thpbench\\tx\n"
			 "dir\t%s/some/thpbench.1\n"
			 "cgroup\tsys/fs/cgroup/thpbench.1\n"
			 "pid\t%d\t%" PRIu64 "\n",
			 (int)getpid(), proc_start_time(getpid()), here,
			 (int)getpid(), proc_start_time(getpid()));
	assert_string_equal(text, want);
	journal_close(&j);
	assert_false(has_journal(s));
	assert_false(root_exists(&s->root, "run/thpbench"));
}

static void test_lock(void **state)
{
	struct scratch *s = *state;
	auto_free char *sentence =
		xasprintf("another run is going on: pid %d (a b.conf)",
			  (int)getpid());
	struct journal_undone done;
	struct journal first;
	struct journal second;

	assert_int_equal(journal_open(&s->root, "a b.conf", &first), 0);
	assert_int_equal(journal_open(&s->root, "c.conf", &second), -EBUSY);
	assert_string_equal(err_last(), sentence);
	assert_int_equal(journal_check(&s->root, "c.conf"), -EBUSY);
	assert_string_equal(err_last(), sentence);
	assert_int_equal(journal_replay(&s->root, false, &done), -EBUSY);
	assert_string_equal(err_last(), sentence);
	assert_true(has_journal(s));
	/* The guard died: the lock is free, the journal is left. */
	first.is_kept = true;
	journal_close(&first);
	assert_int_equal(journal_open(&s->root, "c.conf", &second), -EAGAIN);
	assert_non_null(strstr(err_last(), "'thpbench restore --root "));
	assert_int_equal(journal_check(&s->root, "c.conf"), -EAGAIN);
	assert_true(has_journal(s));
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	assert_int_equal(journal_check(&s->root, "c.conf"), 0);
	assert_int_equal(journal_open(&s->root, "c.conf", &second), 0);
	journal_close(&second);
}

/* A child that keeps the lock's fd open would keep the lock. */
static void test_lock_is_the_guards_alone(void **state)
{
	struct scratch *s = *state;
	struct journal first;
	struct journal second;
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(journal_open(&s->root, "a", &first), 0);
	pid = fork();
	if (pid == 0) {
		journal_forget_lock(&first);
		(void)!write(fds[1], "x", 1);
		pause();
		_exit(0);
	}
	assert_int_equal(read(fds[0], first.path, 1), 1);
	assert_int_equal(journal_open(&s->root, "b", &second), -EBUSY);
	close(first.lock_fd); /* as the kernel does for a killed guard */
	assert_int_equal(journal_open(&s->root, "b", &second), -EAGAIN);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	free(first.dir);
	free(first.path);
	close(first.fd);
	close(fds[0]);
	close(fds[1]);
}

/* A half-written line does not spoil the next: a full disk, then room. */
static void test_full_disk(void **state)
{
	struct scratch *s = *state;
	struct rlimit before;
	struct rlimit full;
	struct journal j;
	struct stat st;
	auto_free char *text = NULL;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(journal_open(&s->root, "a", &j), 0);
	assert_int_equal(fstat(j.fd, &st), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	full = before;
	full.rlim_cur = (rlim_t)st.st_size + 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
	assert_int_equal(journal_dir(&j, "/tmp/thpbench.no-room"), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(journal_dir(&j, "/tmp/thpbench.room"), 0);
	assert_int_equal(root_read(&s->root, "run/thpbench/journal.tsv", &text),
			 0);
	assert_null(strstr(text, "no-room"));
	assert_non_null(strstr(text, "\ndir\t/tmp/thpbench.room\n"));
	journal_close(&j);
}

static void expect(const struct scratch *s, const char *path, const char *text)
{
	auto_free char *now = NULL;

	assert_int_equal(root_read(&s->root, path, &now), 0);
	assert_string_equal(now, text);
}

static void test_replay_settings(void **state)
{
	struct scratch *s = *state;
	struct journal_undone done;

	scratch_put(s, TO_SCAN, "1\n");
	scratch_put(s, THP "enabled", "always madvise [never]\n");
	put_journal(s, "guard\t2\t3\n"
		       "setting\t" THP "enabled\tmadvise\t10\n"
		       "setting\t" TO_SCAN "\t4096\t10\n"
		       "setting\t" TO_SCAN "\t7\t10\n" /* a later one */
		       "setting\t" THP "defrag\tmadvise\t10\n"
		       "setting\t../outside\t1\t10\n"
		       "setting\tproc/sys/../../outside\t1\t10\n"
		       "setting\tsys/kernel/mm/damon/admin/kdamonds/"
		       "nr_kdamonds\t5\t0\n"
		       "setting\tsys/module/gone/parameters/enabled\tN\t40\n"
		       "nonsense\t1\n"
		       "setting\t" THP "shmem_enabled\tal");
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	expect(s, THP "enabled", "always [madvise] never\n");
	expect(s, TO_SCAN, "4096\n");
	expect(s, THP "shmem_enabled",
	       "always within_size advise [never] deny force\n");
	assert_int_equal(done.settings, 2);
	assert_int_equal(done.failures, 0);
	assert_false(has_journal(s));
}

static void test_replay_fails(void **state)
{
	struct scratch *s = *state;
	struct journal_undone done;

	scratch_put(s, THP "enabled", "always madvise [never]\n");
	put_journal(s, "setting\t" THP "enabled\tmadvise\t10\n"
		       "setting\t" THP "khugepaged\t1\t10\n"
		       "setting\t" THP "defrag\tno-word\t10\n");
	assert_int_equal(journal_replay(&s->root, false, &done), -EIO);
	assert_int_equal(done.settings, 1);
	assert_int_equal(done.failures, 2);
	expect(s, THP "enabled", "always [madvise] never\n");
	assert_true(has_journal(s));
	/* What stands in the way is gone: now it goes through. */
	put_journal(s, "");
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	assert_int_equal(journal_replay(&s->root, false, &done), -ENOENT);
}

static void test_replay_dirs(void **state)
{
	struct scratch *s = *state;
	static const char *const dirs[] = {
		"thpbench.a",          "other",
		"other/../thpbench.c", "thpbench.link",
		"thpbench.never-made", "thpbench.a/thpbench.in",
	};
	auto_str struct str text = { 0 };
	auto_free char *link = xasprintf("%s/thpbench.link", s->dir);
	auto_free char *inner = xasprintf("%s/thpbench.a/out", s->dir);
	auto_free char *a = xasprintf("%s/thpbench.a", s->dir);
	struct journal_undone done;

	scratch_put(s, "../thpbench.a/thpbench.in/x", "");
	scratch_put(s, "../thpbench.c/x", "");
	scratch_put(s, "../other/x", "");
	assert_int_equal(symlink("other", link), 0);
	assert_int_equal(symlink("../other", inner), 0);
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		str_addf(&text, "dir\t%s/%s\n", s->dir, dirs[i]);
	put_journal(s, text.text);
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	assert_int_equal(done.dirs, 3);
	assert_int_equal(access(a, F_OK), -1);
	assert_int_equal(access(link, F_OK), -1);
	assert_true(root_exists(&s->root, "../other/x"));
	assert_true(root_exists(&s->root, "../thpbench.c/x"));
}

static pid_t start_sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		for (;;)
			pause();
	}
	return pid;
}

/* The pid alone is no name: only with its start time. */
static void test_replay_pids(void **state)
{
	struct scratch *s = *state;
	pid_t ours = start_sleeper();
	pid_t reused = start_sleeper();
	auto_free char *text =
		xasprintf("pid\t%d\t%" PRIu64 "\npid\t%d\t%" PRIu64
			  "\npid\t1\t1\n"
			  "pid\t-1\t1\npid\t%d\t%" PRIu64 "\n",
			  (int)ours, proc_start_time(ours), (int)reused,
			  proc_start_time(reused) + 1, (int)getpid(),
			  proc_start_time(getpid()));
	struct journal_undone done;
	int wstatus;

	put_journal(s, text);
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	assert_int_equal(done.processes, 1);
	assert_int_equal(waitpid(ours, &wstatus, 0), ours);
	assert_int_equal(WTERMSIG(wstatus), SIGKILL);
	assert_int_equal(waitpid(reused, &wstatus, WNOHANG), 0);
	kill(reused, SIGKILL);
	waitpid(reused, &wstatus, 0);
}

/* Somebody else's that stood still when its guard died. */
static void test_replay_halted(void **state)
{
	struct scratch *s = *state;
	pid_t ours = start_sleeper();
	pid_t reused = start_sleeper();
	pid_t busy = start_sleeper();
	pid_t others = start_sleeper();
	auto_free char *text =
		xasprintf("halted\t%d\t%" PRIu64 "\nhalted\t%d\t%" PRIu64
			  "\nhalted\t%d\t%" PRIu64 "\nhalted\t%d\t%" PRIu64
			  "\ngoing\t%d\t%" PRIu64 "\n",
			  (int)ours, proc_start_time(ours), (int)reused,
			  proc_start_time(reused) + 1, (int)busy,
			  proc_start_time(busy), (int)others,
			  proc_start_time(others), (int)others,
			  proc_start_time(others));
	struct journal_undone done;
	int wstatus;

	kill(ours, SIGSTOP);
	kill(reused, SIGSTOP);
	assert_int_equal(waitpid(ours, &wstatus, WUNTRACED), ours);
	assert_int_equal(waitpid(reused, &wstatus, WUNTRACED), reused);
	/* It went on, and its owner has stopped it since. */
	kill(others, SIGSTOP);
	assert_int_equal(waitpid(others, &wstatus, WUNTRACED), others);
	put_journal(s, text);
	assert_int_equal(journal_replay(&s->root, false, &done), 0);
	assert_int_equal(done.continued, 1);
	assert_int_equal(done.processes, 0);
	assert_int_equal(waitpid(ours, &wstatus, WCONTINUED), ours);
	assert_true(WIFCONTINUED(wstatus));
	assert_int_equal(waitpid(reused, &wstatus, WNOHANG | WCONTINUED), 0);
	assert_int_equal(waitpid(busy, &wstatus, WNOHANG | WCONTINUED), 0);
	proc_end(ours, 0, NULL);
	proc_end(reused, 0, NULL);
	assert_int_equal(waitpid(others, &wstatus, WNOHANG | WCONTINUED), 0);
	proc_end(busy, 0, NULL);
	proc_end(others, 0, NULL);
}

/* Tricks with the folder that everybody could have made. */
static void test_state_dir_tricks(void **state)
{
	struct scratch *s = *state;
	auto_free char *dir = xasprintf("%s/state", s->dir);
	auto_free char *other = xasprintf("%s/other", s->dir);

	assert_int_equal(mkdir(other, 0700), 0);
	assert_int_equal(symlink(other, dir), 0);
	assert_int_equal(lock_take(&s->root, dir, "x"), -EPERM);
	assert_int_equal(unlink(dir), 0);
	assert_int_equal(mkdir(dir, 0700) || chmod(dir, 0777), 0);
	assert_int_equal(lock_take(&s->root, dir, "x"), -EPERM);
	if (geteuid() == 0) {
		assert_int_equal(chmod(dir, 0700) || chown(dir, 65534, -1), 0);
		assert_int_equal(lock_take(&s->root, dir, "x"), -EPERM);
	}
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(rmdir(other), 0);
}

static int as_nobody(struct scratch *s)
{
	auto_free char *private = xasprintf("%s/private", s->dir);
	auto_free char *want = xasprintf("%s/thpbench", private);
	auto_free char *dir = NULL;
	auto_free char *temp = NULL;
	struct journal_undone done;

	if (mkdir(private, 0700) || chown(private, 65534, 65534) ||
	    setgid(65534) || setuid(65534))
		return 1;
	setenv("XDG_RUNTIME_DIR", private, 1);
	dir = lock_state_dir(&s->root);
	if (!str_eq(dir, want))
		return 2;
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	temp = lock_state_dir(&s->root);
	if (!str_eq(temp, "/tmp/thpbench-65534"))
		return 3;
	/* Root's journal is there to be seen, not to be replayed. */
	setenv("XDG_RUNTIME_DIR", private, 1);
	if (journal_replay(&s->root, false, &done) != -EACCES)
		return 4;
	return !strstr(err_last(), "is another user's");
}

static void test_not_root(void **state)
{
	struct scratch *s = *state;
	int wstatus;
	pid_t pid;

	if (geteuid())
		skip();
	put_journal(s, "guard\t2\t3\n");
	pid = fork();
	if (pid == 0)
		_exit(as_nobody(s));
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	assert_int_equal(WEXITSTATUS(wstatus), 0);
	assert_true(has_journal(s));
}

static void test_text(void **state)
{
	struct journal_undone done = { .settings = 3,
				       .dirs = 1,
				       .continued = 1 };
	auto_free char *text = undo_text(&done);
	auto_free char *nothing = undo_text(&(struct journal_undone){ 0 });

	(void)state;
	assert_string_equal(text, "3 settings, 1 process let go on, 1 folder");
	assert_string_equal(nothing, "nothing");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define PARSE(name, ...)                                                       \
	{                                                                      \
		"parse: " name, check_parse, NULL, NULL, &(struct parse_row)   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PARSE("empty", "", 0, 0),
		PARSE("all kinds",
		      "guard\t2\t3\nsetting\tsys/a\tb\t1\ndir\t/thpbench\n"
		      "cgroup\tsys/fs/cgroup/thpbench\npid\t2\t3\n",
		      5, 0),
		PARSE("cut short", "dir\t/tmp/thpbench.a\ndir\t/tmp/thp", 1, 0),
		PARSE("unknown kind", "file\t/tmp/thpbench.a\n", 0, 1),
		PARSE("too few cells", "dir\nsetting\tsys/a\tb\npid\t2\n", 0,
		      3),
		PARSE("too many cells", "dir\t/tmp/thpbench\tx\n", 0, 1),
		PARSE("no numbers", "pid\tx\t3\nsetting\tsys/a\tb\tc\n", 0, 2),
		PARSE("huge numbers",
		      "pid\t4294967298\t3\nsetting\tsys/a\tb\t99999999999\n", 0,
		      2),
		PARSE("pid of all", "pid\t0\t3\npid\t1\t3\npid\t-1\t3\n", 0, 3),
		PARSE("relative dir", "dir\tthpbench.a\n", 0, 1),
		PARSE("not our dir", "dir\t/etc\ndir\t/\ndir\t/thpbench/\n", 0,
		      3),
		PARSE("dir climbs", "dir\t/thpbench/../thpbench\n", 0, 1),
		PARSE("not our cgroup",
		      "cgroup\tsys/fs/cgroup/system.slice\n"
		      "cgroup\tsys/kernel/thpbench\n"
		      "cgroup\tsys/fs/cgroup/a/../thpbench\n",
		      0, 3),
		PARSE("setting elsewhere",
		      "setting\tetc/passwd\tx\t1\nsetting\t/sys/a\tx\t1\n", 0,
		      2),
		PARSE("setting of DAMON",
		      "setting\tsys/kernel/mm/damon/admin/kdamonds/"
		      "nr_kdamonds\t1\t0\n",
		      0, 1),
		cmocka_unit_test(test_parse_values),
		TEST(test_lines),
		TEST(test_lock),
		TEST(test_lock_is_the_guards_alone),
		TEST(test_full_disk),
		TEST(test_replay_settings),
		TEST(test_replay_fails),
		TEST(test_replay_dirs),
		TEST(test_replay_pids),
		TEST(test_replay_halted),
		TEST(test_state_dir_tricks),
		TEST(test_not_root),
		cmocka_unit_test(test_text),
	};

	err_quiet(1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
