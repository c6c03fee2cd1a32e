/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A private mariadbd of one run: own data folder, own socket, no TCP, ended
 * with the run.
 */
#ifndef BENCH_SERVER_H
#define BENCH_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/root.h"
#include "bench/config/config.h"
#include "bench/guard/journal.h"
#include "kern/cgroup.h"

/* A server program that was found, and what it said of itself. */
struct server_program {
	char *path;       /* of mariadbd */
	char *basedir;    /* the folder with share/ and bin/ or scripts/ */
	char *share;      /* its messages: basedir's share/mysql, ... */
	char *lib_path;   /* for LD_LIBRARY_PATH; NULL: the system's */
	char *version;    /* "10.11.19-MariaDB-0+deb12u1" */
	char *install_db; /* mariadb-install-db that belongs to it */
	bool has_pool_size_max; /* innodb_buffer_pool_size_max is known */
	bool has_pool_auto_min; /* innodb_buffer_pool_size_auto_min too */
};

/*
 * Find the mariadbd of the configuration ("system": PATH and sbin;
 * "debian:SUITE": servers.h; else a program, or the folder of an unpacked
 * server) and ask it for its version
 * and its options. Messages, mariadb-install-db and libraries are those of
 * the tree that it lies in. -ENOENT (printed, with what to install), or
 * another -errno (printed) if it does not run or is no MariaDB.
 */
int server_find(const struct server_config *c, struct server_program *out);
void server_program_free(struct server_program *p);

struct server {
	pid_t pid; /* 0: not running */
	char *dir; /* the run's own folder: data, tmp, socket */
	char *data_dir;
	char *socket;
	char *log;    /* error log */
	char *config; /* the configuration file that we wrote */
	uint64_t pool_bytes;
	struct st_mysql *connection; /* NULL until ready */
	int wstatus;                 /* of waitpid once pid is 0 again */
};

struct server_spec {
	const struct root *root;
	const struct config *config;
	const struct arm *arm;
	const struct server_program *program;
	const char *data_dir;        /* prepared.h made it */
	const char *dir;             /* for socket, tmp, log; a short path */
	const char *log;             /* where its error log goes */
	const char *config_path;     /* where its configuration is written */
	uint64_t pool_bytes;         /* what innodb_buffer_pool_size becomes */
	const struct cgroup *cgroup; /* to start in; NULL: none */
	struct journal *journal;     /* its pid goes in; NULL: nobody's */
	/* While it waits for its exec (base/proc.h); NULL: nothing */
	void (*held)(pid_t pid, void *arg);
	void *held_arg;
};

/*
 * Start it (CPU and NUMA placement, cgroup, thp_disable, workloads/mariadb.cnf
 * and my.* keys; every reason stands in that file) and wait until it answers
 * over Connector/C. On failure printed with the last lines of its log, the
 * process gone, -errno: -ENOSPC, -ENOMEM where the log says so, else -EIO;
 * -EINTR if guard_stopped().
 */
int server_start(const struct server_spec *spec, struct server *out);

/* 0 while it lives; once it ended: -EIO, printed with the end of its log. */
int server_check(struct server *s);

/* One row, one column, as a text; NULL on error (printed). free() it. */
char *server_query(struct server *s, const char *sql);

/* SHOW GLOBAL VARIABLES that matter (version, buffer pool, io, allocator). */
int server_variables(struct server *s, struct facts *out);

/* SHOW GLOBAL STATUS: the numbers of these names; NAN if not there. */
int server_status(struct server *s, const char *const *names, size_t n,
		  double *out);

/*
 * Read the tables of the workload through both indexes until all their pages
 * are in the pool. *warm_pct gets pages in the pool against pages of the
 * tables (at most 100): below 99 the run is to be marked. -errno printed.
 */
int server_warm(struct server *s, const struct workload_config *w,
		double *warm_pct);

/*
 * COUNT(*) and MAX(id) of every table against the configuration: 0, or
 * -EPROTO (printed, the table named).
 */
int server_check_rows(struct server *s, const struct workload_config *w);

/*
 * -EIO, printed with the end of its log, if that tells of a crash, else 0. The
 * server may still live then, and even answer: the handler of the signal
 * writes a backtrace, for seconds, in one thread of many.
 */
int server_check_log(const struct server *s);

/*
 * Clean shutdown, at most limit_ns, then SIGKILL. *clean: it did. -EIO, printed
 * with the end of its log, if it ended otherwise than by what we asked for:
 * by a signal that we did not send, or in a crash that its log tells of.
 * limit_ns = 0: at once, and no word of how.
 */
int server_stop(struct server *s, uint64_t limit_ns, bool *clean);
void server_free(struct server *s);

#endif
