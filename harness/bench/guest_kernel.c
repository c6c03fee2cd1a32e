/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest_kernel.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/prepared.h"

char *guest_kernel_dir(void)
{
	auto_free char *cache = prepared_cache_dir();

	return xasprintf("%s/kernels", cache);
}

static char *image_of(const char *dir, const char *name)
{
	return xasprintf("%s/%s/vmlinuz", dir, name);
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int guest_kernel_list(char ***names, size_t *n)
{
	auto_free char *path = guest_kernel_dir();
	auto_dir DIR *dir = opendir(path);
	struct dirent *e;

	*names = NULL;
	*n = 0;
	if (!dir)
		return errno == ENOENT ? 0 : fail(-errno, "read %s", path);
	while ((e = readdir(dir))) {
		auto_free char *image = image_of(path, e->d_name);

		/* One that begins with a dot is not whole yet. */
		if (e->d_name[0] == '.' || access(image, R_OK))
			continue;
		XGROW(*names, *n);
		(*names)[(*n)++] = xstrdup(e->d_name);
	}
	if (*n)
		qsort(*names, *n, sizeof(**names), by_version);
	return 0;
}

static char *newest(void)
{
	auto_free char *dir = guest_kernel_dir();
	char *image = NULL;
	char **names;
	size_t n;

	if (guest_kernel_list(&names, &n))
		return NULL;
	if (n)
		image = image_of(dir, names[n - 1]);
	else
		refuse(-ENOENT,
		       "there is no kernel in %s: thpbench guest fetch gets "
		       "one, or name the path of an image",
		       dir);
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return image;
}

char *guest_kernel_find(const char *word)
{
	auto_free char *dir = guest_kernel_dir();
	char *image;

	if (str_eq(word, "guest"))
		return newest();
	if (strchr(word, '/'))
		return xstrdup(word);
	image = image_of(dir, word);
	if (access(image, R_OK) == 0)
		return image;
	free(image);
	refuse(-ENOENT,
	       "%s has no kernel %s: thpbench guest list names those that "
	       "there are; the path of an image has a / in it",
	       dir, word);
	return NULL;
}
