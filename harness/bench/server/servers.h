/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MariaDB servers of other suites of the distribution, kept in the cache
 * folder (prepared.h):
 *   servers/SUITE/usr/...    packages as they unpack
 *                 info.tsv   what it is
 */
#ifndef BENCH_SERVERS_H
#define BENCH_SERVERS_H

#include <stdbool.h>

#include "base/facts.h"

struct fetched_server {
	char *suite;
	char *dir;
	struct facts info; /* version, suite, packages, fetched */
};

struct fetched_servers {
	struct fetched_server *list;
	size_t n;
};

/* The suite whose server the autotuning letter used: a default. */
extern const char server_default_suite[];

/* All of them by name; none is no error. 0 or -errno, printed. */
int servers_read(struct fetched_servers *out);
void servers_free(struct fetched_servers *servers);

/*
 * The suite of a name like "debian:bullseye", which is how a configuration
 * names one of these; NULL for other names.
 */
const char *servers_suite(const char *mariadbd);

/* The folder of a suite's server, there or not. free() it. */
char *servers_dir(const char *suite);

/*
 * Get the server of a suite: its core, and the libraries that this machine
 * does not have. *was_there: the same version was. tell may be NULL. 0 or
 * -errno, printed: -ENOENT no such suite, -ENOTSUP apt cannot, or the server
 * does not run here, -ENOSPC.
 */
int server_fetch(const char *suite, void (*tell)(const char *what),
		 struct fetched_server *out, bool *was_there);
void fetched_server_free(struct fetched_server *s);

#endif
