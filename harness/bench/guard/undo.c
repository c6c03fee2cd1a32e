/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/undo.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/damos/damos_put.h"
#include "kern/cgroup.h"
#include "kern/tracefs.h"

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

/* The last row first: what is there is the last run's. */
static void undo_kdamonds(const struct root *root, const struct undo *u,
			  int *err, struct journal_undone *done)
{
	for (size_t i = u->n; i-- > 0;) {
		const struct undo_row *row = &u->rows[i];
		const struct damos_owned owned = { row->n, row->pid, row->ops };
		int ret;

		if (row->kind != UNDO_KDAMONDS)
			continue;
		ret = damos_take_away(root, &owned);
		if (ret < 0)
			note(ret, err, done);
		else if (ret > 0)
			done->kdamonds += (unsigned int)row->n;
		return;
	}
}

static int remove_trace(const struct root *root, const struct undo_row *row,
			struct journal_undone *done)
{
	int ret = tracefs_remove(root, row->path);

	if (ret == -ENOENT)
		return 0;
	if (ret)
		return fail(ret, "remove trace instance %s", row->path);
	done->traces++;
	return 0;
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

	undo_kdamonds(root, u, &err, done);
	undo_settings(root, u, &err, done);
	for (size_t i = u->n; i-- > 0;) {
		const struct undo_row *row = &u->rows[i];
		int ret = 0;

		if (row->kind == UNDO_CGROUP)
			ret = remove_cgroup(root, row, done);
		else if (row->kind == UNDO_DIR)
			ret = remove_dir(row, done);
		else if (row->kind == UNDO_TRACE)
			ret = remove_trace(root, row, done);
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
		{ done->continued, "process let go on", "processes let go on" },
		{ done->cgroups, "cgroup", "cgroups" },
		{ done->dirs, "folder", "folders" },
		{ done->kdamonds, "kdamond", "kdamonds" },
		{ done->traces, "trace instance", "trace instances" },
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
