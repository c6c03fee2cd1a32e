/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the workload: all there, and all in the buffer pool. */
#include <errno.h>
#include <mysql.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guard/guard.h"
#include "bench/server/server_parts.h"

enum { MOST_PASSES = 3 };

/* Every row of the tables by way of every index, the clustered one first. */
static const char scans_sql[] =
	"SELECT CONCAT('SELECT COUNT(*) FROM sbtest.`', TABLE_NAME, "
	"'` USE INDEX ()') AS s, TABLE_NAME AS t, 0 AS o "
	"FROM information_schema.TABLES "
	"WHERE TABLE_SCHEMA = 'sbtest' AND TABLE_TYPE = 'BASE TABLE' "
	"UNION ALL "
	"SELECT CONCAT('SELECT COUNT(`', COLUMN_NAME, '`) FROM sbtest.`', "
	"TABLE_NAME, '` FORCE INDEX (`', INDEX_NAME, '`)'), TABLE_NAME, 1 "
	"FROM information_schema.STATISTICS "
	"WHERE TABLE_SCHEMA = 'sbtest' AND SEQ_IN_INDEX = 1 "
	"AND INDEX_NAME <> 'PRIMARY' ORDER BY t, o";

/*
 * Pages that rows are in. The lengths of information_schema.TABLES count the
 * reserved ones of a segment too, which nothing ever reads.
 */
static const char pages_sql[] =
	"SELECT COALESCE((SELECT SUM(stat_value) FROM mysql.innodb_index_stats "
	"WHERE database_name = 'sbtest' AND stat_name = 'n_leaf_pages'), "
	"(SELECT SUM(DATA_LENGTH + INDEX_LENGTH) DIV @@innodb_page_size "
	"FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'sbtest'), 0)";

static int scan_all(struct server *s)
{
	MYSQL_RES *rows = server_rows(s, scans_sql);
	MYSQL_ROW row;
	int ret = rows ? 0 : -EIO;

	while (!ret && (row = mysql_fetch_row(rows))) {
		auto_free char *count = server_query(s, row[0]);

		ret = count ? 0 : -EIO;
		if (guard_stopped())
			ret = -EINTR;
	}
	if (rows)
		mysql_free_result(rows);
	return ret;
}

/*
 * One pass: how much of the tables need not be read from the disk again, and
 * is in the pool.
 */
static int scan_and_judge(struct server *s, double pages, double *pct)
{
	static const char *const names[] = { "Innodb_pages_read",
					     "Innodb_buffer_pool_pages_data" };
	double before[ARRAY_SIZE(names)];
	double after[ARRAY_SIZE(names)];
	double held;
	int ret = server_status(s, names, ARRAY_SIZE(names), before);

	if (!ret)
		ret = scan_all(s);
	if (!ret)
		ret = server_status(s, names, ARRAY_SIZE(names), after);
	if (ret)
		return ret;
	*pct = 100 * (1 - (after[0] - before[0]) / pages);
	held = 100 * after[1] / pages;
	if (*pct > held)
		*pct = held;
	if (!(*pct >= 0)) /* NAN too */
		*pct = 0;
	return 0;
}

int server_warm(struct server *s, const struct workload_config *w,
		double *warm_pct)
{
	auto_free char *text = server_query(s, pages_sql);
	double pages = 0;
	int ret;

	if (!text)
		return -EIO;
	if (num_double(text, &pages) || pages < 1)
		return refuse(-EPROTO,
			      "the %u tables of the workload have no pages: "
			      "\"%s\"",
			      w->tables, text);
	for (int pass = 0; pass < MOST_PASSES; pass++) {
		ret = scan_and_judge(s, pages, warm_pct);
		if (ret || *warm_pct > 99.9)
			return ret;
	}
	return 0;
}

static int check_table(struct server *s, const char *name, uint64_t size)
{
	auto_free char *sql =
		xasprintf("SELECT CONCAT(COUNT(*), ' rows, the last id ', "
			  "COALESCE(MAX(id), 0)) FROM sbtest.`%s`",
			  name);
	auto_free char *want =
		xasprintf("%llu rows, the last id %llu",
			  (unsigned long long)size, (unsigned long long)size);
	auto_free char *got = server_query(s, sql);

	if (!got)
		return -EPROTO;
	if (str_eq(got, want))
		return 0;
	return refuse(-EPROTO, "table sbtest.%s has %s; it should have %s",
		      name, got, want);
}

/* Somebody else's script: tables that we know nothing of, but that rows. */
static int check_foreign(struct server *s)
{
	static const char sql[] =
		"SELECT TABLE_NAME FROM information_schema.TABLES "
		"WHERE TABLE_SCHEMA = 'sbtest' AND TABLE_TYPE = 'BASE TABLE'";
	MYSQL_RES *rows = server_rows(s, sql);
	MYSQL_ROW row;
	int ret = 0;

	if (!rows)
		return -EPROTO;
	if (mysql_num_rows(rows) == 0)
		ret = refuse(-EPROTO, "the workload's script made no table in "
				      "the database sbtest");
	while (!ret && (row = mysql_fetch_row(rows))) {
		auto_free char *any =
			xasprintf("SELECT EXISTS(SELECT 1 FROM sbtest.`%s`)",
				  row[0]);
		auto_free char *got = server_query(s, any);

		if (!got)
			ret = -EPROTO;
		else if (str_eq(got, "0"))
			ret = refuse(-EPROTO, "table sbtest.%s is empty",
				     row[0]);
	}
	mysql_free_result(rows);
	return ret;
}

int server_check_rows(struct server *s, const struct workload_config *w)
{
	int ret = 0;

	if (strchr(w->script, '/') || str_ends(w->script, ".lua"))
		return check_foreign(s);
	for (unsigned int i = 1; i <= w->tables && !ret; i++) {
		auto_free char *name = xasprintf("sbtest%u", i);

		ret = guard_stopped() ? -EINTR
				      : check_table(s, name, w->table_size);
	}
	return ret;
}
