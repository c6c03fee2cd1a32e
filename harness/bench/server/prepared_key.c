/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a prepared folder was made of, and its name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/str.h"
#include "bench/load/load.h"
#include "bench/server/prepared_parts.h"

/* Counted up when the way of making changes. */
static const char way[] = "1";

static bool is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_ends(names[i], "*")
			    ? strncmp(name, names[i], strlen(names[i]) - 1) == 0
			    : str_eq(name, names[i]))
			return true;
	return false;
}

/* '-' and '_' are the same in the names of both programs. */
static char *plain(const char *name)
{
	char *copy = xstrdup(name);

	for (char *p = copy; *p; p++)
		if (*p == '-')
			*p = '_';
	return copy;
}

void prepared_built_in(const struct facts *variables, struct facts *out)
{
	/* mariadbd reads them when it makes files, or must find them so. */
	static const char *const names[] = {
		"aria_log_*",
		"character_set_*",
		"collation_*",
		"innodb_checksum_algorithm",
		"innodb_compression_*",
		"innodb_data_*",
		"innodb_default_row_format",
		"innodb_encrypt_*",
		"innodb_file_*",
		"innodb_fill_factor",
		"innodb_log_file_*",
		"innodb_log_files_*",
		"innodb_page_size",
		"innodb_stats_*",
		"innodb_temp_data_*",
		"innodb_undo_*",
		"lower_case_table_names",
		"sql_mode",
	};

	for (size_t i = 0; i < variables->n; i++) {
		auto_free char *name = plain(variables->list[i].name);
		const char *bare = str_starts(name, "loose_") ? name + 6 : name;

		if (is_among(bare, names, ARRAY_SIZE(names)))
			facts_set(out, name, variables->list[i].value);
	}
}

/* The options that only `run` looks at; any other may shape the tables. */
static bool is_of_run(const char *name)
{
	static const char *const names[] = {
		"rand_*",
		"hot_*",
		"point_selects",
		"simple_ranges",
		"sum_ranges",
		"order_ranges",
		"distinct_ranges",
		"range_selects",
		"range_size",
		"index_updates",
		"non_index_updates",
		"delete_inserts",
		"skip_trx",
		"reconnect",
		"thread_stack_size",
		"thread_init_timeout",
		"rate",
		"db_ps_mode",
		"mysql_ignore_errors",
	};

	return is_among(name, names, ARRAY_SIZE(names));
}

static int hash_file(const char *path, struct facts *parts, const char *name)
{
	auto_free char *text = NULL;
	auto_free char *hash = NULL;
	int ret = file_read(path, &text, NULL);

	if (ret)
		return fail(ret, "read %s", path);
	hash = hash_name(hash_text(HASH_START, text));
	facts_set(parts, name, hash);
	return 0;
}

static int add_tables(const struct workload_config *w, struct facts *parts)
{
	auto_free char *sysbench = load_sysbench_version(w);
	bool is_foreign = strchr(w->script, '/') || str_ends(w->script, ".lua");

	facts_set(parts, "sysbench", sysbench);
	facts_set(parts, "tables_of", is_foreign ? w->script : "oltp");
	facts_setf(parts, "tables", "%u", w->tables);
	facts_setf(parts, "table_size", "%llu",
		   (unsigned long long)w->table_size);
	for (size_t i = 0; i < w->options.n; i++) {
		auto_free char *name = plain(w->options.list[i].name);
		const char *bare = str_starts(name, "opt.") ? name + 4 : name;

		if (!is_of_run(bare))
			facts_setf(parts, bare, "%s", w->options.list[i].value);
	}
	return is_foreign ? hash_file(w->script, parts, "script") : 0;
}

int prepared_parts(const struct config *config,
		   const struct server_program *program, struct facts *parts)
{
	auto_free char *cnf = paths_find("mariadb.cnf");
	int ret;

	if (!cnf)
		return -ENOENT;
	facts_set(parts, "way", way);
	facts_set(parts, "mariadbd", program->version);
	prepared_built_in(&config->server.variables, parts);
	ret = hash_file(cnf, parts, "mariadb.cnf");
	return ret ? ret : add_tables(&config->workload, parts);
}

char *prepared_key(const struct facts *parts)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < parts->n; i++) {
		hash = hash_text(hash, parts->list[i].name);
		hash = hash_text(hash, "=");
		hash = hash_text(hash, parts->list[i].value);
		hash = hash_text(hash, "\n");
	}
	return hash_name(hash);
}
