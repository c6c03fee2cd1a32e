/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history that a team shares, in a MariaDB server, by Connector/C. */
#include <errno.h>
#include <mysql.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "data/history/sql.h"

/* Seconds: a server that does not answer is not waited for without end. */
static const unsigned int connect_s = 10;
static const unsigned int answer_s = 120;
#define LOCK_S "30"

/* Both are writers' locks: one row, and a name. */
#define LOCK_ROW "SELECT value FROM meta WHERE name = 'version' FOR UPDATE"
#define LOCK_NAME "'thpbench history'"

/* mysqld_error.h and errmsg.h: which of their numbers mean what. */
static const struct {
	unsigned int code;
	int err;
} codes[] = {
	{ 2002, -EAGAIN }, /* no such socket, or nobody listens there */
	{ 2003, -EAGAIN }, /* the same of a port */
	{ 2005, -EAGAIN }, /* no such host */
	{ 2006, -EAGAIN }, /* gone away */
	{ 2013, -EAGAIN }, /* lost while it was asked */
	{ 1040, -EAGAIN }, /* too many connections */
	{ 1053, -EAGAIN }, /* it shuts down */
	{ 1077, -EAGAIN }, /* the same, orderly */
	{ 1205, -EAGAIN }, /* another writer took too long */
	{ 1213, -EAGAIN }, /* a deadlock: undone */
	{ 1927, -EAGAIN }, /* the connection was killed */
	{ 1044, -EACCES }, /* not this database */
	{ 1045, -EACCES }, /* not this user, or another password */
	{ 1142, -EACCES }, /* not this table */
	{ 1698, -EACCES }, /* not this user by this socket */
	{ 1021, -ENOSPC }, /* its disk is full */
};

/*
 * What is wrong with TLS has one number. A certificate that is not good stays
 * so; a connection that ends, as the server does, is as good as any other that
 * is lost. The system's errors come with theirs: "...(104)".
 */
static bool is_lost(unsigned int code, const char *text)
{
	enum { TLS_ERROR = 2026 };

	return code == TLS_ERROR &&
	       (str_ends(text, ")") || strstr(text, "unexpected eof"));
}

static int fail_code(struct sql *db, unsigned int code, const char *text)
{
	int err = -EIO;

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		if (codes[i].code == code)
			err = codes[i].err;
	if (is_lost(code, text))
		err = -EAGAIN;
	return sql_fail(db, err, "%s", text);
}

static int fail_server(struct sql *db)
{
	return fail_code(db, mysql_errno(db->handle), mysql_error(db->handle));
}

static int fail_statement(struct sql *db, MYSQL_STMT *stmt)
{
	return fail_code(db, mysql_stmt_errno(stmt), mysql_stmt_error(stmt));
}

/*
 * Connector/C reads an option file as it connects, over all that was set
 * before. So it connects to where nobody can listen, and keeps the options.
 */
static void read_option_file(MYSQL *my, const char *path)
{
	enum { NOBODYS_PORT = 1 };

	mysql_optionsv(my, MYSQL_READ_DEFAULT_FILE, path);
	mysql_optionsv(my, MYSQL_READ_DEFAULT_GROUP, "thpbench");
	mysql_real_connect(my, "localhost", NULL, NULL, NULL, NOBODYS_PORT,
			   "/dev/null/no socket", CLIENT_REMEMBER_OPTIONS);
}

static void set_options(MYSQL *my, const struct sql_url *u)
{
	const my_bool yes = 1;
	const unsigned int tcp = MYSQL_PROTOCOL_TCP;

	mysql_optionsv(my, MYSQL_OPT_CONNECT_TIMEOUT, &connect_s);
	mysql_optionsv(my, MYSQL_OPT_READ_TIMEOUT, &answer_s);
	mysql_optionsv(my, MYSQL_OPT_WRITE_TIMEOUT, &answer_s);
	mysql_optionsv(my, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	mysql_optionsv(my, MYSQL_INIT_COMMAND,
		       "SET SESSION sql_mode = 'STRICT_ALL_TABLES', "
		       "innodb_lock_wait_timeout = " LOCK_S);
	if (u->option_file)
		read_option_file(my, u->option_file);
	if (u->socket)
		return;
	/* Else "localhost" would be the usual socket, whatever the port. */
	if (u->host)
		mysql_optionsv(my, MYSQL_OPT_PROTOCOL, &tcp);
	/* Last, so that no option file switches it off. */
	mysql_optionsv(my, MYSQL_OPT_SSL_ENFORCE, &yes);
	mysql_optionsv(my, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
	if (u->tls_ca)
		mysql_optionsv(my, MYSQL_OPT_SSL_CA, u->tls_ca);
}

static int open_server(struct sql *db, const struct sql_url *u, bool may_make)
{
	const char *password = getenv("THPBENCH_STORE_PASSWORD");
	MYSQL *my = mysql_init(NULL);

	(void)may_make; /* a database is made by whoever runs the server */
	if (!my)
		abort();
	db->handle = my;
	set_options(my, u);
	/* CLIENT_FOUND_ROWS is not wanted, LOAD DATA LOCAL neither. */
	if (mysql_real_connect(my, u->host, u->user, password, u->database,
			       u->port, u->socket, 0))
		return 0;
	return fail_server(db);
}

static void close_server(struct sql *db)
{
	if (db->handle)
		mysql_close(db->handle);
	db->handle = NULL;
}

/* --- arguments --- */

static void bind_arg(MYSQL_BIND *bind, const struct sql_value *v)
{
	switch (v->type) {
	case SQL_NULL:
		bind->buffer_type = MYSQL_TYPE_NULL;
		break;
	case SQL_TEXT:
		bind->buffer_type = MYSQL_TYPE_STRING;
		bind->buffer = (void *)v->text;
		bind->buffer_length = strlen(v->text);
		break;
	case SQL_REAL:
		bind->buffer_type = MYSQL_TYPE_DOUBLE;
		bind->buffer = (void *)&v->real;
		break;
	case SQL_WHOLE:
		bind->buffer_type = MYSQL_TYPE_LONGLONG;
		bind->buffer = (void *)&v->whole;
		break;
	}
}

static int execute(struct sql *db, MYSQL_STMT *stmt, const struct sql_query *q)
{
	auto_free MYSQL_BIND *args = xcalloc(q->n_args + 1, sizeof(*args));

	if (mysql_stmt_prepare(stmt, q->text, strlen(q->text)))
		return fail_statement(db, stmt);
	if (mysql_stmt_param_count(stmt) != q->n_args)
		return sql_fail(db, -EIO, "%s: another number of arguments",
				q->text);
	for (size_t i = 0; i < q->n_args; i++)
		bind_arg(&args[i], &q->args[i]);
	if (mysql_stmt_bind_param(stmt, args) || mysql_stmt_execute(stmt))
		return fail_statement(db, stmt);
	return 0;
}

/* --- answers --- */

struct answer {
	size_t n;
	MYSQL_BIND *binds;
	struct sql_value *cells;
	char **texts;
	my_bool *is_null;
};

static enum sql_type type_of(const MYSQL_FIELD *field)
{
	switch ((int)field->type) {
	case MYSQL_TYPE_DOUBLE:
	case MYSQL_TYPE_FLOAT:
		return SQL_REAL;
	case MYSQL_TYPE_TINY:
	case MYSQL_TYPE_SHORT:
	case MYSQL_TYPE_INT24:
	case MYSQL_TYPE_LONG:
	case MYSQL_TYPE_LONGLONG:
		return SQL_WHOLE;
	default:
		return SQL_TEXT;
	}
}

static void bind_cell(struct answer *a, size_t i, const MYSQL_FIELD *field)
{
	MYSQL_BIND *bind = &a->binds[i];
	struct sql_value *cell = &a->cells[i];

	cell->type = type_of(field);
	bind->is_null = &a->is_null[i];
	if (cell->type == SQL_REAL) {
		bind->buffer_type = MYSQL_TYPE_DOUBLE;
		bind->buffer = &cell->real;
	} else if (cell->type == SQL_WHOLE) {
		bind->buffer_type = MYSQL_TYPE_LONGLONG;
		bind->buffer = &cell->whole;
	} else {
		a->texts[i] = xcalloc(field->max_length + 1, 1);
		cell->text = a->texts[i];
		bind->buffer_type = MYSQL_TYPE_STRING;
		bind->buffer = a->texts[i];
		bind->buffer_length = field->max_length + 1;
	}
}

static void answer_free(struct answer *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->texts[i]);
	free(a->binds);
	free(a->cells);
	free(a->texts);
	free(a->is_null);
}

static int give_rows(struct sql *db, MYSQL_STMT *stmt,
		     const struct sql_query *q, struct answer *a)
{
	auto_free struct sql_value *given = xcalloc(a->n + 1, sizeof(*given));
	int code;

	if (mysql_stmt_bind_result(stmt, a->binds))
		return fail_statement(db, stmt);
	while ((code = mysql_stmt_fetch(stmt)) == 0) {
		int ret;

		for (size_t i = 0; i < a->n; i++)
			given[i] = a->is_null[i] ? sql_text(NULL) : a->cells[i];
		ret = q->row ? q->row(q->arg, given, a->n) : 0;
		if (ret)
			return ret;
	}
	return code == MYSQL_NO_DATA ? 0 : fail_statement(db, stmt);
}

/* The whole answer comes first: only then is the longest text known. */
static int take_answer(struct sql *db, MYSQL_STMT *stmt,
		       const struct sql_query *q)
{
	const my_bool yes = 1;
	MYSQL_RES *fields;
	struct answer a = { .n = mysql_stmt_field_count(stmt) };
	int ret;

	if (!a.n)
		return 0;
	mysql_stmt_attr_set(stmt, STMT_ATTR_UPDATE_MAX_LENGTH, &yes);
	if (mysql_stmt_store_result(stmt))
		return fail_statement(db, stmt);
	fields = mysql_stmt_result_metadata(stmt);
	if (!fields)
		return fail_statement(db, stmt);
	a.binds = xcalloc(a.n, sizeof(*a.binds));
	a.cells = xcalloc(a.n, sizeof(*a.cells));
	a.texts = xcalloc(a.n, sizeof(*a.texts));
	a.is_null = xcalloc(a.n, sizeof(*a.is_null));
	for (size_t i = 0; i < a.n; i++)
		bind_cell(&a, i,
			  mysql_fetch_field_direct(fields, (unsigned int)i));
	mysql_free_result(fields);
	ret = give_rows(db, stmt, q, &a);
	answer_free(&a);
	return ret;
}

static int query_server(struct sql *db, const struct sql_query *q)
{
	MYSQL_STMT *stmt;
	int ret;

	if (!db->handle)
		return sql_fail(db, -EAGAIN, "not connected");
	stmt = mysql_stmt_init(db->handle);
	if (!stmt)
		abort();
	ret = execute(db, stmt, q);
	if (!ret)
		ret = take_answer(db, stmt, q);
	mysql_stmt_close(stmt);
	return ret;
}

/* --- transactions --- */

static int plain(struct sql *db, const char *text)
{
	return mysql_query(db->handle, text) ? fail_server(db) : 0;
}

static int begin_server(struct sql *db)
{
	int ret = plain(db, "START TRANSACTION");

	return ret ? ret : sql_exec(db, LOCK_ROW);
}

static int commit_server(struct sql *db)
{
	return plain(db, "COMMIT");
}

static void rollback_server(struct sql *db)
{
	/* By hand: the reason of the failure is the one to keep. */
	if (db->handle)
		mysql_query(db->handle, "ROLLBACK");
}

static int take_lock(void *arg, const struct sql_value *cells, size_t n)
{
	bool *is_ours = arg;

	*is_ours = n && cells[0].type == SQL_WHOLE && cells[0].whole == 1;
	return 0;
}

static int lock_server(struct sql *db)
{
	bool is_ours = false;
	struct sql_query q = {
		.text = "SELECT GET_LOCK(" LOCK_NAME ", " LOCK_S ")",
		.row = take_lock,
		.arg = &is_ours,
	};
	int ret = sql_query(db, &q);

	if (ret || is_ours)
		return ret;
	return sql_fail(db, -EAGAIN,
			"another client changes its tables for more "
			"than " LOCK_S " s");
}

/* Changes of tables are not undone there: each stands for itself. */
static int unlock_server(struct sql *db, bool is_good)
{
	(void)is_good;
	/* The end of the connection would end it too. */
	if (db->handle)
		mysql_query(db->handle, "DO RELEASE_LOCK(" LOCK_NAME ")");
	return 0;
}

const struct sql_kind sql_mariadb = {
	.table_end = " ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 "
		     "COLLATE = utf8mb4_bin",
	.list_tables = "SELECT table_name FROM information_schema.tables "
		       "WHERE table_schema = DATABASE()",
	.open = open_server,
	.close = close_server,
	.query = query_server,
	.begin = begin_server,
	.commit = commit_server,
	.rollback = rollback_server,
	.lock = lock_server,
	.unlock = unlock_server,
};
