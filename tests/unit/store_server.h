/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A MariaDB server of a test's own, on a socket in a folder of its own, that
 * asks nobody for a password. It needs no system tables.
 */
#ifndef TESTS_UNIT_STORE_SERVER_H
#define TESTS_UNIT_STORE_SERVER_H

#include <mysql.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/tree.h"

struct store_server {
	char dir[64];
	char *program; /* NULL: there is none */
	char *socket;
	char *url; /* of a database in it */
	pid_t pid; /* 0: it does not run */
};

/* Does it answer? Then the database is there, too. */
static inline int store_server_answers(const struct store_server *s)
{
	MYSQL *my = mysql_init(NULL);
	int ok = mysql_real_connect(my, NULL, "root", NULL, NULL, 0, s->socket,
				    0) &&
		 mysql_query(my, "CREATE DATABASE IF NOT EXISTS thp") == 0;

	mysql_close(my);
	return ok;
}

static inline void store_server_start(struct store_server *s)
{
	auto_free char *data = xasprintf("--datadir=%s/data", s->dir);
	auto_free char *tmp = xasprintf("--tmpdir=%s", s->dir);
	auto_free char *log = xasprintf("--log-error=%s/log", s->dir);
	auto_free char *pid = xasprintf("--pid-file=%s/pid", s->dir);
	auto_free char *where = xasprintf("--socket=%s", s->socket);
	const char *argv[] = { s->program,
			       "--no-defaults",
			       data,
			       tmp,
			       log,
			       pid,
			       where,
			       "--skip-networking",
			       "--skip-grant-tables",
			       "--user=root",
			       "--innodb-log-file-size=8M",
			       "--innodb-buffer-pool-size=32M",
			       NULL };
	struct proc_spec spec = { .argv = argv };
	uint64_t end = clock_ns() + 60 * NUM_NS_PER_S;

	s->pid = proc_start(&spec);
	while (s->pid > 0 && clock_ns() < end && !store_server_answers(s))
		clock_sleep_until(clock_ns() + 50 * NUM_NS_PER_MS);
	if (s->pid <= 0 || clock_ns() >= end)
		abort();
}

/* SIGKILL, as a crash. */
static inline void store_server_kill(struct store_server *s)
{
	if (s->pid > 0)
		proc_end(s->pid, 0, NULL);
	s->pid = 0;
	unlink(s->socket);
}

static inline void store_server_open(struct store_server *s)
{
	auto_free char *data = NULL;

	*s = (struct store_server){ 0 };
	s->program = proc_find_program("mariadbd");
	if (!s->program)
		return;
	snprintf(s->dir, sizeof(s->dir), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(s->dir))
		abort();
	data = xasprintf("%s/data", s->dir);
	s->socket = xasprintf("%s/s.sock", s->dir);
	s->url = xasprintf("mariadb://root@/thp?socket=%s", s->socket);
	if (file_mkdirs(data))
		abort();
	/* One that was never stopped does not come up again after a crash. */
	store_server_start(s);
	proc_end(s->pid, 30 * NUM_NS_PER_S, NULL);
	store_server_start(s);
}

static inline void store_server_close(struct store_server *s)
{
	store_server_kill(s);
	if (s->program)
		tree_remove(s->dir);
	free(s->program);
	free(s->socket);
	free(s->url);
}

#endif
