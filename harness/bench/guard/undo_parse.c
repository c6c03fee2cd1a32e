/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a journal: which are understood, and ours to undo. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guard/undo.h"
#include "kern/knobs.h"
#include "kern/tracefs.h"

/* Below the root, and no way out of it. */
static bool is_inside(const char *path)
{
	return path[0] && path[0] != '/' && !str_starts(path, "../") &&
	       !strstr(path, "/../") && !str_ends(path, "/..") &&
	       !str_eq(path, "..");
}

static bool is_our_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && str_starts(slash + 1, "thpbench");
}

bool undo_owns(const char *path)
{
	return path[0] == '/' && is_inside(path + 1) && is_our_name(path);
}

bool undo_owns_cgroup(const char *path)
{
	return str_starts(path, "sys/fs/cgroup/") && is_inside(path) &&
	       is_our_name(path);
}

bool undo_owns_trace(const char *path)
{
	static const char name[] = TRACEFS_INSTANCES "/thpbench";

	return str_starts(path, name) && !strchr(path + strlen(name), '/');
}

static bool is_our_setting(const char *path)
{
	return (str_starts(path, "sys/") || str_starts(path, "proc/")) &&
	       is_inside(path) && knob_rank(path) != KNOB_DAMON;
}

typedef bool read_row(const struct tsv *t, size_t i, struct undo_row *row);

static bool read_setting(const struct tsv *t, size_t i, struct undo_row *row)
{
	int64_t rank;

	row->path = tsv_cell(t, i, 1);
	row->value = tsv_cell(t, i, 2);
	if (t->widths[i] != 4 || num_i64(tsv_cell(t, i, 3), &rank) ||
	    rank < INT_MIN || rank > INT_MAX)
		return false;
	row->rank = (int)rank;
	return is_our_setting(row->path);
}

static bool read_dir(const struct tsv *t, size_t i, struct undo_row *row)
{
	row->path = tsv_cell(t, i, 1);
	return t->widths[i] == 2 && undo_owns(row->path);
}

static bool read_cgroup(const struct tsv *t, size_t i, struct undo_row *row)
{
	row->path = tsv_cell(t, i, 1);
	return t->widths[i] == 2 && undo_owns_cgroup(row->path);
}

static bool read_pid(const struct tsv *t, size_t i, struct undo_row *row)
{
	uint64_t pid;

	if (t->widths[i] != 3 || num_u64(tsv_cell(t, i, 1), &pid) ||
	    num_u64(tsv_cell(t, i, 2), &row->start) || pid < 2 ||
	    pid > INT32_MAX)
		return false;
	row->pid = (int32_t)pid;
	return true;
}

static bool read_kdamonds(const struct tsv *t, size_t i, struct undo_row *row)
{
	uint64_t pid;

	if (t->widths[i] != 4 || num_u64(tsv_cell(t, i, 1), &row->n) ||
	    num_u64(tsv_cell(t, i, 2), &pid) || pid > INT32_MAX || !row->n ||
	    row->n > INT32_MAX)
		return false;
	row->pid = (int32_t)pid;
	row->ops = tsv_cell(t, i, 3);
	return true;
}

static bool read_trace(const struct tsv *t, size_t i, struct undo_row *row)
{
	row->path = tsv_cell(t, i, 1);
	return t->widths[i] == 2 && undo_owns_trace(row->path);
}

static const struct {
	const char *name;
	read_row *read;
} kinds[] = {
	[UNDO_GUARD] = { "guard", read_pid },
	[UNDO_SETTING] = { "setting", read_setting },
	[UNDO_DIR] = { "dir", read_dir },
	[UNDO_CGROUP] = { "cgroup", read_cgroup },
	[UNDO_PID] = { "pid", read_pid },
	[UNDO_HALTED] = { "halted", read_pid },
	[UNDO_GOING] = { "going", read_pid },
	[UNDO_KDAMONDS] = { "kdamonds", read_kdamonds },
	[UNDO_TRACE] = { "trace", read_trace },
};

static bool parse_row(const struct tsv *t, size_t i, struct undo_row *row)
{
	*row = (struct undo_row){ 0 };
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		if (!str_eq(tsv_cell(t, i, 0), kinds[k].name))
			continue;
		row->kind = (enum undo_kind)k;
		return kinds[k].read(t, i, row);
	}
	return false;
}

void undo_parse(char *text, struct undo *out)
{
	*out = (struct undo){ 0 };
	tsv_parse(text, &out->tsv);
	for (size_t i = 0; i < out->tsv.n_rows; i++) {
		struct undo_row row;

		if (!parse_row(&out->tsv, i, &row)) {
			out->n_bad++;
			continue;
		}
		XGROW(out->rows, out->n);
		out->rows[out->n++] = row;
	}
}

void undo_free(struct undo *u)
{
	tsv_free(&u->tsv);
	free(u->rows);
	*u = (struct undo){ 0 };
}
