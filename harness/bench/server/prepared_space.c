/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does it fit on the disk? Asked before anything is written. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tree.h"
#include "bench/server/prepared_parts.h"

/*
 * A row of sysbench's tables with its entry in the secondary index took 229
 * to 240 bytes (MariaDB 10.11, 200,000 to 800,000 rows a table). A table
 * grows by four extents of 1 MiB.
 */
static const uint64_t row_bytes = 250;
static const uint64_t table_bytes = 5 * NUM_MIB;
/* System tables, undo and temporary space of an empty folder. */
static const uint64_t empty_bytes = 48 * NUM_MIB;
/* As in workloads/mariadb.cnf. */
static const uint64_t usual_log_bytes = 256 * NUM_MIB;

static uint64_t log_bytes(const struct facts *variables)
{
	struct facts built_in = { 0 };
	uint64_t bytes = usual_log_bytes;

	prepared_built_in(variables, &built_in);
	/* Not understood here, it is left to the server to judge. */
	num_size(facts_get(&built_in, "innodb_log_file_size"), &bytes);
	facts_free(&built_in);
	return bytes;
}

uint64_t prepared_guess_bytes(const struct config *c)
{
	const struct workload_config *w = &c->workload;

	return w->tables * (w->table_size * row_bytes + table_bytes) +
	       empty_bytes + log_bytes(&c->server.variables);
}

static char *in_gib(uint64_t bytes)
{
	return xasprintf("%.1f GiB", (double)bytes / (double)NUM_GIB);
}

int prepared_check_space(const char *dir, uint64_t new_bytes,
			 uint64_t copy_bytes, const char *what)
{
	uint64_t need = new_bytes + copy_bytes;
	auto_free char *need_text = NULL;
	auto_free char *have_text = NULL;
	uint64_t have;
	int ret = file_free_bytes(dir, &have);

	if (ret)
		return fail(ret, "%s", dir);
	if (have < need && tree_can_clone(dir) == 1)
		need = new_bytes;
	if (have >= need)
		return 0;
	need_text = in_gib(need);
	have_text = in_gib(have);
	return refuse(-ENOSPC,
		      "%s needs about %s in %s, where %s are free; make room "
		      "or set THPBENCH_CACHE to another folder",
		      what, need_text, dir, have_text);
}
