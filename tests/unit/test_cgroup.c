/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/cgroup: where one can be made, what it counts, how it goes away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/root.h"
#include "base/str.h"
#include "base/tree.h"
#include "kern/cgroup.h"

struct stat_row {
	const char *text;
	int version;
	int ret;
	struct cgroup_memory memory;
};

static void check_stat(void **state)
{
	const struct stat_row *row = *state;
	struct cgroup_memory m = { .anon_bytes = 4711 };

	assert_int_equal(cgroup_parse_memory(row->text, row->version, &m),
			 row->ret);
	if (row->ret) {
		assert_int_equal(m.anon_bytes, 4711);
		return;
	}
	assert_int_equal(m.anon_bytes, row->memory.anon_bytes);
	assert_int_equal(m.anon_huge_bytes, row->memory.anon_huge_bytes);
	assert_int_equal(m.file_bytes, row->memory.file_bytes);
	assert_int_equal(m.file_mapped_bytes, row->memory.file_mapped_bytes);
	assert_int_equal(m.fault_alloc, row->memory.fault_alloc);
	assert_int_equal(m.collapse_alloc, row->memory.collapse_alloc);
	assert_int_equal(m.has_counts, row->memory.has_counts);
}

struct where_row {
	const char *tree;
	int version; /* 0: none, and why has this in it: */
	const char *path;
};

static void check_where(void **state)
{
	const struct where_row *row = *state;
	auto_free char *path = xasprintf("tests/roots/%s", row->tree);
	struct cgroup cg = { 0 };
	bool must_enable = true;
	auto_free char *why = NULL;
	struct root root;
	int ret;

	assert_int_equal(root_open(path, &root), 0);
	ret = cgroup_where(&root, &cg, &must_enable, &why);
	root_close(&root);
	assert_int_equal(ret, row->version ? 0 : -ENOTSUP);
	assert_false(must_enable);
	if (ret) {
		assert_null(cg.path);
		assert_non_null(strstr(why, row->path));
		return;
	}
	assert_null(why);
	assert_int_equal(cg.version, row->version);
	assert_string_equal(cg.path, row->path);
	cgroup_free(&cg);
}

/* A machine typed by hand: files of cgroup hierarchies below cg/ */
struct machine {
	const char *mounts;
	const char *own;
	/* "path", "text", ... NULL */
	const char *files[24];
};

struct made_row {
	struct machine machine;
	int version; /* 0: none */
	const char *path;
	bool must_enable;
};

static void put(const char *dir, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", dir, name);
	auto_free char *folder = xstrdup(path);
	auto_close int fd = -1;

	*strrchr(folder, '/') = '\0';
	assert_int_equal(file_mkdirs(folder), 0);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_fd(fd, text, strlen(text)), 0);
}

static void build(const char *dir, const struct machine *m)
{
	if (m->mounts)
		put(dir, "proc/self/mountinfo", m->mounts);
	if (m->own)
		put(dir, "proc/self/cgroup", m->own);
	for (size_t i = 0; m->files[i]; i += 2)
		put(dir, m->files[i], m->files[i + 1]);
}

static void check_made(void **state)
{
	const struct made_row *row = *state;
	char dir[] = "/tmp/thpbench-cgroup.XXXXXX";
	struct cgroup cg = { 0 };
	auto_free char *why = NULL;
	bool must_enable = false;
	struct root root;
	int ret;

	assert_non_null(mkdtemp(dir));
	build(dir, &row->machine);
	assert_int_equal(root_open(dir, &root), 0);
	ret = cgroup_where(&root, &cg, &must_enable, &why);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
	assert_int_equal(ret, row->version ? 0 : -ENOTSUP);
	assert_string_equal(cg.path ? cg.path : "", row->path);
	if (ret) {
		assert_non_null(why);
		return;
	}
	assert_int_equal(cg.version, row->version);
	assert_int_equal(must_enable, row->must_enable);
	cgroup_free(&cg);
}

/* Switched on for it, the controller is switched off with it. */
static void enables_and_disables(void **state)
{
	static const struct machine m = {
		"1 1 0:1 / /cg rw - cgroup2 none rw\n",
		"0::/\n",
		{ "cg/cgroup.controllers", "cpu memory\n",
		  "cg/cgroup.subtree_control", "cpu\n" },
	};
	char dir[] = "/tmp/thpbench-cgroup.XXXXXX";
	struct cgroup cg = { 0 };
	auto_free char *why = NULL;
	auto_free char *on = NULL;
	auto_free char *off = NULL;
	struct root root;

	(void)state;
	assert_non_null(mkdtemp(dir));
	build(dir, &m);
	assert_int_equal(root_open(dir, &root), 0);
	assert_int_equal(cgroup_make(&root, "x.1", &cg, &why), 0);
	assert_int_equal(cg.version, 2);
	assert_string_equal(cg.path, "cg/x.1+memory");
	assert_true(root_exists(&root, cg.path));
	root_read(&root, "cg/cgroup.subtree_control", &on);
	assert_string_equal(on, "+memory");
	put(dir, "cg/x.1+memory/cgroup.procs", "");
	/* A file in a folder is in the way here, not in the kernel. */
	assert_int_equal(cgroup_remove(&root, cg.path), -ENOTEMPTY);
	root_read(&root, "cg/cgroup.subtree_control", &off);
	assert_string_equal(off, "+memory");
	assert_int_equal(unlinkat(root.fd, "cg/x.1+memory/cgroup.procs", 0), 0);
	/* Not a cgroup: no cgroup.procs. */
	assert_int_equal(cgroup_remove(&root, cg.path), -EINVAL);
	cgroup_free(&cg);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
}

/* Below a recorded root the pids are another machine's. */
static void kills_nobody_below_a_recorded_root(void **state)
{
	char dir[] = "/tmp/thpbench-cgroup.XXXXXX";
	auto_free char *pids = NULL;
	struct root root;
	pid_t pid = fork();

	(void)state;
	if (!pid) {
		signal(SIGTERM, SIG_DFL);
		pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_non_null(mkdtemp(dir));
	pids = xasprintf("0\n%d\n", (int)pid);
	put(dir, "cg/x/cgroup.procs", pids);
	assert_int_equal(root_open(dir, &root), 0);
	assert_int_equal(cgroup_remove(&root, "cg/x"), -EBUSY);
	assert_int_equal(cgroup_remove(&root, "cg/y"), 0);
	assert_int_equal(cgroup_remove(&root, "cg"), -EINVAL);
	usleep(50000); /* to die would take it a moment */
	assert_int_equal(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
}

static _Noreturn void live_inside(const struct root *root,
				  const struct cgroup *cg, int report)
{
	size_t size = 64 * NUM_MIB;
	char *mem;
	int ret;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ret = cgroup_enter(root, cg);
	/* Who is inside does not remove it. */
	if (!ret && cgroup_remove(root, cg->path) != -EBUSY)
		ret = -EPROTO;
	mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		_exit(1);
	memset(mem, 1, size);
	(void)!write(report, &ret, sizeof(ret));
	for (;;)
		pause();
}

static void counts_and_kills(void **state)
{
	auto_free char *name = xasprintf("thpbench-test.%d", (int)getpid());
	auto_free char *why = NULL;
	struct cgroup_memory before;
	struct cgroup_memory m;
	struct cgroup cg = { 0 };
	struct root root;
	int report[2];
	int wstatus;
	int ret = -1;
	pid_t pid;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	if (cgroup_make(&root, name, &cg, &why)) {
		printf("skipped: %s\n", why);
		root_close(&root);
		skip();
	}
	assert_int_equal(cgroup_read_memory(&root, &cg, &before), 0);
	assert_int_equal(pipe(report), 0);
	pid = fork();
	if (!pid)
		live_inside(&root, &cg, report[1]);
	close(report[1]);
	(void)!read(report[0], &ret, sizeof(ret));
	close(report[0]);
	assert_int_equal(ret, 0);
	assert_int_equal(cgroup_read_memory(&root, &cg, &m), 0);
	assert_true(before.anon_bytes < NUM_MIB);
	assert_true(m.anon_bytes >= 63 * NUM_MIB);
	assert_true(m.anon_bytes < 80 * NUM_MIB);
	assert_true(m.anon_huge_bytes <= m.anon_bytes);
	assert_int_equal(cgroup_remove(&root, cg.path), 0);
	assert_false(root_exists(&root, cg.path));
	assert_int_equal(waitpid(pid, &wstatus, WNOHANG), pid);
	assert_true(WIFSIGNALED(wstatus) && WTERMSIG(wstatus) == SIGKILL);
	assert_int_equal(cgroup_remove(&root, cg.path), 0);
	assert_int_equal(cgroup_read_memory(&root, &cg, &m), -ENOENT);
	cgroup_free(&cg);
	root_close(&root);
}

/* What a run with our pid left behind gives way. */
static void takes_over_an_empty_one(void **state)
{
	auto_free char *name = xasprintf("thpbench-old.%d", (int)getpid());
	auto_free char *why = NULL;
	struct cgroup first = { 0 };
	struct cgroup second = { 0 };
	struct root root;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	if (cgroup_make(&root, name, &first, &why)) {
		printf("skipped: %s\n", why);
		root_close(&root);
		skip();
	}
	assert_int_equal(cgroup_make(&root, name, &second, &why), 0);
	assert_string_equal(first.path, second.path);
	assert_int_equal(cgroup_remove(&root, first.path), 0);
	cgroup_free(&first);
	cgroup_free(&second);
	root_close(&root);
}

#define V2 "1 1 0:1 / /cg rw shared:1 master:2 - cgroup2 none rw\n"
#define V1 "2 1 0:2 / /m rw - cgroup none rw,memory\n"
#define STAT(name, ...)                                                        \
	{                                                                      \
		"stat: " name, check_stat, NULL, NULL, &(struct stat_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define WHERE(name, ...)                                                       \
	{                                                                      \
		"where: " name, check_where, NULL, NULL, &(struct where_row)   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define MADE(name, ...)                                                        \
	{                                                                      \
		"where: " name, check_made, NULL, NULL, &(struct made_row)     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAT("version 2",
		     "anon 1\nfile 2\nfile_mapped 3\nanon_thp 4\n"
		     "thp_fault_alloc 5\nthp_collapse_alloc 6\n",
		     2, 0, { 1, 4, 2, 3, 5, 6, true }),
		STAT("version 2 without counts", "anon 1\nanon_thp 4\n", 2, 0,
		     { 1, 4, 0, 0, 0, 0, false }),
		STAT("version 1",
		     "cache 2\nrss 1\nrss_huge 4\nmapped_file 3\n"
		     "total_rss 9\n",
		     1, 0, { 1, 4, 2, 3, 0, 0, false }),
		STAT("version 1 read as 2", "rss 1\nrss_huge 4\n", 2, -EPROTO,
		     { .anon_bytes = 0 }),
		STAT("version 2 read as 1", "anon 1\nanon_thp 4\n", 1, -EPROTO,
		     { .anon_bytes = 0 }),
		STAT("no huge part", "anon 1\n", 2, -EPROTO,
		     { .anon_bytes = 0 }),
		STAT("empty", "", 1, -EPROTO, { .anon_bytes = 0 }),
		WHERE("version 1 of the host", "host-6.18", 1,
		      "sys/fs/cgroup/memory/ours"),
		WHERE("above our session, where memory is handed down",
		      "arm64-6.12", 2, "sys/fs/cgroup/user.slice/user-0.slice"),
		WHERE("nothing mounted", "guest-7.3", 0,
		      "no cgroup hierarchy is mounted"),
		WHERE("broken mountinfo", "broken", 0, "no cgroup hierarchy"),
		MADE("at the top of all, by switching it on",
		     { V2,
		       "0::/\n",
		       { "cg/cgroup.controllers", "memory\n",
			 "cg/cgroup.subtree_control", "\n", "cg/cgroup.procs",
			 "1\n" } },
		     2, "cg", true),
		MADE("not where processes are, but above",
		     { V2,
		       "0::/a/b\n",
		       { "cg/a/b/cgroup.controllers", "memory\n",
			 "cg/a/b/cgroup.type", "domain\n",
			 "cg/a/b/cgroup.procs", "12\n",
			 "cg/a/cgroup.controllers", "cpu memory pids\n",
			 "cg/a/cgroup.type", "domain\n", "cg/a/cgroup.procs",
			 "" } },
		     2, "cg/a", true),
		MADE("where it is on already, rather than switched on",
		     { V2,
		       "0::/a\n",
		       { "cg/a/cgroup.controllers", "memory\n",
			 "cg/a/cgroup.type", "domain\n", "cg/a/cgroup.procs",
			 "", "cg/cgroup.controllers", "memory\n",
			 "cg/cgroup.subtree_control", "memory\n" } },
		     2, "cg", false),
		MADE("a controller of another name",
		     { V2,
		       "0::/\n",
		       { "cg/cgroup.controllers", "memory2 xmemory\n",
			 "cg/cgroup.subtree_control", "memory2\n" } },
		     0, "", false),
		MADE("version 1 where 2 has no memory",
		     { V2 V1,
		       "3:cpu:/x\n4:hugetlb,memory:/y\n0::/z\n",
		       { "cg/cgroup.controllers", "cpu\n", "m/y/memory.stat",
			 "rss 1\n" } },
		     1, "m/y", false),
		MADE("a part of a hierarchy is mounted",
		     { "1 1 0:1 /docker/1 /cg rw - cgroup none rw,memory\n",
		       "4:memory:/docker/1/me\n",
		       { "cg/me/memory.stat", "" } },
		     1, "cg/me", false),
		MADE("ours is outside of that part",
		     { "1 1 0:1 /docker/1 /cg rw - cgroup none rw,memory\n",
		       "4:memory:/other\n",
		       { "cg/memory.stat", "" } },
		     1, "cg", false),
		MADE("a name that only begins alike",
		     { "1 1 0:1 /docker/1 /cg rw - cgroup none rw,memory\n",
		       "4:memory:/docker/12/me\n",
		       { "cg/2/me/memory.stat", "" } },
		     1, "cg", false),
		MADE("outside of our namespace",
		     { V1,
		       "4:memory:/../up\n",
		       { "m/memory.stat", "", "up/memory.stat", "" } },
		     1, "m", false),
		MADE("blanks in the mount point",
		     { "1 1 0:1 / /c\\040g rw - cgroup none rw,memory\n",
		       "4:memory:/\n",
		       { "c g/memory.stat", "" } },
		     1, "c g", false),
		MADE("mounted, but not there",
		     { V2 V1, "4:memory:/\n0::/\n", { NULL } }, 0, "", false),
		MADE("no own cgroup known",
		     { V1, NULL, { "m/memory.stat", "" } }, 1, "m", false),
		MADE("nothing known at all", { NULL, NULL, { NULL } }, 0, "",
		     false),
		cmocka_unit_test(enables_and_disables),
		cmocka_unit_test(kills_nobody_below_a_recorded_root),
		cmocka_unit_test(counts_and_kills),
		cmocka_unit_test(takes_over_an_empty_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
