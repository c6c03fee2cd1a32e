/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a cgroup with the memory controller can be made. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "kern/cgroup.h"

/* One cgroup hierarchy: where it is mounted, and where in it we are. */
struct hierarchy {
	char *top;  /* "sys/fs/cgroup"; NULL: not mounted */
	char *ours; /* "sys/fs/cgroup/a/b", or as top */
};

static void hierarchy_free(struct hierarchy *h)
{
	free(h->top);
	free(h->ours);
}

/* Is word one of list's, which are separated by sep? */
static bool has_word(const char *list, const char *word, char sep)
{
	auto_free char *copy = xstrdup(list);
	auto_free char **words = NULL;
	size_t n;

	words = str_split(str_trim(copy), sep, &n);
	for (size_t i = 0; i < n; i++)
		if (str_eq(words[i], word))
			return true;
	return false;
}

static bool file_has_word(const struct root *root, const char *dir,
			  const char *file, const char *word)
{
	auto_free char *path = xasprintf("%s/%s", dir, file);
	auto_free char *text = NULL;

	return !root_read(root, path, &text) && has_word(text, word, ' ');
}

/* mountinfo writes blanks and the like as \040. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/*
 * A line of /proc/self/cgroup is ID:CONTROLLERS:PATH; version 2 has no
 * controllers. Returns the path, or NULL.
 */
static char *own_path(const struct root *root, int version)
{
	auto_free char *text = NULL;
	auto_free char **lines = NULL;
	size_t n;

	if (root_read(root, "proc/self/cgroup", &text))
		return NULL;
	lines = str_split(text, '\n', &n);
	for (size_t i = 0; i < n; i++) {
		char *controllers = strchr(lines[i], ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*controllers++ = '\0';
		*path++ = '\0';
		if (version == 2 ? !*controllers
				 : has_word(controllers, "memory", ','))
			return xstrdup(path);
	}
	return NULL;
}

/*
 * Fields of a line of mountinfo (proc(5)): 3 the folder of the hierarchy that
 * is mounted, 4 the mount point; behind "-" the type, source and options.
 */
static bool parse_mount(char *line, int version, char **inside, char **point)
{
	auto_free char **f = NULL;
	size_t dash = 6;
	size_t n;

	f = str_split(line, ' ', &n);
	while (dash < n && !str_eq(f[dash], "-"))
		dash++;
	if (dash + 3 >= n || f[4][0] != '/')
		return false;
	if (!str_eq(f[dash + 1], version == 2 ? "cgroup2" : "cgroup") ||
	    (version == 1 && !has_word(f[dash + 3], "memory", ',')))
		return false;
	unescape(f[3]);
	unescape(f[4]);
	*inside = f[3];
	*point = f[4] + 1;
	return true;
}

/* Our cgroup as a folder: the mount may show but a part of the hierarchy. */
static char *own_folder(const struct root *root, const char *top,
			const char *inside, const char *own)
{
	size_t skip = str_eq(inside, "/") ? 0 : strlen(inside);
	char *folder;

	if (!own || strncmp(own, inside, skip) != 0 || strstr(own, "/.."))
		return xstrdup(top);
	own += skip;
	if (!*own || str_eq(own, "/"))
		return xstrdup(top);
	folder = xasprintf("%s%s", top, own);
	if (*own == '/' && root_exists(root, folder))
		return folder;
	free(folder);
	return xstrdup(top);
}

static struct hierarchy find_hierarchy(const struct root *root, int version)
{
	struct hierarchy h = { 0 };
	auto_free char *text = NULL;
	auto_free char **lines = NULL;
	auto_free char *own = own_path(root, version);
	size_t n;

	if (root_read(root, "proc/self/mountinfo", &text))
		return h;
	lines = str_split(text, '\n', &n);
	for (size_t i = 0; i < n && !h.top; i++) {
		char *inside;
		char *point;

		if (!parse_mount(lines[i], version, &inside, &point) ||
		    !root_exists(root, point))
			continue;
		h.top = xstrdup(point);
		h.ours = own_folder(root, point, inside, own);
	}
	return h;
}

/* The root of all has no cgroup.type; the others must hold no process. */
static bool may_enable(const struct root *root, const char *dir)
{
	auto_free char *type = xasprintf("%s/cgroup.type", dir);
	auto_free char *procs = xasprintf("%s/cgroup.procs", dir);
	auto_free char *text = NULL;

	if (!file_has_word(root, dir, "cgroup.controllers", "memory"))
		return false;
	if (!root_exists(root, type))
		return true;
	return !root_read_word(root, procs, &text) && !*text;
}

static bool is_enabled(const struct root *root, const char *dir)
{
	return file_has_word(root, dir, "cgroup.subtree_control", "memory");
}

/* The nearest folder from ours up to the top that fits; NULL: none does. */
static char *climb(const struct root *root, const struct hierarchy *h,
		   bool (*fits)(const struct root *root, const char *dir))
{
	char *dir = xstrdup(h->ours);
	size_t top = strlen(h->top);

	while (!fits(root, dir)) {
		char *slash = strrchr(dir, '/');

		if (!slash || (size_t)(slash - dir) < top) {
			free(dir);
			return NULL;
		}
		*slash = '\0';
	}
	return dir;
}

static char *find_v2(const struct root *root, const struct hierarchy *h,
		     bool *must_enable)
{
	char *dir = climb(root, h, is_enabled);

	*must_enable = !dir;
	return dir ? dir : climb(root, h, may_enable);
}

int cgroup_where(const struct root *root, struct cgroup *out, bool *must_enable,
		 char **why)
{
	struct hierarchy v2 = find_hierarchy(root, 2);
	struct hierarchy v1 = find_hierarchy(root, 1);
	bool enable = false;

	out->path = v2.top ? find_v2(root, &v2, &enable) : NULL;
	out->version = 2;
	if (!out->path && v1.top) {
		out->path = xstrdup(v1.ours);
		out->version = 1;
		enable = false;
	}
	if (!out->path && v2.top)
		*why = xasprintf("the memory controller is not to be had in "
				 "/%s (cgroup version 2), and no memory "
				 "hierarchy of version 1 is mounted",
				 v2.ours);
	else if (!out->path)
		*why = xstrdup("no cgroup hierarchy is mounted that could "
			       "have the memory controller");
	hierarchy_free(&v2);
	hierarchy_free(&v1);
	if (must_enable)
		*must_enable = enable;
	return out->path ? 0 : -ENOTSUP;
}
