/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration file of a server. */
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/str.h"
#include "bench/server/server_parts.h"

/* Of our own: harness, collectors, somebody who looks. */
enum { SPARE_CONNECTIONS = 20, LEAST_CONNECTIONS = 100 };

void server_cnf_add(struct str *out, const char *name, const char *value)
{
	/* skip-... and the like stand alone: "my.skip_x =" */
	if (!value[0] && str_starts(name, "skip")) {
		str_addf(out, "%s\n", name);
		return;
	}
	/* Quoted, or '#' would begin a comment; \ is its escape. */
	str_addf(out, "%s = \"", name);
	for (const char *p = value; *p; p++) {
		if (*p == '"' || *p == '\\')
			str_addc(out, '\\');
		str_addc(out, *p);
	}
	str_add(out, "\"\n");
}

static void add_path(struct str *out, const char *name, const char *dir,
		     const char *file)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);

	server_cnf_add(out, name, path);
}

static void add_places(struct str *out, const struct server_spec *spec,
		       const char *socket)
{
	server_cnf_add(out, "basedir", spec->program->basedir);
	server_cnf_add(out, "lc-messages-dir", spec->program->share);
	add_path(out, "character-sets-dir", spec->program->share, "charsets");
	server_cnf_add(out, "datadir", spec->data_dir);
	server_cnf_add(out, "socket", socket);
	add_path(out, "pid-file", spec->dir, "mariadbd.pid");
	add_path(out, "tmpdir", spec->dir, "tmp");
	server_cnf_add(out, "log-error", spec->log);
	/* mariadbd refuses to be root unless told so. */
	if (geteuid() == 0)
		server_cnf_add(out, "user", "root");
}

static void add_sizes(struct str *out, const struct server_spec *spec)
{
	unsigned int threads = spec->config->workload.threads;
	unsigned int most = threads + SPARE_CONNECTIONS;
	auto_free char *pool =
		xasprintf("%llu", (unsigned long long)spec->pool_bytes);

	server_cnf_add(out, "innodb-buffer-pool-size", pool);
	/* Else 8 TiB are reserved, one mapping that swamps DAMON's regions. */
	if (spec->program->has_pool_size_max)
		server_cnf_add(out, "innodb-buffer-pool-size-max", pool);
	/* Else memory pressure shrinks the pool in the middle of a run. */
	if (spec->program->has_pool_auto_min)
		server_cnf_add(out, "innodb-buffer-pool-size-auto-min", pool);
	str_addf(out, "max-connections = %u\n",
		 most > LEAST_CONNECTIONS ? most : LEAST_CONNECTIONS);
}

char *server_cnf_text(const struct server_spec *spec, const char *socket)
{
	const struct facts *my = &spec->config->server.variables;
	auto_free char *path = paths_find("mariadb.cnf");
	auto_free char *fixed = NULL;
	auto_str struct str out = { 0 };
	int ret;

	if (!path)
		return NULL;
	ret = file_read(path, &fixed, NULL);
	if (ret) {
		fail(ret, "read %s", path);
		return NULL;
	}
	str_addf(&out, "%s\n# Of this run:\n", fixed);
	add_places(&out, spec, socket);
	add_sizes(&out, spec);
	if (my->n)
		str_add(&out, "\n# my.* of the configuration:\n");
	for (size_t i = 0; i < my->n; i++)
		server_cnf_add(&out, my->list[i].name, my->list[i].value);
	return str_steal(&out);
}
