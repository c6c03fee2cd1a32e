/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A history in one file, by SQLite. */
#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "data/history/sql.h"

/* How long another writer is waited for. */
enum { WAIT_MS = 30000 };

static int fail_sqlite(struct sql *db)
{
	static const struct {
		int code;
		int err;
	} kinds[] = {
		{ SQLITE_BUSY, -EAGAIN },     { SQLITE_LOCKED, -EAGAIN },
		{ SQLITE_READONLY, -EACCES }, { SQLITE_PERM, -EACCES },
		{ SQLITE_CANTOPEN, -EACCES }, { SQLITE_FULL, -ENOSPC },
	};
	int code = sqlite3_errcode(db->handle);
	int err = -EIO;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if ((code & 0xff) == kinds[i].code)
			err = kinds[i].err;
	return sql_fail(db, err, "%s", sqlite3_errmsg(db->handle));
}

static int make_folder(struct sql *db, const char *path)
{
	const char *slash = strrchr(path, '/');
	auto_free char *dir = NULL;
	int ret;

	if (!slash || slash == path)
		return 0;
	dir = xstrndup(path, (size_t)(slash - path));
	ret = file_mkdirs(dir);
	return ret ? sql_fail(db, ret, "make %s: %s", dir, strerror(-ret)) : 0;
}

static int open_file(struct sql *db, const struct sql_url *url, bool may_make)
{
	sqlite3 *handle = NULL;
	int flags = SQLITE_OPEN_READWRITE;
	int code;

	if (!may_make && access(url->path, F_OK))
		return sql_fail(db, -errno, "%s", strerror(errno));
	if (may_make) {
		int ret = make_folder(db, url->path);

		if (ret)
			return ret;
		flags |= SQLITE_OPEN_CREATE;
	}
	code = sqlite3_open_v2(url->path, &handle, flags, NULL);
	db->handle = handle;
	if (code != SQLITE_OK)
		return fail_sqlite(db);
	sqlite3_busy_timeout(handle, WAIT_MS);
	/* What is committed is on the disk, should the machine then fail. */
	return sql_exec(db, "PRAGMA synchronous = FULL");
}

static void close_file(struct sql *db)
{
	sqlite3_close(db->handle);
	db->handle = NULL;
}

static int bind(sqlite3_stmt *stmt, const struct sql_query *q)
{
	int code = SQLITE_OK;

	for (size_t i = 0; i < q->n_args && code == SQLITE_OK; i++) {
		const struct sql_value *v = &q->args[i];
		int at = (int)i + 1;

		switch (v->type) {
		case SQL_NULL:
			code = sqlite3_bind_null(stmt, at);
			break;
		case SQL_TEXT:
			code = sqlite3_bind_text(stmt, at, v->text, -1,
						 SQLITE_STATIC);
			break;
		case SQL_REAL:
			code = sqlite3_bind_double(stmt, at, v->real);
			break;
		case SQL_WHOLE:
			code = sqlite3_bind_int64(stmt, at, v->whole);
			break;
		}
	}
	return code;
}

static struct sql_value cell(sqlite3_stmt *stmt, int i)
{
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		return sql_whole(sqlite3_column_int64(stmt, i));
	case SQLITE_FLOAT:
		return sql_real(sqlite3_column_double(stmt, i));
	case SQLITE_NULL:
		return sql_text(NULL);
	default:
		return sql_text((const char *)sqlite3_column_text(stmt, i));
	}
}

static int give_row(sqlite3_stmt *stmt, const struct sql_query *q)
{
	int n = sqlite3_column_count(stmt);
	auto_free struct sql_value *cells =
		xcalloc((size_t)n + 1, sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = cell(stmt, i);
	return q->row ? q->row(q->arg, cells, (size_t)n) : 0;
}

static int query_file(struct sql *db, const struct sql_query *q)
{
	sqlite3_stmt *stmt = NULL;
	int code = sqlite3_prepare_v2(db->handle, q->text, -1, &stmt, NULL);
	int ret = 0;

	if (code == SQLITE_OK)
		code = bind(stmt, q);
	if (code != SQLITE_OK) {
		ret = fail_sqlite(db);
		sqlite3_finalize(stmt);
		return ret;
	}
	while (!ret && (code = sqlite3_step(stmt)) == SQLITE_ROW)
		ret = give_row(stmt, q);
	if (!ret && code != SQLITE_DONE)
		ret = fail_sqlite(db);
	sqlite3_finalize(stmt);
	return ret;
}

/* IMMEDIATE: what is read in it does not change before we write. */
static int begin_file(struct sql *db)
{
	return sql_exec(db, "BEGIN IMMEDIATE");
}

static int commit_file(struct sql *db)
{
	return sql_exec(db, "COMMIT");
}

static void rollback_file(struct sql *db)
{
	/* By hand: the reason of the failure is the one to keep. */
	sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

static int unlock_file(struct sql *db, bool is_good)
{
	if (is_good)
		return commit_file(db);
	rollback_file(db);
	return 0;
}

const struct sql_kind sql_sqlite = {
	.table_end = "",
	.list_tables = "SELECT name FROM sqlite_master WHERE type = 'table'",
	.open = open_file,
	.close = close_file,
	.query = query_file,
	.begin = begin_file,
	.commit = commit_file,
	.rollback = rollback_file,
	.lock = begin_file,
	.unlock = unlock_file,
};
