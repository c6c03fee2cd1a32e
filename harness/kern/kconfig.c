/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/kconfig.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

char kconfig_get(const char *text, const char *name)
{
	auto_free char *start = xasprintf("CONFIG_%s=", name);

	for (const char *line = text; *line;) {
		if (str_starts(line, start)) {
			char c = line[strlen(start)];

			return c == 'm' || c == 'n' ? c : 'y';
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return 'n';
}
