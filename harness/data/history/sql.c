/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/history/sql.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* So that a query has fewer than 999 arguments, SQLite's old limit. */
enum { MOST_ARGS = 900 };

struct sql_value sql_text(const char *text)
{
	return (struct sql_value){ .type = text ? SQL_TEXT : SQL_NULL,
				   .text = text };
}

struct sql_value sql_real(double real)
{
	return (struct sql_value){ .type = SQL_REAL, .real = real };
}

struct sql_value sql_whole(int64_t whole)
{
	return (struct sql_value){ .type = SQL_WHOLE, .whole = whole };
}

/* "mariadb://db1:3307/thp"; free() it. */
static char *where(const struct sql_url *u)
{
	auto_free char *port =
		u->port ? xasprintf(":%u", u->port) : xstrdup("");
	const char *host = u->host ? u->host : "";
	bool is_ip6 = strchr(host, ':');

	if (!u->is_mariadb)
		return xstrdup(u->path);
	if (u->socket)
		return xasprintf("mariadb://%s/%s", u->socket, u->database);
	return xasprintf("mariadb://%s%s%s%s/%s", is_ip6 ? "[" : "", host,
			 is_ip6 ? "]" : "", port, u->database);
}

int sql_fail(struct sql *db, int err, const char *fmt, ...)
{
	auto_free char *place = where(&db->url);
	auto_free char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	free(db->why);
	db->why = xasprintf("%s: %s", place, text);
	return err;
}

const char *sql_why(const struct sql *db)
{
	return db->why ? db->why : "no error";
}

int sql_open(struct sql *db, struct sql_url *url, bool may_make)
{
	*db = (struct sql){
		.kind = url->is_mariadb ? &sql_mariadb : &sql_sqlite,
		.url = *url,
	};
	*url = (struct sql_url){ 0 };
	return db->kind->open(db, &db->url, may_make);
}

void sql_close(struct sql *db)
{
	if (!db->kind)
		return;
	db->kind->close(db);
	sql_url_free(&db->url);
	free(db->why);
	*db = (struct sql){ 0 };
}

int sql_reopen(struct sql *db)
{
	db->kind->close(db);
	return db->kind->open(db, &db->url, false);
}

int sql_query(struct sql *db, const struct sql_query *q)
{
	return db->kind->query(db, q);
}

int sql_exec(struct sql *db, const char *text)
{
	struct sql_query q = { .text = text };

	return db->kind->query(db, &q);
}

/* "(?, ?), (?, ?)" */
static void add_places(struct str *out, size_t width, size_t n_rows)
{
	for (size_t row = 0; row < n_rows; row++) {
		str_add(out, row ? ", (" : " (");
		for (size_t i = 0; i < width; i++)
			str_add(out, i ? ", ?" : "?");
		str_add(out, ")");
	}
}

int sql_insert(struct sql *db, const char *into, const struct sql_value *values,
	       size_t width, size_t n_rows)
{
	size_t most = MOST_ARGS / width;
	int ret = 0;

	for (size_t row = 0; !ret && row < n_rows; row += most) {
		size_t n = n_rows - row < most ? n_rows - row : most;
		auto_str struct str text = { 0 };
		struct sql_query q = {
			.args = values + row * width,
			.n_args = n * width,
		};

		str_add(&text, into);
		add_places(&text, width, n);
		q.text = text.text;
		ret = sql_query(db, &q);
	}
	return ret;
}
