/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of separated values. For data/import/import*.c only. */
#ifndef DATA_IMPORT_CSV_H
#define DATA_IMPORT_CSV_H

#include <stddef.h>

struct csv_row {
	char **cells; /* trimmed, quotes undone */
	size_t n;
};

/* Cut a line, RFC 4180 but for line ends in quotes. csv_row_free() it. */
void csv_cut(const char *line, char separator, struct csv_row *out);
void csv_row_free(struct csv_row *row);
/* Which of tab, semicolon and comma a line has most of. */
char csv_separator(const char *line);

#endif
