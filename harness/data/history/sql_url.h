/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a history is kept, as --store has it: the path of an SQLite file, or
 *   mariadb://USER@HOST[:PORT]/DATABASE[?tls_ca=FILE&option_file=FILE]
 *   mariadb://[USER@]/DATABASE?socket=PATH[&option_file=FILE]
 * HOST is a name or an address, one of IPv6 in brackets. %XX stands for a byte.
 * A password is never part of it: command lines are seen by others.
 */
#ifndef DATA_SQL_URL_H
#define DATA_SQL_URL_H

#include <stdbool.h>
#include <stdint.h>

struct sql_url {
	bool is_mariadb;
	char *path; /* SQLite */
	char *user; /* NULL: of the option file, or who we are */
	char *host;
	uint16_t port; /* 0: the usual */
	char *database;
	char *socket;      /* a path; no host then */
	char *option_file; /* as my.cnf(5): groups client and thpbench */
	char *tls_ca;      /* certificates to trust */
};

/*
 * Silent. 0, or -EINVAL with *why (free() it) set to what is wrong and what
 * would be right; out is then empty.
 */
int sql_url_parse(const char *text, struct sql_url *out, char **why);
void sql_url_free(struct sql_url *url); /* and empties it */

/*
 * Without --store: $THPBENCH_STORE, or thpbench/history.db below
 * $XDG_DATA_HOME or ~/.local/share. free() it; NULL: no home.
 */
char *sql_url_default(void);

#endif
