/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guard/knobcheck.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "kern/knobs.h"

#define THP "sys/kernel/mm/transparent_hugepage"

/* Where a knob stands, for messages. */
struct place {
	const struct root *root;
	const struct config *config;
	const struct arm *arm;
	const struct knob *knob;
};

char *knobcheck_name(const struct root *root, const char *path)
{
	bool has_slash = str_ends(root->path, "/");

	return xasprintf("%s%s%s", root->path, has_slash ? "" : "/", path);
}

/* "x.conf:12: arm \"T n\": thp = nevr". free() it. */
static char *where(const struct place *p)
{
	return xasprintf("%s:%u: arm \"%s\": %s = %s", p->config->path,
			 p->knob->line, p->arm->label, p->knob->key,
			 p->knob->value);
}

/* The file in the same folder whose name is nearest. NULL; free() it. */
static char *near_file(const struct place *p)
{
	const char *path = p->knob->path;
	const char *slash = strrchr(path, '/');
	size_t n_dir = slash ? (size_t)(slash - path) : 0;
	auto_free char *dir = xstrndup(path, n_dir);
	char *found;
	char **names;
	size_t n;

	if (!slash || root_list(p->root, dir, &names, &n))
		return NULL;
	found = xstrdup(str_nearest(slash + 1, (const char *const *)names, n));
	root_list_free(names, n);
	return found;
}

static int check_exists(const struct place *p)
{
	auto_free char *at = NULL;
	auto_free char *name = NULL;
	auto_free char *near = NULL;

	if (root_exists(p->root, p->knob->path))
		return 0;
	at = where(p);
	if (str_starts(p->knob->path, THP) && !root_exists(p->root, THP))
		return refuse(-ENOTSUP,
			      "%s: this kernel has no transparent huge pages "
			      "(CONFIG_TRANSPARENT_HUGEPAGE)",
			      at);
	name = knobcheck_name(p->root, p->knob->path);
	near = near_file(p);
	/* A slip of the pen, or a kernel without it. */
	return refuse(near ? -EBADMSG : -ENOTSUP,
		      "%s: this kernel has no %s%s%s%s", at, name,
		      near ? "; did you mean " : "", near ? near : "",
		      near ? "?" : "");
}

/* The sentence for a word that a file does not offer. */
static int refuse_word(const struct place *p, const char *text)
{
	auto_free char *at = where(p);
	auto_free char *name = knobcheck_name(p->root, p->knob->path);
	auto_free char *now = knob_value(text);
	auto_free char **words = NULL;
	auto_str struct str offered = { 0 };
	const char *near;
	size_t n;

	knob_words(text, &words, &n);
	if (!n)
		return refuse(-EBADMSG, "%s: %s holds %s, and takes %s", at,
			      name, now,
			      knob_takes(text, "2") ? "a whole number"
						    : "Y or N");
	for (size_t i = 0; i < n; i++)
		str_addf(&offered, "%s%s", i ? ", " : "", words[i]);
	near = str_nearest(p->knob->value, (const char *const *)words, n);
	refuse(-EBADMSG, "%s: %s offers %s%s%s%s", at, name, offered.text,
	       near ? "; did you mean " : "", near ? near : "",
	       near ? "?" : "");
	free(words[0]);
	return -EBADMSG;
}

static int check_value(const struct place *p)
{
	auto_free char *text = NULL;
	auto_free char *at = NULL;
	int ret = check_exists(p);

	if (ret)
		return ret;
	/* Somebody else's kdamond may live there: never by a plain write. */
	if (knob_rank(p->knob->path) == KNOB_DAMON) {
		at = where(p);
		return refuse(-EPERM, "%s: DAMON's files are not settings", at);
	}
	ret = root_read(p->root, p->knob->path, &text);
	if (ret) {
		auto_free char *name = knobcheck_name(p->root, p->knob->path);

		at = where(p);
		return fail(ret, "%s: read %s", at, name);
	}
	return knob_takes(text, p->knob->value) ? 0 : refuse_word(p, text);
}

static const char *cure(int err, const char *path)
{
	if (err == -EACCES)
		return geteuid() ? "; run as root" : "; nobody may";
	if (err != -EROFS)
		return "";
	return str_starts(path, "sys/")
		       ? "; in a container? mount -o remount,rw /sys"
		       : "; in a container? mount -o remount,rw /proc/sys";
}

static int check_writable(const struct place *p)
{
	static const char min_free[] = "proc/sys/vm/min_free_kbytes";
	const char *path = p->knob->path;
	int ret = root_writable(p->root, path);

	/* Pinned with every THP knob: writing `enabled` changes it. */
	if (!ret && knob_rank(path) == KNOB_THP &&
	    root_exists(p->root, min_free)) {
		path = min_free;
		ret = root_writable(p->root, path);
	}
	if (ret) {
		auto_free char *at = where(p);
		auto_free char *name = knobcheck_name(p->root, path);

		refuse(ret, "%s: may not write %s: %s%s", at, name,
		       strerror(-ret), cure(ret, path));
	}
	return ret;
}

int knobcheck_arms(const struct root *root, const struct config *config)
{
	static int (*const checks[])(const struct place *) = {
		check_value,
		check_writable,
	};
	struct place p = { .root = root, .config = config };

	for (size_t c = 0; c < ARRAY_SIZE(checks); c++) {
		for (size_t i = 0; i < config->n_arms; i++) {
			p.arm = &config->arms[i];
			for (size_t k = 0; k < p.arm->n_knobs; k++) {
				int ret;

				p.knob = &p.arm->knobs[k];
				ret = checks[c](&p);
				if (ret)
					return ret;
			}
		}
	}
	return 0;
}
