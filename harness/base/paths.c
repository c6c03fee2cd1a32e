/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/paths.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

enum { MOST_PLACES = 8 };

/* Cut the last name off a path; "" for what is in no folder. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup("");
}

/* The part before the last "/build/" or a closing "/build"; NULL: none. */
static char *tree_of(const char *dir)
{
	auto_free char *closed = xasprintf("%s/", dir);
	const char *found = NULL;

	for (const char *p = closed; (p = strstr(p, "/build/")); p++)
		found = p;
	return found ? xstrndup(closed, (size_t)(found - closed)) : NULL;
}

/* The folders to look in; places are free()d by the caller. */
static size_t list_places(const char *exe, const char *share,
			  char *places[MOST_PLACES])
{
	auto_free char *dir = parent_of(exe);
	auto_free char *tree = tree_of(dir);
	size_t n = 0;

	if (share && share[0])
		places[n++] = xstrdup(share);
	if (tree && (str_ends(dir, "/tests") || str_ends(dir, "/tools"))) {
		char *up = parent_of(dir);

		free(dir);
		dir = up;
	}
	places[n++] = xstrdup(dir);
	if (tree) {
		places[n++] = xasprintf("%s/workloads", tree);
		places[n++] = xasprintf("%s/plots", tree);
		places[n++] = xasprintf("%s/results", tree);
	}
	places[n++] = xasprintf("%s/../share/thpbench", dir);
	places[n++] = xasprintf("%s/../lib/thpbench", dir);
	return n;
}

static void free_places(char **places, size_t n)
{
	while (n)
		free(places[--n]);
}

char *paths_find_for(const char *exe, const char *share, const char *name)
{
	char *places[MOST_PLACES];
	size_t n = list_places(exe, share, places);
	char *found = NULL;

	for (size_t i = 0; i < n && !found; i++) {
		auto_free char *path = xasprintf("%s/%s", places[i], name);

		if (access(path, R_OK) == 0)
			found = realpath(path, NULL);
	}
	free_places(places, n);
	return found;
}

char *paths_find(const char *name)
{
	const char *share = getenv("THPBENCH_SHARE");
	char exe[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *places[MOST_PLACES];
	auto_str struct str list = { 0 };
	char *found;
	size_t n;

	exe[len > 0 ? len : 0] = '\0';
	found = paths_find_for(exe, share, name);
	if (found)
		return found;
	n = list_places(exe, share, places);
	for (size_t i = 0; i < n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", places[i]);
	free_places(places, n);
	refuse(-ENOENT, "%s is in none of %s; set THPBENCH_SHARE to its folder",
	       name, list.text);
	return NULL;
}
