/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find a mariadbd and what belongs to it, and ask it what it knows. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/server/server.h"
#include "bench/server/server_parts.h"
#include "bench/server/servers.h"

static const uint64_t ask_limit_ns = 30 * NUM_NS_PER_S;

/* The first of the paths below base that is there; NULL if none is. */
static char *first_below(const char *base, const char *const *names, size_t n,
			 int mode)
{
	for (size_t i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", base, names[i]);

		if (access(path, mode) == 0)
			return path;
		free(path);
	}
	return NULL;
}

static char *find_in_folder(const char *dir)
{
	static const char *const names[] = {
		"usr/sbin/mariadbd", "sbin/mariadbd",   "bin/mariadbd",
		"libexec/mariadbd",  "usr/sbin/mysqld", "bin/mysqld",
	};

	return first_below(dir, names, ARRAY_SIZE(names), X_OK);
}

static char *find_program(const char *wanted)
{
	const char *suite = servers_suite(wanted);
	auto_free char *found = NULL;

	if (suite) {
		auto_free char *dir = servers_dir(suite);

		found = find_in_folder(dir);
	} else if (str_eq(wanted, "system")) {
		found = proc_find_program("mariadbd");
		if (!found)
			found = proc_find_program("mysqld");
	} else {
		found = find_in_folder(wanted);
		if (!found)
			found = proc_find_program(wanted);
	}
	return found ? realpath(found, NULL) : NULL;
}

/* bin/mariadbd, sbin/mariadbd, libexec/mariadbd: the folder above. */
static char *base_of(const char *path)
{
	char *base = xstrdup(path);

	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(base, '/');

		if (slash)
			*slash = '\0';
	}
	return base;
}

/* The folder with the messages of the server. */
static char *find_share(const char *base)
{
	static const char *const names[] = { "share/mysql", "share/mariadb",
					     "share" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *file =
			xasprintf("%s/%s/english/errmsg.sys", base, names[i]);

		if (access(file, R_OK) == 0)
			return xasprintf("%s/%s", base, names[i]);
	}
	return NULL;
}

static char *find_install_db(const char *base)
{
	static const char *const names[] = {
		"bin/mariadb-install-db",
		"scripts/mariadb-install-db",
		"bin/mysql_install_db",
		"scripts/mysql_install_db",
	};

	return first_below(base, names, ARRAY_SIZE(names), X_OK);
}

/*
 * The folders with libraries of a server's own tree, for LD_LIBRARY_PATH;
 * NULL for the system's own server, and where there is none. Libraries beside
 * a C library of another system would not fit our loader: left out.
 */
static char *find_libs(const char *base)
{
	static const char *const above[] = { "/lib", "/lib", "/../lib" };
	auto_str struct str list = { 0 };
	struct utsname host;

	if (str_eq(base, "/usr") || str_eq(base, "/usr/local") || uname(&host))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(above); i++) {
		auto_free char *dir =
			i == 0 ? xasprintf("%s%s", base, above[i])
			       : xasprintf("%s%s/%s-linux-gnu", base, above[i],
					   host.machine);
		auto_free char *libc = xasprintf("%s/libc.so.6", dir);

		if (access(dir, X_OK) == 0 && access(libc, F_OK))
			str_addf(&list, "%s%s", list.len ? ":" : "", dir);
	}
	return list.len ? str_steal(&list) : NULL;
}

/* What it says, stdout and stderr; -errno printed. */
static int ask(const struct server_program *p, const char *const *argv,
	       char **out)
{
	struct facts env = { 0 };
	auto_free const char **list = NULL;
	struct proc_spec spec = { .argv = argv };
	int status = 0;
	int ret;

	server_env_libs(p, &env);
	list = server_env_list(&env);
	spec.env = list;
	ret = proc_capture(&spec, ask_limit_ns, out, &status);
	facts_free(&env);
	if (ret)
		return fail(ret, "run %s", argv[0]);
	if (status) {
		auto_free char *how = proc_status_text(status);

		(*out)[strcspn(*out, "\n")] = '\0';
		refuse(-EIO, "%s %s: %s", argv[0], how, *out);
		free(*out);
		*out = NULL;
		return -EIO;
	}
	return 0;
}

/* "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for ...": the word after Ver. */
static char *version_in(const char *text)
{
	const char *p = strstr(text, "Ver ");

	if (!p)
		return NULL;
	p += strlen("Ver ");
	return xstrndup(p, strcspn(p, " \n"));
}

static int ask_version(struct server_program *p)
{
	const char *argv[] = { p->path, "--no-defaults", "--version", NULL };
	auto_free char *text = NULL;
	int ret = ask(p, argv, &text);

	if (ret)
		return ret;
	p->version = version_in(text);
	if (!p->version || !strstr(text, "MariaDB"))
		return refuse(-EINVAL, "%s is no MariaDB server", p->path);
	return 0;
}

static bool is_option(const char *help, const char *name)
{
	auto_free char *line = xasprintf("\n  --%s", name);

	return strstr(help, line);
}

static int ask_options(struct server_program *p)
{
	auto_free char *base = xasprintf("--basedir=%s", p->basedir);
	auto_free char *share = xasprintf("--lc-messages-dir=%s", p->share);
	const char *argv[] = { p->path,     "--no-defaults", base, share,
			       "--verbose", "--help",        NULL };
	auto_free char *help = NULL;
	int ret = ask(p, argv, &help);

	if (ret)
		return ret;
	if (!is_option(help, "innodb-buffer-pool-size="))
		return refuse(-ENOTSUP, "%s has no InnoDB", p->path);
	p->has_pool_size_max = is_option(help, "innodb-buffer-pool-size-max=");
	p->has_pool_auto_min =
		is_option(help, "innodb-buffer-pool-size-auto-min=");
	return 0;
}

static int find_parts(struct server_program *p)
{
	p->basedir = base_of(p->path);
	p->lib_path = find_libs(p->basedir);
	p->share = find_share(p->basedir);
	if (!p->share)
		return refuse(-ENOENT,
			      "%s: no english/errmsg.sys in share/mysql, "
			      "share/mariadb or share of %s",
			      p->path, p->basedir);
	p->install_db = find_install_db(p->basedir);
	if (!p->install_db)
		return refuse(-ENOENT,
			      "%s: no mariadb-install-db in bin or scripts of "
			      "%s",
			      p->path, p->basedir);
	return 0;
}

static int not_found(const char *wanted)
{
	const char *suite = servers_suite(wanted);

	if (suite)
		return refuse(-ENOENT,
			      "mariadbd = %s: not in the cache yet; get it "
			      "with thpbench server fetch %s",
			      wanted, suite);
	if (str_eq(wanted, "system"))
		return refuse(-ENOENT, "no mariadbd found; install "
				       "mariadb-server-core");
	return refuse(-ENOENT,
		      "mariadbd = %s: no such program, nor a folder that "
		      "holds one",
		      wanted);
}

int server_find(const struct server_config *c, struct server_program *out)
{
	struct server_program p = { .path = find_program(c->mariadbd) };
	int ret = p.path ? 0 : not_found(c->mariadbd);

	if (!ret)
		ret = find_parts(&p);
	if (!ret)
		ret = ask_version(&p);
	if (!ret)
		ret = ask_options(&p);
	if (ret) {
		server_program_free(&p);
		return ret;
	}
	*out = p;
	return 0;
}

void server_program_free(struct server_program *p)
{
	free(p->path);
	free(p->basedir);
	free(p->share);
	free(p->lib_path);
	free(p->version);
	free(p->install_db);
	memset(p, 0, sizeof(*p));
}
