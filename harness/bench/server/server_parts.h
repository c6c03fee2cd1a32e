/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of bench/server/server.h among themselves. */
#ifndef BENCH_SERVER_PARTS_H
#define BENCH_SERVER_PARTS_H

#include "base/str.h"
#include "bench/server/server.h"

/* server_env.c: what a server finds in its environment */

/* LD_LIBRARY_PATH of its own libraries, if it has any, before ours. */
void server_env_libs(const struct server_program *program, struct facts *env);
/*
 * All of it: libraries, the arm's env.*, and with block LD_PRELOAD of
 * libthpkeep.so before the arm's or our own. arm may be NULL. 0, or -ENOENT
 * or -EINVAL (printed) where the library is not there or cannot be named.
 */
int server_env(const struct server_program *program, const struct arm *arm,
	       enum thp_disable thp_disable, struct facts *env);
/* "NAME=value" for base/proc.h, one block: free() it. */
const char **server_env_list(const struct facts *env);

/* server_fits.c */

/*
 * 0, or printed: -ENAMETOOLONG for a socket's path, -ENOMEM for a pool bigger
 * than the memory that is available.
 */
int server_fits(const struct server_spec *spec, const char *socket);

/* server_cnf.c: its configuration */

/*
 * The text of the file that it is started with: workloads/mariadb.cnf, then
 * what this run computes, then my.*. NULL if mariadb.cnf is not there
 * (printed). free() it.
 */
char *server_cnf_text(const struct server_spec *spec, const char *socket);
/* name="value" as an option file takes it, any text whole. Line added. */
void server_cnf_add(struct str *out, const char *name, const char *value);

/* server_log.c: its error log, after something went wrong */

/*
 * The lines that matter: its first errors, else the last lines; each on a line
 * of its own, indented, a newline before it. "" for none. free() it.
 */
char *server_log_end(const char *path);
/* -ENOSPC or -ENOMEM where the log speaks of it, else -EIO. */
int server_log_error(const char *path);
/* It says that a signal was caught that nobody sends in peace. */
bool server_log_crashed(const char *path);
/* Say how and when it ended, with the end of its log; server_log_error(). */
int server_tell_end(const struct server *s, const char *when);

/* server_sql.c */

/* A statement that gives no rows. 0 or -EIO, printed. */
int server_exec(struct server *s, const char *sql);

struct st_mysql_res;
/* The rows of a statement; NULL on error (printed). mysql_free_result(). */
struct st_mysql_res *server_rows(struct server *s, const char *sql);

/* server.c */

/* Reap it if it ended; 1 if it is gone. */
int server_has_ended(struct server *s);
/* Remove socket and pid file of a server that was killed. Silent. */
void server_remove_traces(const char *dir);

#endif
