/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text line by line. For data/import/import*.c only. */
#ifndef DATA_IMPORT_LINES_H
#define DATA_IMPORT_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct import_lines {
	const char *at;
	char *line;    /* the current one, without its end */
	size_t number; /* of it, from 1 */
};

/* The next line into l->line; false at the end, and then it is freed. */
bool import_next_line(struct import_lines *l);

#endif
