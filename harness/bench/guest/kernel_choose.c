/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which packages of a suite make up the kernel that is asked for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernel_parts.h"

static const char image_prefix[] = "linux-image-";

/* Packages that have no kernel of their own, or none that is signed off. */
static bool is_plain(const char *name)
{
	static const char *const ends[] = { "-dbg", "-unsigned" };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (str_ends(name, ends[i]))
			return false;
	return true;
}

/* The cloud image of the highest release that matches; NULL: none does. */
static int find_matching(const struct apt *apt, const char *pattern,
			 char **package)
{
	auto_free char *flavour = xasprintf("-cloud-%s", apt->arch);
	const char *best = NULL;
	struct facts names;
	int ret = apt_names(apt, image_prefix, &names);

	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.list[i].name;
		const char *release = name + strlen(image_prefix);

		if (!is_plain(name) || !str_ends(name, flavour) ||
		    !kernel_release_matches(release, pattern))
			continue;
		if (!best || strverscmp(release, best) > 0)
			best = release;
	}
	*package = best ? xasprintf("%s%s", image_prefix, best) : NULL;
	facts_free(&names);
	return ret;
}

static int first_package(const struct apt *apt, const char *pattern,
			 char **package)
{
	int ret;

	if (!pattern) {
		*package = xasprintf("%scloud-%s", image_prefix, apt->arch);
		return 0;
	}
	if (str_starts(pattern, "linux-")) {
		*package = xstrdup(pattern);
		return 0;
	}
	ret = find_matching(apt, pattern, package);
	if (!ret && !*package)
		ret = refuse(-ENOENT, "suite %s has no cloud kernel %s for %s",
			     apt->suite, pattern, apt->arch);
	return ret;
}

static bool is_kernel_part(const char *name, void *arg)
{
	static const char *const prefixes[] = { image_prefix, "linux-binary-",
						"linux-base-",
						"linux-modules-" };

	(void)arg;
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_starts(name, prefixes[i]))
			return true;
	return false;
}

int kernel_choose(const struct apt *apt, const char *pattern,
		  struct deb822 *packages)
{
	auto_free char *first = NULL;
	int ret = first_package(apt, pattern, &first);

	if (ret)
		return ret;
	ret = deb_closure(apt, first, is_kernel_part, NULL, packages);
	if (ret == -ENOENT)
		return refuse(ret, "suite %s has no package %s for %s",
			      apt->suite, first, apt->arch);
	return ret;
}
