/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Make a data folder: install, fill, check, shut down. */
#include <errno.h>
#include <mysql.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/load/load.h"
#include "bench/server/prepared_parts.h"
#include "bench/server/server_parts.h"
#include "kern/host.h"

static const uint64_t shutdown_limit_ns = 600 * NUM_NS_PER_S;
static const uint64_t least_pool_bytes = 128 * NUM_MIB;

/* All of the data where half of the memory allows it. */
static uint64_t filling_pool_bytes(const struct prepared_job *job)
{
	uint64_t want = prepared_guess_bytes(job->config);
	uint64_t most = host_available_bytes(job->root) / 2;

	if (want > most)
		want = most;
	if (want < least_pool_bytes)
		want = least_pool_bytes;
	return want / NUM_MIB * NUM_MIB;
}

/* Statistics are kept in the tables and not taken again in a run. */
static int analyze(struct server *s)
{
	static const char names_sql[] =
		"SELECT CONCAT('ANALYZE TABLE sbtest.`', TABLE_NAME, '`') "
		"FROM information_schema.TABLES "
		"WHERE TABLE_SCHEMA = 'sbtest' AND TABLE_TYPE = 'BASE TABLE'";
	MYSQL_RES *names = server_rows(s, names_sql);
	MYSQL_ROW row;
	int ret = names ? 0 : -EIO;

	while (!ret && (row = mysql_fetch_row(names))) {
		MYSQL_RES *said = server_rows(s, row[0]);

		ret = said ? 0 : -EIO;
		if (said)
			mysql_free_result(said);
	}
	if (names)
		mysql_free_result(names);
	return ret;
}

static int measure(struct server *s, uint64_t *data_bytes)
{
	auto_free char *text = server_query(
		s, "SELECT COALESCE(SUM(DATA_LENGTH + INDEX_LENGTH), 0) "
		   "FROM information_schema.TABLES "
		   "WHERE TABLE_SCHEMA = 'sbtest'");

	if (!text)
		return -EIO;
	return num_u64(text, data_bytes)
		       ? refuse(-EPROTO, "the size of the tables is \"%s\"",
				text)
		       : 0;
}

static int fill(const struct prepared_job *job, struct server *s,
		const char *log, uint64_t *data_bytes)
{
	const struct workload_config *w = &job->config->workload;
	auto_free char *what =
		xasprintf("filling %u tables of %llu rows", w->tables,
			  (unsigned long long)w->table_size);
	int ret;

	prepared_tell(job, what);
	ret = load_prepare(job->config, s->socket, log);
	/* sysbench says that a table is full; the server, that the disk is. */
	if (ret == -EIO)
		return server_log_error(s->log);
	if (!ret)
		ret = server_check(s);
	if (!ret)
		ret = analyze(s);
	if (!ret)
		ret = server_check_rows(s, w);
	if (!ret)
		ret = measure(s, data_bytes);
	/* Purge and change buffer done: no run does them in its window. */
	if (!ret)
		ret = server_exec(s, "SET GLOBAL innodb_fast_shutdown = 0");
	return ret;
}

static int stop(const struct prepared_job *job, struct server *s)
{
	auto_free char *end = NULL;
	bool clean;

	prepared_tell(job, "shutting down");
	if (server_stop(s, shutdown_limit_ns, &clean))
		return -EIO;
	if (clean)
		return 0;
	end = server_log_end(s->log);
	return refuse(-EIO, "mariadbd did not shut down cleanly; its log:%s",
		      end);
}

/* In the files only what is built in: the rest is each run's own. */
static void filling_config(const struct config *from,
			   const struct facts *built_in, struct config *out)
{
	*out = *from;
	out->server.variables = *built_in;
	out->server.cpus = NULL;
	out->server.numa_node = -1;
	out->server.thp_disable = THP_DISABLE_KEEP;
}

static int serve(const struct prepared_job *job, const char *dir,
		 const char *temp, const struct facts *built_in,
		 uint64_t *data_bytes)
{
	auto_free char *data = xasprintf("%s/data", dir);
	auto_free char *server_log = xasprintf("%s/server.log", dir);
	auto_free char *load_log = xasprintf("%s/sysbench.log", dir);
	auto_free char *cnf = xasprintf("%s/server.cnf", dir);
	struct server server = { 0 };
	struct config config;
	struct server_spec spec = {
		.root = job->root,
		.config = &config,
		.program = job->program,
		.data_dir = data,
		.dir = temp,
		.log = server_log,
		.config_path = cnf,
		.pool_bytes = filling_pool_bytes(job),
		.journal = job->journal,
	};
	int ret;

	filling_config(job->config, built_in, &config);
	ret = server_start(&spec, &server);
	if (!ret)
		ret = fill(job, &server, load_log, data_bytes);
	if (!ret)
		ret = stop(job, &server);
	server_free(&server);
	return ret;
}

int prepared_make(const struct prepared_job *job, const char *dir,
		  uint64_t *data_bytes)
{
	auto_free char *data = xasprintf("%s/data", dir);
	auto_free char *log = xasprintf("%s/install.log", dir);
	auto_free char *temp = NULL;
	struct facts built_in = { 0 };
	int ret;

	prepared_built_in(&job->config->server.variables, &built_in);
	prepared_tell(job, "installing an empty data folder");
	ret = prepared_install(job->program, &built_in, data, log);
	if (!ret)
		ret = journal_temp_dir(job->journal, &temp);
	if (!ret)
		ret = serve(job, dir, temp, &built_in, data_bytes);
	if (temp)
		tree_remove(temp);
	facts_free(&built_in);
	return ret;
}
