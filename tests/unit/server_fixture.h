/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests of a real server share: a folder, a configuration, a server. */
#ifndef TESTS_SERVER_FIXTURE_H
#define TESTS_SERVER_FIXTURE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/proc.h"
#include "base/root.h"
#include "base/tree.h"
#include "bench/server/prepared_parts.h"
#include "bench/server/server_parts.h"

/* Small, so that a test costs little. */
#define FIXTURE_SERVER "my.innodb_log_file_size = 8M\n"

struct fixture {
	const char *why; /* there is no server to test with; NULL: there is */
	char dir[64];    /* everything lies below it */
	struct root root;
	struct config config;
	struct server_program program;
	char *data_dir;
	char *log;
	char *cnf;
};

/* The configuration: two tables of so many rows, and these lines. */
static inline int fixture_config(struct fixture *f, unsigned int rows,
				 const char *server, const char *arm)
{
	auto_free char *text = xasprintf(
		"[experiment]\n[server]\n%s%s\n[workload]\nprogram = sysbench\n"
		"script = oltp_read_only\ntables = 2\ntable_size = %u\n"
		"threads = 2\n[arm \"a\"]\nthp = never\n%s\n",
		FIXTURE_SERVER, server, rows, arm);

	config_free(&f->config);
	return config_parse("test.conf", text, &f->config);
}

static inline void fixture_open(struct fixture *f)
{
	auto_free char *sysbench = proc_find_program("sysbench");
	auto_free char *mariadbd = proc_find_program("mariadbd");

	memset(f, 0, sizeof(*f));
	snprintf(f->dir, sizeof(f->dir), "/tmp/thpbench-test-XXXXXX");
	if (!sysbench || !mariadbd)
		f->why = "no mariadbd or no sysbench (make deps)";
	if (!mkdtemp(f->dir) || root_open("/", &f->root) ||
	    fixture_config(f, 1000, "", "") ||
	    (!f->why && server_find(&f->config.server, &f->program)))
		abort();
	if (f->why)
		printf("skipped: %s\n", f->why);
	f->data_dir = xasprintf("%s/data", f->dir);
	f->log = xasprintf("%s/server.log", f->dir);
	f->cnf = xasprintf("%s/server.cnf", f->dir);
}

static inline void fixture_close(struct fixture *f)
{
	server_program_free(&f->program);
	config_free(&f->config);
	root_close(&f->root);
	free(f->data_dir);
	free(f->log);
	free(f->cnf);
	tree_remove(f->dir);
}

static inline struct server_spec fixture_spec(const struct fixture *f)
{
	return (struct server_spec){
		.root = &f->root,
		.config = &f->config,
		.arm = &f->config.arms[0],
		.program = &f->program,
		.data_dir = f->data_dir,
		.dir = f->dir,
		.log = f->log,
		.config_path = f->cnf,
		.pool_bytes = UINT64_C(64) << 20,
	};
}

#endif
