/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A database of either kind behind one face: the same queries for both. What
 * they do not have in common is in struct sql_kind.
 *
 * All return 0 or -errno and are silent; sql_why() says more. -EAGAIN: the
 * server cannot be reached, went away, or another writer took too long; what
 * was not committed is undone, and it can be tried again. -EACCES: not
 * allowed. -EIO: all else.
 */
#ifndef DATA_SQL_H
#define DATA_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/history/sql_url.h"

struct sql;

enum sql_type { SQL_NULL, SQL_TEXT, SQL_REAL, SQL_WHOLE };

/* An argument of a query, or a cell of its answer. */
struct sql_value {
	enum sql_type type;
	const char *text; /* SQL_TEXT; of a cell: until the next row */
	double real;
	int64_t whole;
};

struct sql_value sql_text(const char *text); /* NULL: SQL_NULL */
struct sql_value sql_real(double real);
struct sql_value sql_whole(int64_t whole);

/* One row of an answer; what is not 0 ends it and is returned by sql_query().
 */
typedef int sql_row_fn(void *arg, const struct sql_value *cells, size_t n);

/* A query: '?' stands for its arguments in turn. */
struct sql_query {
	const char *text;
	const struct sql_value *args;
	size_t n_args;
	sql_row_fn *row; /* NULL: no answer is wanted */
	void *arg;
};

/* What one kind of database does its own way. */
struct sql_kind {
	/* Behind the columns of CREATE TABLE. */
	const char *table_end;
	const char *list_tables; /* a query: their names */
	/* Connect; may_make: where there is none, make one. */
	int (*open)(struct sql *db, const struct sql_url *url, bool may_make);
	void (*close)(struct sql *db);
	int (*query)(struct sql *db, const struct sql_query *q);
	/* Begin a transaction that no other writer shares. */
	int (*begin)(struct sql *db);
	int (*commit)(struct sql *db);
	void (*rollback)(struct sql *db);
	/*
	 * Keep others from making and changing tables, and end that: where it
	 * went wrong, and the kind can, it is undone.
	 */
	int (*lock)(struct sql *db);
	int (*unlock)(struct sql *db, bool is_good);
};

extern const struct sql_kind sql_sqlite;
extern const struct sql_kind sql_mariadb;

struct sql {
	const struct sql_kind *kind;
	struct sql_url url;
	void *handle;
	char *why;
};

/*
 * Takes url. An SQLite file that is not there is made, with its folders, if
 * may_make; else -ENOENT. sql_close() it in either case.
 */
int sql_open(struct sql *db, struct sql_url *url, bool may_make);
void sql_close(struct sql *db);
/* Connect anew, after -EAGAIN; what was open in it is gone. */
int sql_reopen(struct sql *db);

int sql_query(struct sql *db, const struct sql_query *q);
/* A query without arguments and answer. */
int sql_exec(struct sql *db, const char *text);

/*
 * "INSERT INTO table (columns) VALUES" and as many rows of width values as
 * there are, several at a time.
 */
int sql_insert(struct sql *db, const char *into, const struct sql_value *values,
	       size_t width, size_t n_rows);

/* Where it is, and what the last error was: one sentence. Not owned. */
const char *sql_why(const struct sql *db);
/* For kinds: keep the reason, return err. */
int sql_fail(struct sql *db, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
