/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel is asked for. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/packages/apt_sources.h"
#include "bench/guest/kernel_fetch.h"

const char kernel_default_suite[] = "trixie-backports";

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int kernel_spec_parse(const char *text, struct kernel_spec *out)
{
	const char *slash = strchr(text, '/');
	auto_free char *suite = NULL;

	*out = (struct kernel_spec){ 0 };
	if (is_file(text)) {
		if (str_ends(text, ".deb"))
			out->deb = xstrdup(text);
		else
			out->image = xstrdup(text);
		return 0;
	}
	if (!text[0] || str_starts(text, "linux-")) {
		out->suite = xstrdup(kernel_default_suite);
		out->pattern = text[0] ? xstrdup(text) : NULL;
		return 0;
	}
	suite = xstrndup(text, strcspn(text, "/"));
	if (!apt_is_suite_name(suite) || str_ends(text, ".deb") ||
	    (slash && (!slash[1] || strchr(slash + 1, '/'))))
		return refuse(-EINVAL,
			      "%s: no such file, and no SUITE, SUITE/VERSION "
			      "or package",
			      text);
	out->suite = xstrdup(suite);
	out->pattern = slash ? xstrdup(slash + 1) : NULL;
	return 0;
}

void kernel_spec_free(struct kernel_spec *spec)
{
	free(spec->suite);
	free(spec->pattern);
	free(spec->deb);
	free(spec->image);
	*spec = (struct kernel_spec){ 0 };
}

bool kernel_release_matches(const char *release, const char *pattern)
{
	size_t n = strlen(pattern);

	if (fnmatch(pattern, release, 0) == 0)
		return true;
	return strncmp(release, pattern, n) == 0 &&
	       !(isdigit((unsigned char)release[n]) && n &&
		 isdigit((unsigned char)pattern[n - 1]));
}
