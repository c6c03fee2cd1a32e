/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/undo.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "kern/cgroup.h"
#include "kern/knobs.h"

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

static const struct {
	const char *name;
	read_row *read;
} kinds[] = {
	[UNDO_GUARD] = { "guard", read_pid },
	[UNDO_SETTING] = { "setting", read_setting },
	[UNDO_DIR] = { "dir", read_dir },
	[UNDO_CGROUP] = { "cgroup", read_cgroup },
	[UNDO_PID] = { "pid", read_pid },
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

/* What went wrong so far, as one errno. */
static void note(int err, int *first, struct journal_undone *done)
{
	bool is_permission = err == -EACCES || err == -EPERM || err == -EROFS;

	done->failures++;
	if (!*first || !is_permission)
		*first = is_permission ? -EACCES : -EIO;
}

static void undo_settings(const struct root *root, const struct undo *u,
			  int *err, struct journal_undone *done)
{
	struct settings s = { 0 };

	for (size_t i = 0; i < u->n; i++) {
		const struct undo_row *row = &u->rows[i];
		struct setting *one;

		if (row->kind != UNDO_SETTING)
			continue;
		one = settings_add(&s, row->path);
		/* The first value named is the oldest. */
		if (one->is_ours)
			continue;
		one->is_ours = true;
		one->before = xstrdup(row->value);
		one->rank = row->rank;
	}
	settings_sort(&s);
	settings_restore(root, &s);
	for (size_t i = 0; i < s.n; i++) {
		done->settings += s.list[i].was_restored;
		if (s.list[i].restore_err)
			note(s.list[i].restore_err, err, done);
	}
	settings_free(&s);
}

static int remove_cgroup(const struct root *root, const struct undo_row *row,
			 struct journal_undone *done)
{
	int ret;

	if (!root_exists(root, row->path))
		return 0;
	ret = cgroup_remove(root, row->path);
	if (ret)
		return fail(ret, "remove cgroup %s", row->path);
	done->cgroups++;
	return 0;
}

static int remove_dir(const struct undo_row *row, struct journal_undone *done)
{
	int ret = tree_remove(row->path);

	if (ret == -ENOENT)
		return 0;
	if (ret)
		return fail(ret, "remove %s", row->path);
	done->dirs++;
	return 0;
}

int undo_rest(const struct root *root, const struct undo *u,
	      struct journal_undone *done)
{
	int err = 0;

	undo_settings(root, u, &err, done);
	for (size_t i = u->n; i-- > 0;) {
		const struct undo_row *row = &u->rows[i];
		int ret = 0;

		if (row->kind == UNDO_CGROUP)
			ret = remove_cgroup(root, row, done);
		else if (row->kind == UNDO_DIR)
			ret = remove_dir(row, done);
		if (ret)
			note(ret, &err, done);
	}
	return err;
}

char *undo_text(const struct journal_undone *done)
{
	const struct {
		unsigned int n;
		const char *one;
		const char *more;
	} parts[] = {
		{ done->settings, "setting", "settings" },
		{ done->processes, "process", "processes" },
		{ done->cgroups, "cgroup", "cgroups" },
		{ done->dirs, "folder", "folders" },
	};
	struct str text = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].n)
			str_addf(&text, "%s%u %s", text.len ? ", " : "",
				 parts[i].n,
				 parts[i].n == 1 ? parts[i].one
						 : parts[i].more);
	return text.len ? str_steal(&text) : xstrdup("nothing");
}
