/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/file and base/tree: short reads, full disks, links, other disks. */
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
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"

/* A temporary folder; at() names what is in it, for one call at a time. */
static char dir[64];

static const char *at(const char *name)
{
	static char paths[4][256];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(paths[turn], sizeof(paths[turn]), "%s/%s", dir, name);
	return paths[turn];
}

static int make_dir(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/thpbench-test-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return tree_remove(dir);
}

static void put(const char *path, const char *text, mode_t mode)
{
	auto_close int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(file_write_fd(fd, text, strlen(text)), 0);
	assert_int_equal(fchmod(fd, mode), 0);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

static void holds(const char *path, const char *want)
{
	auto_free char *text = NULL;
	size_t n = 0;

	assert_int_equal(file_read(path, &text, &n), 0);
	assert_int_equal(n, strlen(want));
	assert_string_equal(text, want);
}

/* A pipe gives what is there, bit by bit. */
static void reads_over_short_reads(void **state)
{
	auto_free char *text = NULL;
	size_t n = 0;
	int fds[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 20; i++) {
			(void)!write(fds[1], "0123456789\n", 11);
			usleep(1000);
		}
		_exit(0);
	}
	close(fds[1]);
	assert_int_equal(file_read_fd(fds[0], &text, &n), 0);
	close(fds[0]);
	waitpid(pid, NULL, 0);
	assert_int_equal(n, 220);
	assert_int_equal(strlen(text), 220);
}

static void reads_errors(void **state)
{
	char *text;

	(void)state;
	assert_int_equal(file_read(at("none"), &text, NULL), -ENOENT);
	assert_int_equal(file_read(dir, &text, NULL), -EISDIR);
	assert_int_equal(file_read_fd(-1, &text, NULL), -EBADF);
}

static void nothing(int sig)
{
	(void)sig;
}

/* More than a pipe holds, to a reader who is slow, under signals. */
static void writes_over_short_writes(void **state)
{
	struct sigaction sa = { .sa_handler = nothing };
	struct sigaction old;
	auto_free char *big = xcalloc(1, 1 << 20);
	pid_t parent = getpid();
	int fds[2];
	int wstatus = -1;
	pid_t pid;

	(void)state;
	sigaction(SIGUSR1, &sa, &old);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		size_t sum = 0;
		char buf[5000];
		ssize_t n;

		close(fds[1]);
		while ((n = read(fds[0], buf, sizeof(buf))) > 0) {
			sum += (size_t)n;
			kill(parent, SIGUSR1);
		}
		_exit(sum == 1 << 20 ? 0 : 1);
	}
	close(fds[0]);
	assert_int_equal(file_write_fd(fds[1], big, 1 << 20), 0);
	close(fds[1]);
	while (waitpid(pid, &wstatus, 0) < 0 && errno == EINTR)
		;
	assert_int_equal(wstatus, 0);
	sigaction(SIGUSR1, &old, NULL);
}

static void says_when_the_disk_is_full(void **state)
{
	auto_close int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_int_equal(file_write_fd(fd, "x", 1), -ENOSPC);
	assert_int_equal(file_write_fd(fd, "x", 0), 0);
}

static void publishes(void **state)
{
	(void)state;
	assert_int_equal(file_publish(at("f"), "one"), 0);
	holds(at("f"), "one");
	assert_int_equal(file_publish(at("f"), ""), 0);
	holds(at("f"), "");
	assert_int_equal(file_publish(at("no/f"), "x"), -ENOENT);
	/* What fails leaves neither itself nor its draft. */
	assert_int_equal(mkdir(at("d"), 0755), 0);
	assert_int_equal(file_publish(at("d"), "x"), -EISDIR);
	assert_int_equal(access(at("d.new"), F_OK), -1);
}

static void makes_folders(void **state)
{
	(void)state;
	assert_int_equal(file_mkdirs(at("a/b/c")), 0);
	assert_int_equal(file_mkdirs(at("a/b/c")), 0);
	assert_int_equal(file_mkdirs(at("a/b/d/")), 0);
	assert_int_equal(file_mkdirs(at("a//e")), 0);
	assert_int_equal(access(at("a/e"), F_OK), 0);
	assert_int_equal(file_mkdirs("/"), 0);
	assert_int_equal(file_mkdirs("."), 0);
	assert_int_equal(file_mkdirs(""), -ENOENT);
	put(at("file"), "", 0644);
	assert_int_equal(file_mkdirs(at("file")), -ENOTDIR);
	assert_int_equal(file_mkdirs(at("file/x")), -ENOTDIR);
}

static void says_what_is_free(void **state)
{
	uint64_t bytes = 0;

	(void)state;
	assert_int_equal(file_free_bytes(dir, &bytes), 0);
	assert_true(bytes > 0);
	assert_int_equal(file_free_bytes(at("none"), &bytes), -ENOENT);
}

struct tail_row {
	const char *text;
	size_t lines;
	const char *tail;
};

static void check_tail(void **state)
{
	const struct tail_row *row = *state;
	char path[] = "/tmp/thpbench-tail-XXXXXX";
	auto_close int fd = mkstemp(path);
	auto_free char *tail = NULL;

	assert_int_equal(file_write_fd(fd, row->text, strlen(row->text)), 0);
	tail = file_tail(path, row->lines);
	unlink(path);
	assert_string_equal(tail, row->tail);
}

static void tail_of_nothing(void **state)
{
	auto_free char *tail = file_tail("/tmp/no/such/file", 3);

	(void)state;
	assert_string_equal(tail, "");
}

/* Files, modes, links also into nowhere, a socket; all under a umask. */
static void build_tree(void)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	auto_close int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert_int_equal(file_mkdirs(at("from/sub/deep")), 0);
	put(at("from/a"), "one", 0660);
	put(at("from/sub/b"), "two", 0400);
	put(at("from/sub/deep/empty"), "", 0755);
	assert_int_equal(symlink("../a", at("from/sub/link")), 0);
	assert_int_equal(symlink("/no/where", at("from/dangling")), 0);
	assert_int_equal(mkfifo(at("from/pipe"), 0600), 0);
	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", at("from/sock"));
	assert_int_equal(bind(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	assert_int_equal(chmod(at("from/sub/deep"), 0550), 0);
	assert_int_equal(chmod(at("from/sub"), 02775), 0);
}

static void check_copy(const char *to)
{
	char path[256];
	char target[64] = "";

	snprintf(path, sizeof(path), "%s/a", to);
	holds(path, "one");
	assert_int_equal(mode_of(path), 0660);
	snprintf(path, sizeof(path), "%s/sub/b", to);
	holds(path, "two");
	assert_int_equal(mode_of(path), 0400);
	snprintf(path, sizeof(path), "%s/sub/deep/empty", to);
	holds(path, "");
	snprintf(path, sizeof(path), "%s/sub/deep", to);
	assert_int_equal(mode_of(path), 0550);
	snprintf(path, sizeof(path), "%s/sub", to);
	assert_int_equal(mode_of(path), 02775);
	snprintf(path, sizeof(path), "%s/sub/link", to);
	assert_int_equal(readlink(path, target, sizeof(target) - 1), 4);
	assert_string_equal(target, "../a");
	snprintf(path, sizeof(path), "%s/dangling", to);
	assert_int_equal(readlink(path, target, sizeof(target) - 1), 9);
	snprintf(path, sizeof(path), "%s/sock", to);
	assert_int_equal(access(path, F_OK), -1);
	snprintf(path, sizeof(path), "%s/pipe", to);
	assert_int_equal(access(path, F_OK), -1);
}

static void copies_trees(void **state)
{
	mode_t mask = umask(077);
	uint64_t cloned = 4711;
	auto_free char *from = NULL;

	(void)state;
	build_tree();
	assert_int_equal(tree_copy(at("from"), at("to"), &cloned), 0);
	assert_true(cloned <= 3);
	check_copy(at("to"));
	from = xasprintf("%s/from//", dir);
	assert_int_equal(tree_copy(from, at("slash"), NULL), 0);
	check_copy(at("slash"));
	/* Only to a new folder. */
	assert_int_equal(tree_copy(at("from"), at("to"), NULL), -EEXIST);
	assert_int_equal(tree_copy(at("none"), at("x"), NULL), -ENOENT);
	assert_int_equal(tree_copy(at("from"), at("no/x"), NULL), -ENOENT);
	umask(mask);
}

/* To another file system, where nothing can be shared. */
static void copies_to_another_disk(void **state)
{
	char to[] = "/dev/shm/thpbench-test-XXXXXX";
	auto_free char *copy = NULL;
	uint64_t cloned = 4711;

	(void)state;
	if (!mkdtemp(to)) {
		printf("skipped: no /dev/shm\n");
		skip();
	}
	copy = xasprintf("%s/copy", to);
	build_tree();
	assert_int_equal(tree_copy(at("from"), copy, &cloned), 0);
	check_copy(copy);
	assert_int_equal(cloned, 0);
	assert_int_equal(tree_remove(to), 0);
}

/* The first write is cut short before one says ENOSPC. */
static void names_a_full_disk(void **state)
{
	auto_free char *big = xcalloc(1, 3 << 20);
	int ret;
	int fd;

	(void)state;
	assert_int_equal(mkdir(at("small"), 0755), 0);
	if (mount("tmpfs", at("small"), "tmpfs", 0, "size=1500k")) {
		printf("skipped: no mounts without root\n");
		skip();
	}
	assert_int_equal(mkdir(at("from"), 0755), 0);
	fd = open(at("from/big"), O_WRONLY | O_CREAT, 0600);
	ret = file_write_fd(fd, big, 3 << 20);
	close(fd);
	assert_int_equal(ret, 0);
	ret = tree_copy(at("from"), at("small/to"), NULL);
	umount(at("small"));
	assert_int_equal(ret, -ENOSPC);
}

static void removes_trees(void **state)
{
	(void)state;
	build_tree();
	assert_int_equal(mkdir(at("kept"), 0755), 0);
	put(at("kept/file"), "x", 0644);
	/* Links are removed, not what they point to. */
	assert_int_equal(symlink(at("kept"), at("from/outside")), 0);
	assert_int_equal(tree_remove(at("from")), 0);
	assert_int_equal(access(at("from"), F_OK), -1);
	holds(at("kept/file"), "x");
	assert_int_equal(symlink(at("kept"), at("link")), 0);
	assert_int_equal(tree_remove(at("link")), 0);
	holds(at("kept/file"), "x");
	assert_int_equal(tree_remove(at("kept/file")), 0);
	assert_int_equal(tree_remove(at("none")), -ENOENT);
}

static void removes_nothing_behind_a_mount(void **state)
{
	int ret;

	(void)state;
	assert_int_equal(file_mkdirs(at("from/mnt")), 0);
	if (mount("tmpfs", at("from/mnt"), "tmpfs", 0, "size=1m")) {
		printf("skipped: no mounts without root\n");
		skip();
	}
	put(at("from/mnt/file"), "x", 0644);
	ret = tree_remove(at("from"));
	holds(at("from/mnt/file"), "x");
	umount(at("from/mnt"));
	assert_int_equal(ret, -EBUSY);
}

static void measures_blocks_not_sizes(void **state)
{
	auto_free char *big = xcalloc(1, NUM_MIB);
	uint64_t before = 0;
	uint64_t holes = 0;
	uint64_t full = 0;
	int fd;

	(void)state;
	assert_int_equal(tree_bytes(at("none"), &full), -ENOENT);
	assert_int_equal(file_mkdirs(at("t/sub")), 0);
	assert_int_equal(tree_bytes(at("t"), &before), 0);
	fd = open(at("t/sub/f"), O_RDWR | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, 100 * (off_t)NUM_MIB), 0);
	assert_int_equal(tree_bytes(at("t"), &holes), 0);
	memset(big, 1, NUM_MIB);
	assert_int_equal(file_write_fd(fd, big, NUM_MIB), 0);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	assert_int_equal(tree_bytes(at("t"), &full), 0);
	assert_true(holes - before < NUM_MIB / 2);
	assert_true(full - before >= NUM_MIB && full - before < 2 * NUM_MIB);
}

#define TAIL(name, ...)                                                        \
	{                                                                      \
		"tail: " name, check_tail, NULL, NULL, &(struct tail_row)      \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_over_short_reads),
		IN_DIR(reads_errors),
		cmocka_unit_test(writes_over_short_writes),
		cmocka_unit_test(says_when_the_disk_is_full),
		IN_DIR(publishes),
		IN_DIR(makes_folders),
		IN_DIR(says_what_is_free),
		TAIL("last two", "a\nb\nc\n", 2, "b\nc"),
		TAIL("more than there are", "a\nb\n", 9, "a\nb"),
		TAIL("no newline at the end", "a\nb", 1, "b"),
		TAIL("empty lines at the end", "a\nb\n\n\n", 1, "b"),
		TAIL("one line", "a\n", 1, "a"),
		TAIL("empty file", "", 3, ""),
		TAIL("only newlines", "\n\n", 3, ""),
		TAIL("no lines", "a\nb\n", 0, ""),
		cmocka_unit_test(tail_of_nothing),
		IN_DIR(copies_trees),
		IN_DIR(copies_to_another_disk),
		IN_DIR(names_a_full_disk),
		IN_DIR(removes_trees),
		IN_DIR(removes_nothing_behind_a_mount),
		IN_DIR(measures_blocks_not_sizes),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
