/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/import/import_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool import_next_line(struct import_lines *l)
{
	size_t n;

	free(l->line);
	l->line = NULL;
	if (!l->at || !*l->at)
		return false;
	n = strcspn(l->at, "\n");
	l->line = xstrndup(l->at, n && l->at[n - 1] == '\r' ? n - 1 : n);
	l->at += n + (l->at[n] == '\n');
	l->number++;
	return true;
}
