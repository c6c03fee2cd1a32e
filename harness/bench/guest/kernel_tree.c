/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where packages put the parts of a kernel. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernel_parts.h"

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

/* boot/vmlinuz-RELEASE, modules/RELEASE/vmlinuz */
static char *release_of(const char *image)
{
	auto_free char *path = xstrdup(image);
	char *slash = strrchr(path, '/');

	if (slash[1 + strlen("vmlinuz")] == '-')
		return xstrdup(slash + 1 + strlen("vmlinuz-"));
	*slash = '\0';
	return xstrdup(strrchr(path, '/') + 1);
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

	out->image = find(dir, images, ARRAY_SIZE(images));
	out->modules = find(dir, modules, ARRAY_SIZE(modules));
	out->config = find(dir, configs, ARRAY_SIZE(configs));
	if (out->modules)
		*strrchr(out->modules, '/') = '\0';
	out->release = out->image ? release_of(out->image) : NULL;
}

void kernel_tree_free(struct kernel_tree *tree)
{
	free(tree->image);
	free(tree->modules);
	free(tree->config);
	free(tree->release);
	*tree = (struct kernel_tree){ 0 };
}
