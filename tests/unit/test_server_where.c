/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A server of another tree, of an ordinary user, on a full disk. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/paths.h"
#include "base/str.h"
#include "kern/procstat.h"
#include "server_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NOBODY = 65534, CANNOT = 77 };

static struct fixture f;

/* In a child, where no assertion of cmocka may jump out. */
#define WANT(what)                                                             \
	do {                                                                   \
		if (!(what)) {                                                 \
			printf("%d: not %s: %s\n", __LINE__, #what,            \
			       err_last());                                    \
			fflush(stdout);                                        \
			return 1;                                              \
		}                                                              \
	} while (0)

static int run_child(int (*work)(void))
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		for (int sig = 1; sig < NSIG; sig++)
			signal(sig, SIG_DFL);
		_exit(work());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int copy(const char *from, const char *to)
{
	const char *argv[] = { "cp", "-rL", from, to, NULL };
	struct proc_spec spec = { .argv = argv };
	int status = -1;

	return proc_run(&spec, 60 * NUM_NS_PER_S, &status) || status;
}

/* The system's server as somebody would unpack it below dir. */
static int make_tree(const char *dir)
{
	static const char *const pairs[][2] = {
		{ "sbin/mariadbd", "sbin" },
		{ "bin/mariadb-install-db", "bin" },
		{ "bin/my_print_defaults", "bin" },
		{ "share/mysql", "share" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		auto_free char *from =
			xasprintf("%s/%s", f.program.basedir, pairs[i][0]);
		auto_free char *to = xasprintf("%s/usr/%s", dir, pairs[i][1]);

		if (file_mkdirs(to) || copy(from, to))
			return -1;
	}
	return 0;
}

static int serve_from(const struct server_program *program, const char *basedir)
{
	auto_free char *data = xasprintf("%s/tree-data", f.dir);
	auto_free char *log = xasprintf("%s/tree-install.log", f.dir);
	auto_free char *base = NULL;
	auto_free char *messages = NULL;
	struct server_spec spec = fixture_spec(&f);
	struct facts none = { 0 };
	struct server s;
	bool clean;

	WANT(prepared_install(program, &none, data, log) == 0);
	spec.program = program;
	spec.data_dir = data;
	WANT(server_start(&spec, &s) == 0);
	base = server_query(&s, "SELECT @@basedir");
	messages = server_query(&s, "SELECT @@lc_messages_dir");
	WANT(procstat_thp_enabled(&f.root, s.pid) != 0);
	server_stop(&s, 20 * NUM_NS_PER_S, &clean);
	WANT(clean);
	WANT(base && str_starts(base, basedir));
	WANT(messages && str_starts(messages, basedir));
	server_free(&s);
	return 0;
}

static int in_another_tree(void)
{
	auto_free char *tree = xasprintf("%s/server", f.dir);
	auto_free char *base = xasprintf("%s/usr", tree);
	auto_free char *libs = xasprintf("%s/lib", base);
	auto_free char *binary = xasprintf("%s/sbin/mariadbd", base);
	struct server_config c = f.config.server;
	struct server_program p;
	struct server_program q;

	if (make_tree(tree))
		return CANNOT;
	WANT(file_mkdirs(libs) == 0);
	c.mariadbd = tree;
	WANT(server_find(&c, &p) == 0);
	WANT(str_eq(p.path, binary));
	WANT(str_eq(p.basedir, base));
	WANT(str_eq(p.lib_path, libs));
	WANT(str_starts(p.install_db, base));
	c.mariadbd = binary;
	WANT(server_find(&c, &q) == 0);
	WANT(str_eq(p.path, q.path) && str_eq(p.version, q.version));
	server_program_free(&q);
	WANT(serve_from(&p, base) == 0);
	server_program_free(&p);
	/* Half a tree is named, not half used. */
	WANT(unlink(binary) == 0);
	err_quiet(1);
	p = (struct server_program){ 0 };
	WANT(server_find(&c, &p) == -ENOENT);
	c.mariadbd = tree;
	WANT(server_find(&c, &p) == -ENOENT);
	return 0;
}

/* Where nobody can read what a run needs. */
static int share_files(const char *dir)
{
	static const char *const names[] = { "mariadb.cnf", "libthpkeep.so" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *from = paths_find(names[i]);

		if (!from || copy(from, dir))
			return -1;
	}
	return setenv("THPBENCH_SHARE", dir, 1);
}

static int as_nobody(void)
{
	static char dir[] = "/tmp/thpbench-test-nobody-XXXXXX";
	auto_free char *data = NULL;
	auto_free char *log = NULL;
	auto_free char *cnf = NULL;
	auto_free char *who = NULL;
	struct server_spec spec = fixture_spec(&f);
	struct facts none = { 0 };
	struct server s;
	bool clean;

	if (geteuid() != 0)
		return CANNOT;
	WANT(mkdtemp(dir) && share_files(dir) == 0);
	WANT(chown(dir, NOBODY, NOBODY) == 0);
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		return CANNOT;
	data = xasprintf("%s/data", dir);
	log = xasprintf("%s/log", dir);
	cnf = xasprintf("%s/cnf", dir);
	WANT(prepared_install(&f.program, &none, data, log) == 0);
	spec.data_dir = data;
	spec.dir = dir;
	spec.log = log;
	spec.config_path = cnf;
	WANT(server_start(&spec, &s) == 0);
	who = server_query(&s, "SELECT CURRENT_USER()");
	WANT(str_eq(who, "root@localhost"));
	WANT(procstat_thp_enabled(&f.root, s.pid) != 0);
	server_stop(&s, 20 * NUM_NS_PER_S, &clean);
	WANT(clean);
	server_free(&s);
	return tree_remove(dir) != 0;
}

/* A small file system that only this process sees. */
static int mount_small(const char *dir, const char *size)
{
	auto_free char *option = xasprintf("size=%s,mode=700", size);

	if (file_mkdirs(dir) || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -1;
	return mount("tmpfs", dir, "tmpfs", 0, option);
}

static int full_at_install(void)
{
	auto_free char *dir = xasprintf("%s/small", f.dir);
	auto_free char *data = xasprintf("%s/data", dir);
	auto_free char *log = xasprintf("%s/small.log", f.dir);
	struct facts none = { 0 };

	if (mount_small(dir, "6M"))
		return CANNOT;
	err_quiet(1);
	WANT(prepared_install(&f.program, &none, data, log) == -ENOSPC);
	WANT(strstr(err_last(), f.program.install_db));
	return 0;
}

/* Room for the copy, not for the temporary files of a server. */
static int full_at_start(void)
{
	auto_free char *dir = xasprintf("%s/small", f.dir);
	auto_free char *data = xasprintf("%s/data", dir);
	auto_free char *log = xasprintf("%s/full-install.log", f.dir);
	struct server_spec spec = fixture_spec(&f);
	struct facts none = { 0 };
	struct server s;

	WANT(prepared_install(&f.program, &none, f.data_dir, log) == 0);
	if (mount_small(dir, "32M"))
		return CANNOT;
	WANT(tree_copy(f.data_dir, data, NULL) == 0);
	spec.data_dir = data;
	err_quiet(1);
	WANT(server_start(&spec, &s) == -ENOSPC);
	WANT(strstr(err_last(), "[ERROR]"));
	return 0;
}

static int full_at_copy(void)
{
	auto_free char *dir = xasprintf("%s/small", f.dir);
	auto_free char *kept = xasprintf("%s/data-0", dir);
	auto_free char *data = xasprintf("%s/data", kept);
	auto_free char *file = xasprintf("%s/ibdata1", data);
	struct prepared p = { .dir = kept };
	char *copy_dir = NULL;
	auto_free char *block = xcalloc(1, 6 << 20);
	int fd;

	if (mount_small(dir, "10M"))
		return CANNOT;
	WANT(file_mkdirs(data) == 0);
	fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	WANT(fd >= 0 && file_write_fd(fd, block, 6 << 20) == 0);
	close(fd);
	err_quiet(1);
	WANT(prepared_copy(&p, NULL, &copy_dir) == -ENOSPC);
	WANT(strstr(err_last(), "a copy of the data needs about"));
	return 0;
}

struct test {
	int (*work)(void);
};

static void run_row(void **state)
{
	const struct test *test = *state;
	int ret;

	if (f.why)
		skip();
	ret = run_child(test->work);
	if (ret == CANNOT)
		skip();
	assert_int_equal(ret, 0);
}

#define TEST(name)                                                             \
	{                                                                      \
#name, run_row, NULL, NULL, &(struct test)                     \
		{                                                              \
			name                                                   \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(in_another_tree), TEST(as_nobody),
		TEST(full_at_install), TEST(full_at_start),
		TEST(full_at_copy),
	};
	int ret;

	fixture_open(&f);
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(&f);
	return ret;
}
