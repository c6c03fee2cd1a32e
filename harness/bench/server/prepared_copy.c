/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run takes of a prepared folder. */
#include "bench/server/prepared.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/tree.h"
#include "bench/server/prepared_parts.h"

uint64_t prepared_pool_bytes(const struct prepared *p)
{
	/*
	 * Beside the pages of the tables the pool holds the descriptors of its
	 * pages (8 of each 512, and more in a debug build), and undo pages,
	 * dictionary and locks. It evicts once fewer than half of
	 * innodb_lru_scan_depth (1536 pages of 16 KiB) are free.
	 */
	static const uint64_t beside = 48 * NUM_MIB;
	static const uint64_t step = 8 * NUM_MIB; /* its unit of growth */
	uint64_t want = p->data_bytes + p->data_bytes / 16 + beside;

	return (want + step - 1) / step * step;
}

/* Of a name that nothing has: a pid may have been somebody's before. */
static char *run_dir(const struct prepared *p)
{
	const char *slash = strrchr(p->dir, '/');

	for (unsigned int i = 1;; i++) {
		char *path = xasprintf("%.*s/thpbench-run-%d-%u",
				       (int)(slash - p->dir), p->dir,
				       (int)getpid(), i);

		if (access(path, F_OK))
			return path;
		free(path);
	}
}

int prepared_copy(const struct prepared *p, struct journal *journal, char **dir)
{
	auto_free char *from = xasprintf("%s/data", p->dir);
	auto_free char *to = run_dir(p);
	uint64_t bytes;
	int ret = tree_bytes(from, &bytes);

	if (ret)
		return fail(ret, "%s", from);
	ret = prepared_check_space(p->dir, 0, bytes, "a copy of the data");
	if (!ret && journal)
		ret = journal_dir(journal, to);
	if (ret)
		return ret;
	ret = tree_copy(from, to, NULL);
	if (ret) {
		tree_remove(to);
		return fail(ret, "copy %s to %s", from, to);
	}
	*dir = xstrdup(to);
	return 0;
}
