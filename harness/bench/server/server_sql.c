/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a running server, by Connector/C. */
#include <errno.h>
#include <math.h>
#include <mysql.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/server/server_parts.h"

/* The death of the server is the better message. */
static void tell_error(struct server *s, const char *sql)
{
	if (server_check(s) == 0)
		refuse(-EIO, "mariadbd: %s: %s", sql,
		       mysql_errno(s->connection) ? mysql_error(s->connection)
						  : "no rows");
}

int server_exec(struct server *s, const char *sql)
{
	if (mysql_query(s->connection, sql) == 0)
		return 0;
	tell_error(s, sql);
	return -EIO;
}

MYSQL_RES *server_rows(struct server *s, const char *sql)
{
	MYSQL_RES *rows = NULL;

	if (!s->connection) {
		refuse(-ENOTCONN, "mariadbd is not running: %s", sql);
		return NULL;
	}
	if (mysql_query(s->connection, sql) == 0)
		rows = mysql_store_result(s->connection);
	if (rows)
		return rows;
	tell_error(s, sql);
	return NULL;
}

char *server_query(struct server *s, const char *sql)
{
	MYSQL_RES *rows = server_rows(s, sql);
	MYSQL_ROW row;
	char *text = NULL;

	if (!rows)
		return NULL;
	row = mysql_fetch_row(rows);
	if (row && row[0])
		text = xstrdup(row[0]);
	else
		refuse(-ENODATA, "mariadbd: %s: no answer", sql);
	mysql_free_result(rows);
	return text;
}

int server_variables(struct server *s, struct facts *out)
{
	/* Those that a reader of the record may ask about. */
	static const char names[] =
		"SHOW GLOBAL VARIABLES WHERE Variable_name IN ("
		"'version', 'version_comment', 'version_compile_machine', "
		"'version_malloc_library', 'version_ssl_library', "
		"'large_pages', 'performance_schema', 'query_cache_type', "
		"'log_bin', 'max_connections', 'thread_handling', "
		"'table_open_cache', 'open_files_limit', 'tmpdir', "
		"'character_set_server', 'collation_server', "
		"'aria_pagecache_buffer_size', 'key_buffer_size') "
		"OR Variable_name LIKE 'innodb\\_buffer\\_pool\\_%' "
		"OR Variable_name LIKE 'innodb\\_flush\\_%' "
		"OR Variable_name LIKE 'innodb\\_io\\_%' "
		"OR Variable_name LIKE 'innodb\\_log\\_%' "
		"OR Variable_name LIKE 'innodb\\_%\\_io\\_threads' "
		"OR Variable_name IN ('innodb_adaptive_hash_index', "
		"'innodb_doublewrite', 'innodb_lru_scan_depth', "
		"'innodb_page_size', 'innodb_purge_threads', "
		"'innodb_stats_auto_recalc', 'innodb_undo_tablespaces', "
		"'innodb_use_native_aio')";
	MYSQL_RES *rows = server_rows(s, names);
	MYSQL_ROW row;

	if (!rows)
		return -EIO;
	while ((row = mysql_fetch_row(rows)))
		facts_set(out, row[0], row[1] ? row[1] : "");
	mysql_free_result(rows);
	return 0;
}

static void put_number(const char *const *names, size_t n, MYSQL_ROW row,
		       double *out)
{
	double value;

	for (size_t i = 0; i < n; i++)
		if (strcasecmp(names[i], row[0]) == 0 && row[1] &&
		    num_double(row[1], &value) == 0)
			out[i] = value;
}

int server_status(struct server *s, const char *const *names, size_t n,
		  double *out)
{
	auto_str struct str sql = { 0 };
	MYSQL_RES *rows;
	MYSQL_ROW row;

	str_add(&sql, "SHOW GLOBAL STATUS WHERE Variable_name IN (''");
	for (size_t i = 0; i < n; i++) {
		out[i] = (double)NAN;
		str_addf(&sql, ", '%s'", names[i]);
	}
	str_add(&sql, ")");
	rows = server_rows(s, sql.text);
	if (!rows)
		return -EIO;
	while ((row = mysql_fetch_row(rows)))
		put_number(names, n, row, out);
	mysql_free_result(rows);
	return 0;
}
