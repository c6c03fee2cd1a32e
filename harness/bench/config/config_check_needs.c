/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/config/config_check.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config_key.h"
#include "bench/config/config_needs.h"

/*
 * Names that the harness gives itself: options, variables, knobs. The first
 * row whose need is met tells what to use instead, or NULL.
 */
static const struct {
	const char *family;
	const char *name; /* with '_'; a trailing '*': all that begin so */
	const char *instead;
	const struct config_need *need; /* NULL: with every program */
} taken[] = {
	{ "my.", "innodb_buffer_pool_size", "buffer_pool", NULL },
	{ "my.", "innodb_buffer_pool_size_max", "buffer_pool", NULL },
	{ "my.", "innodb_buffer_pool_size_auto_min", "buffer_pool", NULL },
	{ "my.", "datadir", NULL, NULL },
	{ "my.", "basedir", NULL, NULL },
	{ "my.", "tmpdir", NULL, NULL },
	{ "my.", "socket", NULL, NULL },
	{ "my.", "pid_file", NULL, NULL },
	{ "my.", "log_error", NULL, NULL },
	{ "my.", "user", NULL, NULL },
	{ "my.", "port", NULL, NULL },
	{ "my.", "bind_address", NULL, NULL },
	{ "my.", "skip_networking", NULL, NULL },
	{ "my.", "innodb_data_home_dir", NULL, NULL },
	{ "my.", "innodb_log_group_home_dir", NULL, NULL },
	{ "opt.", "tables", "tables", &need_sysbench },
	{ "opt.", "table_size", "table_size", &need_sysbench },
	{ "opt.", "threads", "threads", NULL },
	{ "opt.", "rand_type", "rand_type", &need_sysbench },
	{ "opt.", "rand_seed", NULL, NULL },
	{ "opt.", "rand_*", "the key without opt.", &need_sysbench },
	{ "opt.", "hot_*", "the key without opt.", &need_sysbench },
	{ "opt.", "time", "measure", &need_phases },
	{ "opt.", "time", "duration", &need_timed },
	{ "opt.", "time", NULL, NULL },
	{ "opt.", "seconds", "measure", &need_memtouch },
	{ "opt.", "warmup_time", "load", &need_phases },
	{ "opt.", "warmup_time", NULL, NULL },
	{ "opt.", "bytes", "memtouch_bytes", &need_memtouch },
	{ "opt.", "pattern", "memtouch_pattern", &need_memtouch },
	{ "opt.", "report_interval", NULL, NULL },
	{ "opt.", "report_checkpoints", NULL, NULL },
	{ "opt.", "events", NULL, NULL },
	{ "opt.", "forced_shutdown", NULL, NULL },
	{ "opt.", "percentile", NULL, NULL },
	{ "opt.", "histogram", NULL, NULL },
	{ "opt.", "verbosity", NULL, NULL },
	{ "opt.", "debug", NULL, NULL },
	{ "opt.", "config_file", NULL, NULL },
	{ "opt.", "db_driver", NULL, NULL },
	{ "opt.", "mysql_dry_run", "dry_run", &need_sysbench },
	{ "opt.", "mysql_dry_run", NULL, NULL },
	{ "opt.", "mysql_host", NULL, NULL },
	{ "opt.", "mysql_port", NULL, NULL },
	{ "opt.", "mysql_socket", NULL, NULL },
	{ "opt.", "mysql_user", NULL, NULL },
	{ "opt.", "mysql_password", NULL, NULL },
	{ "opt.", "mysql_db", NULL, NULL },
	{ "opt.", "mysql_debug", NULL, NULL },
	{ "sysctl.", "vm.drop_caches", "drop_caches", NULL },
	{ "sysctl.", "vm.compact_memory", "compact_memory", NULL },
};

static bool is_like(const char *name, const char *pattern)
{
	size_t n = strlen(pattern) - 1;

	if (pattern[n] == '*')
		return strncmp(name, pattern, n) == 0;
	return str_eq(name, pattern);
}

/*
 * Is a key of a family such a name? NULL, or what is wrong and what would be
 * right. free() it.
 */
static char *check_taken(const struct config_key *key, const char *name,
			 const struct config *c)
{
	auto_free char *id = NULL;
	bool is_taken = false;

	if (!str_ends(key->name, "."))
		return NULL;
	id = config_key_identity(name + strlen(key->name));
	for (size_t i = 0; i < ARRAY_SIZE(taken); i++) {
		if (!str_eq(taken[i].family, key->name) ||
		    !is_like(id, taken[i].name))
			continue;
		is_taken = true;
		if (taken[i].need && !taken[i].need->is_met(c))
			continue;
		return taken[i].instead
			       ? xasprintf("%s is set by the harness; use %s",
					   name, taken[i].instead)
			       : xasprintf("%s is set by the harness; leave "
					   "it out",
					   name);
	}
	/* A script of sysbench's may have any option. */
	if (!is_taken || need_sysbench.is_met(c))
		return NULL;
	return xasprintf("%s means nothing to this program; leave it out",
			 name);
}

void config_check_needs(const struct text_section *s, const struct config *c,
			struct faults *faults)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct text_key *k = &s->keys[i];
		const struct config_key *key =
			config_key_find(s->name, k->name);
		/* "damos = none" and "dry_run = no" ask for nothing. */
		bool is_off = key && key->words && str_eq(key->value, k->value);
		auto_free char *said = NULL;

		if (!key || is_off)
			continue;
		if (key->need && !key->need->is_met(c)) {
			fault_add(faults, k->line,
				  "'%s' means nothing here; it needs %s",
				  k->name, key->need->text);
			continue;
		}
		said = check_taken(key, k->name, c);
		if (said)
			fault_add(faults, k->line, "%s", said);
	}
}
