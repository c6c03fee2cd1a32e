/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start a server and wait until it answers. */
#include <errno.h>
#include <fcntl.h>
#include <mysql.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "bench/guard/guard.h"
#include "bench/server/place.h"
#include "bench/server/server_parts.h"

static const uint64_t ready_limit_ns = 60 * NUM_NS_PER_S;
static const uint64_t between_tries_ns = 10 * NUM_NS_PER_MS;

/* The folder without what an earlier server left, and the file to start by. */
static int prepare_dir(const struct server_spec *spec, const struct server *s)
{
	auto_free char *tmp = xasprintf("%s/tmp", s->dir);
	auto_free char *text = NULL;
	int ret = file_mkdirs(tmp);

	if (ret)
		return fail(ret, "make %s", tmp);
	server_remove_traces(s->dir);
	unlink(s->log);
	text = server_cnf_text(spec, s->socket);
	if (!text)
		return -ENOENT;
	ret = file_publish(s->config, text);
	return ret ? fail(ret, "write %s", s->config) : 0;
}

/*
 * Both its streams go where its error log goes: until it has read its
 * configuration it has no other place to complain to.
 */
static int spawn(const struct server_spec *spec, struct server *s,
		 struct place *place, const struct facts *env)
{
	auto_free char *defaults = xasprintf("--defaults-file=%s", s->config);
	const char *argv[] = { spec->program->path, defaults, NULL };
	auto_free const char **list = server_env_list(env);
	auto_close int log =
		open(s->log,
		     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	struct proc_spec proc = {
		.argv = argv,
		.env = list,
		.out_fd = log,
		.before_exec = place_child,
		.arg = place,
		.held = spec->held,
		.held_arg = spec->held_arg,
	};
	pid_t pid;

	if (log < 0)
		return fail(-errno, "make %s", s->log);
	pid = proc_start(&proc);
	if (pid < 0)
		return fail(pid, "start %s", argv[0]);
	s->pid = pid;
	return spec->journal ? journal_pid(spec->journal, pid) : 0;
}

static int launch(const struct server_spec *spec, struct server *s)
{
	struct place place = { .root = spec->root,
			       .server = &spec->config->server,
			       .cgroup = spec->cgroup };
	struct facts env = { 0 };
	int ret = place_check(&place);

	if (!ret)
		ret = prepare_dir(spec, s);
	if (!ret)
		ret = server_env(spec->program, spec->arm,
				 spec->config->server.thp_disable, &env);
	if (!ret)
		ret = spawn(spec, s, &place, &env);
	facts_free(&env);
	return ret;
}

/* NULL: *why says what is in the way. */
static MYSQL *connect_to(const char *socket, struct str *why)
{
	/* Seconds. A scan of a big table from a slow disk may take minutes. */
	static const unsigned int connect_s = 5;
	static const unsigned int answer_s = 900;
	MYSQL *my = mysql_init(NULL);

	if (!my)
		abort();
	mysql_optionsv(my, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
	mysql_optionsv(my, MYSQL_OPT_READ_TIMEOUT, &answer_s);
	mysql_optionsv(my, MYSQL_OPT_WRITE_TIMEOUT, &answer_s);
	if (mysql_real_connect(my, NULL, "root", NULL, NULL, 0, socket, 0))
		return my;
	str_free(why);
	str_add(why, mysql_error(my));
	mysql_close(my);
	return NULL;
}

static int tell_late(const struct server *s, const struct str *why)
{
	auto_free char *log = server_log_end(s->log);

	return refuse(-EIO, "mariadbd does not answer after %d s (%s)%s%s",
		      (int)(ready_limit_ns / NUM_NS_PER_S),
		      why->len ? why->text : "no socket",
		      log[0] ? "; its log:" : "", log);
}

static int wait_ready(struct server *s)
{
	uint64_t end = clock_ns() + ready_limit_ns;
	auto_str struct str why = { 0 };

	while (clock_ns() < end) {
		if (guard_stopped())
			return -EINTR;
		if (server_has_ended(s))
			return server_tell_end(s, "while it started");
		if (access(s->socket, F_OK) == 0)
			s->connection = connect_to(s->socket, &why);
		if (s->connection)
			return 0;
		clock_sleep_until(clock_ns() + between_tries_ns);
	}
	return tell_late(s, &why);
}

/* Some versions round it to whole chunks. */
static int read_pool(struct server *s)
{
	auto_free char *text = server_query(s, "SELECT @@"
					       "innodb_buffer_pool_size");

	if (!text)
		return -EIO;
	return num_u64(text, &s->pool_bytes)
		       ? refuse(-EPROTO, "innodb_buffer_pool_size is \"%s\"",
				text)
		       : 0;
}

int server_start(const struct server_spec *spec, struct server *out)
{
	struct server s = {
		.dir = xstrdup(spec->dir),
		.data_dir = xstrdup(spec->data_dir),
		.socket = xasprintf("%s/mariadbd.sock", spec->dir),
		.log = xstrdup(spec->log),
		.config = xstrdup(spec->config_path),
	};
	int ret = server_fits(spec, s.socket);

	if (!ret)
		ret = launch(spec, &s);
	if (!ret)
		ret = wait_ready(&s);
	if (!ret)
		ret = read_pool(&s);
	if (ret) {
		server_free(&s);
		return ret;
	}
	*out = s;
	return 0;
}
