/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/load/load_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

/* The first line with the prefix; with NULL the last that is not blank. */
static char *find_line(const char *path, const char *prefix)
{
	auto_free char *text = NULL;
	auto_free char **lines = NULL;
	const char *found = NULL;
	size_t n;

	if (!path || file_read(path, &text, NULL))
		return NULL;
	lines = str_split(text, '\n', &n);
	for (size_t i = 0; i < n; i++) {
		char *line = str_trim(lines[i]);

		if (!line[0] || (prefix && !str_starts(line, prefix)))
			continue;
		found = line;
		if (prefix)
			break;
	}
	return xstrdup(found);
}

char *load_log_fatal(const char *path)
{
	return find_line(path, "FATAL:");
}

char *load_log_reason(const char *path, int wstatus)
{
	char *fatal = load_log_fatal(path);

	return fatal || wstatus == 0 ? fatal : find_line(path, NULL);
}
