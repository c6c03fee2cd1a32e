/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where packages put the parts of a kernel. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/kernel_parts.h"

/* The first path below dir that one of the patterns finds; NULL: none. */
static char *find(const char *dir, const char *const *patterns, size_t n)
{
	char *path = NULL;

	for (size_t i = 0; i < n && !path; i++) {
		auto_free char *pattern = xasprintf("%s/%s", dir, patterns[i]);
		glob_t found;

		if (glob(pattern, 0, NULL, &found))
			continue;
		path = xstrdup(found.gl_pathv[0]);
		globfree(&found);
	}
	return path;
}

void kernel_tree_find(const char *dir, struct kernel_tree *out)
{
	static const char *const images[] = {
		"usr/lib/modules/*/vmlinuz",
		"lib/modules/*/vmlinuz",
		"boot/vmlinuz-*",
		"boot/vmlinux-*",
	};
	static const char *const modules[] = {
		"usr/lib/modules/*/kernel",
		"lib/modules/*/kernel",
	};
	static const char *const configs[] = {
		"boot/config-*",
		"usr/lib/modules/*/config",
		"lib/modules/*/config",
	};
	char *slash;

	out->image = find(dir, images, ARRAY_SIZE(images));
	out->modules = find(dir, modules, ARRAY_SIZE(modules));
	out->config = find(dir, configs, ARRAY_SIZE(configs));
	out->release = NULL;
	if (out->modules) {
		slash = strrchr(out->modules, '/');
		*slash = '\0';
		out->release = xstrdup(strrchr(out->modules, '/') + 1);
	} else if (out->image) {
		slash = strrchr(out->image, '/');
		if (str_starts(slash, "/vmlinuz-") ||
		    str_starts(slash, "/vmlinux-"))
			out->release = xstrdup(slash + strlen("/vmlinuz-"));
	}
}

void kernel_tree_free(struct kernel_tree *tree)
{
	free(tree->image);
	free(tree->modules);
	free(tree->config);
	free(tree->release);
	*tree = (struct kernel_tree){ 0 };
}
