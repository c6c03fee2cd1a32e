/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guard/knobcheck.h"
#include "kern/knobs.h"

/* NULL if it cannot be read. */
static char *read_value(const struct root *root, const char *path)
{
	auto_free char *text = NULL;

	return root_read(root, path, &text) ? NULL : knob_value(text);
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? knob_same(a, b) : a == b;
}

static const char *or_none(const char *value)
{
	return value ? value : "(none)";
}

static void replace(char **value, char *with)
{
	free(*value);
	*value = with;
}

/* A file that the kernel answers for, not a copy in a recorded tree. */
static bool is_kernels(const struct root *root, const char *path)
{
	auto_close int fd = openat(root->fd, path, O_PATH | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || fstatfs(fd, &fs))
		return false;
	return fs.f_type == SYSFS_MAGIC || fs.f_type == PROC_SUPER_MAGIC;
}

/* The one place from which settings are written. Silent. */
static int put(const struct root *root, const char *path, const char *value)
{
	auto_free char *text = NULL;
	auto_free char *shown = NULL;
	int ret;

	if (knob_rank(path) == KNOB_DAMON)
		return -EPERM;
	if (is_kernels(root, path))
		return root_write(root, path, value);
	ret = root_read(root, path, &text);
	if (ret)
		return ret;
	shown = knob_show(text, value);
	return shown ? root_write(root, path, shown) : -EINVAL;
}

static struct setting *find(const struct settings *s, const char *path)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->list[i].path, path))
			return &s->list[i];
	return NULL;
}

struct setting *settings_add(struct settings *s, const char *path)
{
	struct setting *one = find(s, path);

	if (one)
		return one;
	XGROW(s->list, s->n);
	one = &s->list[s->n++];
	*one = (struct setting){ .path = xstrdup(path),
				 .rank = (int)knob_rank(path) };
	return one;
}

static int by_rank(const void *a, const void *b)
{
	const struct setting *left = a;
	const struct setting *right = b;

	return left->rank == right->rank ? strcmp(left->path, right->path)
					 : left->rank - right->rank;
}

void settings_sort(struct settings *s)
{
	if (s->n)
		qsort(s->list, s->n, sizeof(*s->list), by_rank);
}

static void add_arm(struct settings *s, const struct arm *arm)
{
	for (size_t i = 0; i < arm->n_knobs; i++)
		settings_add(s, arm->knobs[i].path)->is_ours = true;
}

/* Writing any THP knob may change vm.min_free_kbytes: then it is ours. */
static void add_side_effects(struct settings *s)
{
	bool writes_thp = false;

	for (size_t i = 0; i < s->n; i++)
		writes_thp |= s->list[i].is_ours && s->list[i].rank == KNOB_THP;
	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].rank == KNOB_MIN_FREE)
			s->list[i].is_ours |= writes_thp;
}

/*
 * The kernel's own users of DAMON sample, or act, in every arm, and no scheme
 * starts beside them: where one is on, it is off in all runs, unless an arm
 * says otherwise.
 */
static void switch_off_damon_users(const struct root *root, struct settings *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct setting *one = &s->list[i];

		if (one->rank != KNOB_DAMON_STAT || one->is_ours ||
		    !one->before || !is_same(one->before, "Y") ||
		    root_writable(root, one->path))
			continue;
		one->is_ours = true;
		one->is_off = true;
	}
}

int settings_save(const struct root *root, const struct config *config,
		  struct settings *out)
{
	char **paths;
	size_t n;
	int ret = knobcheck_arms(root, config);

	*out = (struct settings){ 0 };
	if (!ret)
		ret = knobs_list(root, &paths, &n);
	if (ret)
		return ret;
	for (size_t i = 0; i < n; i++)
		settings_add(out, paths[i]);
	root_list_free(paths, n);
	for (size_t i = 0; i < config->n_arms; i++)
		add_arm(out, &config->arms[i]);
	add_side_effects(out);
	settings_sort(out);
	for (size_t i = 0; i < out->n; i++)
		out->list[i].before = read_value(root, out->list[i].path);
	switch_off_damon_users(root, out);
	return 0;
}

/* What this run is to have in a file of ours. */
static const char *wanted(const struct setting *one)
{
	return one->asked ? one->asked : one->before;
}

static int apply_one(const struct root *root, const struct arm *arm,
		     struct setting *one)
{
	auto_free char *name = knobcheck_name(root, one->path);
	auto_free char *now = read_value(root, one->path);
	int ret;

	if (!one->asked && is_same(now, one->before))
		return 0;
	ret = put(root, one->path, wanted(one));
	return ret ? fail(ret, "arm \"%s\": write %s to %s", arm->label,
			  wanted(one), name)
		   : 0;
}

static void begin(const struct root *root, const struct arm *arm,
		  struct settings *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct setting *one = &s->list[i];

		replace(&one->at_start, read_value(root, one->path));
		replace(&one->asked, one->is_off ? xstrdup("N") : NULL);
		replace(&one->read_back, NULL);
		replace(&one->after, NULL);
	}
	for (size_t i = 0; i < arm->n_knobs; i++)
		replace(&settings_add(s, arm->knobs[i].path)->asked,
			xstrdup(arm->knobs[i].value));
}

static char *steal_or_null(struct str *s)
{
	return s->len ? str_steal(s) : NULL;
}

int settings_apply(const struct root *root, const struct arm *arm,
		   struct settings *s, char **bad)
{
	struct str text = { 0 };

	*bad = NULL;
	begin(root, arm, s);
	for (size_t i = 0; i < s->n; i++) {
		int ret = s->list[i].is_ours ? apply_one(root, arm, &s->list[i])
					     : 0;

		if (ret)
			return ret;
	}
	for (size_t i = 0; i < s->n; i++) {
		struct setting *one = &s->list[i];

		replace(&one->read_back, read_value(root, one->path));
		if (one->is_ours && !is_same(wanted(one), one->read_back))
			str_addf(&text,
				 "%s%s does not hold: %s was written, "
				 "%s read back",
				 text.len ? "; " : "", one->path, wanted(one),
				 or_none(one->read_back));
	}
	*bad = steal_or_null(&text);
	return 0;
}

/* Ours is judged by what was read back (*bad names what did not hold). */
static bool is_foreign(const struct setting *one)
{
	if (one->is_ours)
		return one->read_back && !is_same(one->read_back, one->after);
	return (one->read_back && !is_same(one->before, one->read_back)) ||
	       !is_same(one->before, one->after);
}

void settings_check(const struct root *root, struct settings *s, char **foreign)
{
	struct str text = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		struct setting *one = &s->list[i];

		replace(&one->after, read_value(root, one->path));
		if (is_foreign(one))
			str_addf(&text,
				 "%s%s was changed by somebody else: %s at "
				 "first, %s at the start of the run, %s at its "
				 "end",
				 text.len ? "; " : "", one->path,
				 or_none(one->before), or_none(one->read_back),
				 or_none(one->after));
	}
	*foreign = steal_or_null(&text);
}

static void restore_one(const struct root *root, struct setting *one)
{
	auto_free char *now = read_value(root, one->path);

	one->was_restored = false;
	one->restore_err = 0;
	if (!one->before || is_same(now, one->before))
		return;
	one->restore_err = put(root, one->path, one->before);
	one->was_restored = !one->restore_err;
	if (one->restore_err == -ENOENT) {
		warn("%s is gone: nothing to restore there", one->path);
		one->restore_err = 0;
	}
}

static int check_restored(const struct root *root, struct setting *one)
{
	auto_free char *name = knobcheck_name(root, one->path);
	auto_free char *now = NULL;

	if (one->restore_err)
		return fail(one->restore_err, "restore %s to %s", name,
			    one->before);
	if (!one->was_restored)
		return 0;
	now = read_value(root, one->path);
	if (is_same(now, one->before))
		return 0;
	one->restore_err = -EIO;
	one->was_restored = false;
	return refuse(-EIO, "restore %s: %s was written, %s read back", name,
		      one->before, or_none(now));
}

int settings_restore(const struct root *root, struct settings *s)
{
	int first = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->list[i].is_ours)
			restore_one(root, &s->list[i]);
	/* Once all are written: one may have changed another. */
	for (size_t i = 0; i < s->n; i++) {
		int ret = s->list[i].is_ours ? check_restored(root, &s->list[i])
					     : 0;

		first = first ? first : ret;
	}
	return first;
}

size_t settings_commands(bool drop_caches, bool compact_memory,
			 struct settings_command list[2])
{
	size_t n = 0;

	if (drop_caches)
		list[n++] =
			(struct settings_command){ "proc/sys/vm/drop_caches",
						   "3" };
	if (compact_memory)
		list[n++] =
			(struct settings_command){ "proc/sys/vm/compact_memory",
						   "1" };
	return n;
}

int settings_freshen(const struct root *root, bool drop_caches,
		     bool compact_memory)
{
	struct settings_command list[2];
	size_t n = settings_commands(drop_caches, compact_memory, list);

	for (size_t i = 0; i < n; i++) {
		int ret = root_write(root, list[i].path, list[i].value);

		if (ret)
			return fail(ret, "write %s to %s", list[i].value,
				    list[i].path);
	}
	return 0;
}

static char *or_empty(char *value)
{
	static char empty[1];

	return value ? value : empty;
}

struct setting_record *settings_records(const struct settings *s, size_t *n)
{
	struct setting_record *list = xcalloc(s->n, sizeof(*list));

	for (size_t i = 0; i < s->n; i++) {
		const struct setting *one = &s->list[i];

		list[i] = (struct setting_record){
			.path = one->path,
			.before = or_empty(one->at_start ? one->at_start
							 : one->before),
			.asked = or_empty(one->asked),
			.read_back = or_empty(one->read_back),
			.after = or_empty(one->after),
		};
	}
	*n = s->n;
	return list;
}

void settings_free(struct settings *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct setting *one = &s->list[i];

		free(one->path);
		free(one->before);
		free(one->at_start);
		free(one->asked);
		free(one->read_back);
		free(one->after);
	}
	free(s->list);
	*s = (struct settings){ 0 };
}
