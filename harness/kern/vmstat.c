/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/vmstat.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/num.h"

/* "name value", "Name: value kB"; any other line is not ours. */
static bool parse_value(const char *rest, uint64_t *out)
{
	uint64_t value;

	if (num_scan_u64(&rest, &value))
		return false;
	if (strncmp(rest, " kB", 3) == 0) {
		if (__builtin_mul_overflow(value, NUM_KIB, &value))
			return false;
		rest += 3;
	}
	if (*rest && *rest != '\n' && *rest != ' ')
		return false;
	*out = value;
	return true;
}

static size_t index_of(const char *name, size_t len, const char *const *names,
		       size_t n)
{
	size_t i = 0;

	while (i < n && (strncmp(names[i], name, len) != 0 || names[i][len]))
		i++;
	return i;
}

size_t vmstat_parse(const char *text, const char *const *names, size_t n,
		    uint64_t *found, unsigned char *is_there)
{
	size_t count = 0;

	memset(is_there, 0, n);
	for (const char *line = text; line && *line && count < n;) {
		size_t len = strcspn(line, ": \t\n");
		size_t i = index_of(line, len, names, n);
		const char *rest = line + len + (line[len] == ':');

		if (i < n && !is_there[i] && parse_value(rest, &found[i])) {
			is_there[i] = 1;
			count++;
		}
		line = strchr(rest, '\n');
		if (line)
			line++;
	}
	return count;
}

int vmstat_get(const char *text, const char *name, uint64_t *out)
{
	unsigned char is_there;

	return vmstat_parse(text, &name, 1, out, &is_there) ? 0 : -ENOENT;
}
