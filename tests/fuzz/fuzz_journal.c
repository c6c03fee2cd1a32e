/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The journal's reader: whatever stands there, no row leads astray. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/guard/undo.h"
#include "kern/tracefs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(int is_true)
{
	if (!is_true)
		abort();
}

static void check_row(const struct undo_row *row)
{
	switch (row->kind) {
	case UNDO_GUARD:
	case UNDO_PID:
		check(row->pid > 1);
		break;
	case UNDO_DIR:
		check(undo_owns(row->path) && !strstr(row->path, "/../") &&
		      strstr(row->path, "/thpbench") != NULL);
		break;
	case UNDO_CGROUP:
		check(str_starts(row->path, "sys/fs/cgroup/") &&
		      !strstr(row->path, "/../"));
		break;
	case UNDO_KDAMONDS:
		check(row->pid >= 0 && row->n && row->ops);
		break;
	case UNDO_TRACE:
		check(str_starts(row->path, TRACEFS_INSTANCES "/thpbench") &&
		      !strchr(row->path + strlen(TRACEFS_INSTANCES "/"), '/'));
		break;
	case UNDO_SETTING:
		check(row->path[0] != '/' && !strstr(row->path, "/../") &&
		      !str_starts(row->path, "sys/kernel/mm/damon/"));
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct undo u;

	undo_parse(xstrndup((const char *)data, n), &u);
	for (size_t i = 0; i < u.n; i++)
		check_row(&u.rows[i]);
	undo_free(&u);
	return 0;
}
