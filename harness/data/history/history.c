/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of a history, and their versions. */
#include "data/history/history.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/*
 * Step i brings tables of version i to i + 1. '@' stands for what the kind
 * wants behind the columns. Each can be done again: a MariaDB server keeps
 * what was done of a step that was cut off. A step is never changed once it
 * was released; what changes is a new step.
 */
static const char *const step_1[] = {
	"CREATE TABLE IF NOT EXISTS experiment ("
	"uid VARCHAR(16) NOT NULL PRIMARY KEY, "
	"name VARCHAR(255) NOT NULL, title TEXT NOT NULL, "
	"host VARCHAR(255) NOT NULL, config VARCHAR(64) NOT NULL, "
	"config_path TEXT NOT NULL, created VARCHAR(32) NOT NULL, "
	"program VARCHAR(64) NOT NULL, primary_metric VARCHAR(255) NOT NULL, "
	"baseline VARCHAR(255) NOT NULL, margin VARCHAR(32) NOT NULL)@",
	"CREATE INDEX IF NOT EXISTS experiment_series "
	"ON experiment (host, config)",
	"CREATE TABLE IF NOT EXISTS metric (experiment VARCHAR(16) NOT NULL, "
	"name VARCHAR(255) NOT NULL, title TEXT NOT NULL, "
	"unit VARCHAR(64) NOT NULL, better VARCHAR(16) NOT NULL, "
	"PRIMARY KEY (experiment, name))@",
	"CREATE TABLE IF NOT EXISTS run (experiment VARCHAR(16) NOT NULL, "
	"number BIGINT NOT NULL, block BIGINT NOT NULL, "
	"attempt BIGINT NOT NULL, arm VARCHAR(255) NOT NULL, "
	"kernel VARCHAR(255) NOT NULL, state VARCHAR(16) NOT NULL, "
	"PRIMARY KEY (experiment, number))@",
	"CREATE TABLE IF NOT EXISTS measured ("
	"experiment VARCHAR(16) NOT NULL, run BIGINT NOT NULL, "
	"metric VARCHAR(255) NOT NULL, value DOUBLE NOT NULL, "
	"PRIMARY KEY (experiment, run, metric))@",
	NULL,
};

static const char *const step_2[] = {
	"CREATE TABLE IF NOT EXISTS pin (name VARCHAR(64) NOT NULL, "
	"host VARCHAR(255) NOT NULL, config VARCHAR(64) NOT NULL, "
	"experiment VARCHAR(16) NOT NULL, pinned VARCHAR(32) NOT NULL, "
	"PRIMARY KEY (name, host, config))@",
	NULL,
};

static const char *const *const steps[] = { step_1, step_2 };
_Static_assert(ARRAY_SIZE(steps) == HISTORY_VERSION, "a step a version");

int history_fail(const struct history *h, int err)
{
	return refuse(err, "history: %s", sql_why(&h->db));
}

static int create(struct sql *db, const char *text)
{
	auto_str struct str query = { 0 };
	size_t n = strcspn(text, "@");

	str_addn(&query, text, n);
	if (text[n])
		str_add(&query, db->kind->table_end);
	return sql_exec(db, query.text);
}

static int take_version(void *arg, const struct sql_value *cells, size_t n)
{
	int64_t number;
	int *version = arg;

	if (n != 1 || cells[0].type != SQL_TEXT ||
	    num_i64(cells[0].text, &number) || number < 0 || number > 1000000)
		return -EPROTO;
	*version = (int)number;
	return 0;
}

/* What lies in the database already. */
struct found {
	bool is_history; /* perhaps without a version yet */
	bool is_other;
};

static int take_table(void *arg, const struct sql_value *cells, size_t n)
{
	struct found *f = arg;
	bool is_meta =
		n && cells[0].type == SQL_TEXT && str_eq(cells[0].text, "meta");

	f->is_history |= is_meta;
	f->is_other |= !is_meta;
	return 0;
}

static int find_tables(struct sql *db, struct found *f)
{
	struct sql_query q = {
		.text = db->kind->list_tables,
		.row = take_table,
		.arg = f,
	};

	*f = (struct found){ 0 };
	return sql_query(db, &q);
}

/* -1: there is none. Fails where there is no table, too. */
static int read_version(struct sql *db, int *version)
{
	struct sql_query q = {
		.text = "SELECT value FROM meta WHERE name = 'version'",
		.row = take_version,
		.arg = version,
	};
	int ret;

	*version = -1;
	ret = sql_query(db, &q);
	return ret == -EPROTO ? sql_fail(db, -EIO, "is no history of ours")
			      : ret;
}

static int write_version(struct sql *db, int version, bool is_new)
{
	auto_free char *text = xasprintf("%d", version);
	const struct sql_value args[] = { sql_text(text) };
	struct sql_query q = {
		.text = is_new ? "INSERT INTO meta (name, value) "
				 "VALUES ('version', ?)"
			       : "UPDATE meta SET value = ? "
				 "WHERE name = 'version'",
		.args = args,
		.n_args = ARRAY_SIZE(args),
	};

	return sql_query(db, &q);
}

/* Under the lock: others may have done it meanwhile. */
static int migrate(struct sql *db, int to)
{
	int version = -1;
	int ret = create(db, "CREATE TABLE IF NOT EXISTS meta ("
			     "name VARCHAR(32) NOT NULL PRIMARY KEY, "
			     "value VARCHAR(64) NOT NULL)@");

	if (!ret)
		ret = read_version(db, &version);
	if (!ret && version < 0) {
		version = 0;
		ret = write_version(db, version, true);
	}
	for (int i = version; !ret && i < to && i < HISTORY_VERSION; i++) {
		const char *const *query = i < 0 ? NULL : steps[i];

		for (; !ret && query && *query; query++)
			ret = create(db, *query);
		if (!ret)
			ret = write_version(db, i + 1, false);
	}
	return ret;
}

/* A server's database may hold others' tables; a file that does is not ours. */
static int check_ours(struct sql *db, const struct found *f, bool may_make)
{
	if (f->is_history)
		return 0;
	if (f->is_other && !db->url.is_mariadb)
		return sql_fail(db, -EIO,
				"holds tables that are no history of ours; a "
				"file of its own is wanted");
	return may_make ? 0 : sql_fail(db, -ENOENT, "holds no history");
}

static int prepare(struct sql *db, int to, bool may_make)
{
	int version = -1;
	struct found found;
	int ret = find_tables(db, &found);

	if (!ret)
		ret = check_ours(db, &found, may_make);
	if (!ret && found.is_history)
		ret = read_version(db, &version);
	if (ret || version == to)
		return ret;
	if (version > to)
		return sql_fail(db, -ENOTSUP,
				"written by a newer thpbench (tables of "
				"version %d, this one knows %d)",
				version, to);
	ret = db->kind->lock(db);
	if (!ret) {
		int end;

		ret = migrate(db, to);
		end = db->kind->unlock(db, ret == 0);
		ret = ret ? ret : end;
	}
	return ret;
}

static int open_store(const char *store, bool may_make, int version,
		      struct history *out)
{
	auto_free char *usual = store ? NULL : sql_url_default();
	auto_free char *why = NULL;
	struct sql_url url;
	int ret;

	*out = (struct history){ 0 };
	store = store ? store : usual;
	if (!store)
		return refuse(-EINVAL, "history: no HOME, so no place for it; "
				       "--store PATH names one");
	if (sql_url_parse(store, &url, &why))
		return refuse(-EINVAL, "history: --store %s: %s",
			      strchr(store, '@') ? "(user and host)" : store,
			      why);
	ret = sql_open(&out->db, &url, may_make);
	if (!ret)
		ret = prepare(&out->db, version, may_make);
	if (ret == -ENOENT)
		refuse(ret, "history: %s; thpbench history add DIR makes one",
		       sql_why(&out->db));
	else if (ret)
		history_fail(out, ret);
	if (ret)
		history_close(out);
	return ret;
}

int history_open(const char *store, bool may_make, struct history *out)
{
	return open_store(store, may_make, HISTORY_VERSION, out);
}

int history_open_version(const char *store, int version, struct history *out)
{
	return open_store(store, true, version, out);
}

void history_close(struct history *h)
{
	sql_close(&h->db);
}
