/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running server, until it is gone. */
#include "bench/server/server.h"

#include <errno.h>
#include <mysql.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "bench/server/server_parts.h"

int server_has_ended(struct server *s)
{
	if (!s->pid)
		return 1;
	if (proc_wait(s->pid, 0, &s->wstatus) == 0)
		return 0;
	s->pid = 0;
	return 1;
}

int server_check(struct server *s)
{
	if (!server_has_ended(s))
		return 0;
	return server_tell_end(s, "in the middle of the run");
}

void server_remove_traces(const char *dir)
{
	static const char *const names[] = { "mariadbd.sock", "mariadbd.pid" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *path = xasprintf("%s/%s", dir, names[i]);

		unlink(path);
	}
}

static void disconnect(struct server *s)
{
	if (s->connection)
		mysql_close(s->connection);
	s->connection = NULL;
}

int server_check_log(const struct server *s)
{
	auto_free char *end = NULL;

	if (!server_log_crashed(s->log))
		return 0;
	end = server_log_end(s->log);
	return refuse(-EIO, "mariadbd crashed; its log:%s", end);
}

int server_stop(struct server *s, uint64_t limit_ns, bool *clean)
{
	static const char shutdown[] = "SHUTDOWN";
	bool was_running = !server_has_ended(s);
	bool ended;

	if (was_running && limit_ns) {
		/* Sent only: a server that hangs would not answer. */
		if (!s->connection || mysql_send_query(s->connection, shutdown,
						       sizeof(shutdown) - 1))
			kill(s->pid, SIGTERM);
		if (proc_wait(s->pid, limit_ns, &s->wstatus) == 1)
			s->pid = 0;
	}
	disconnect(s);
	ended = was_running && !s->pid;
	*clean = ended && WIFEXITED(s->wstatus) && WEXITSTATUS(s->wstatus) == 0;
	if (s->pid) {
		kill(s->pid, SIGKILL); /* hurry: not proc_end()'s SIGTERM */
		proc_end(s->pid, 0, &s->wstatus);
		s->pid = 0;
	}
	/* What a server that was killed leaves behind. */
	server_remove_traces(s->dir);
	if (!was_running || !limit_ns)
		return 0;
	if (server_check_log(s))
		return -EIO;
	return ended && !*clean ? server_tell_end(s, "at its end") : 0;
}

void server_free(struct server *s)
{
	bool clean;

	if (s->pid)
		server_stop(s, 0, &clean);
	disconnect(s);
	free(s->dir);
	free(s->data_dir);
	free(s->socket);
	free(s->log);
	free(s->config);
	memset(s, 0, sizeof(*s));
}
