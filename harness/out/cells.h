/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of forms that no struct table prints: the grids of other tools. */
#ifndef OUT_CELLS_H
#define OUT_CELLS_H

#include <stddef.h>

/* Row by row; begin with n_columns set and the rest 0. */
struct cells {
	char **texts; /* ASCII */
	size_t n;
	size_t n_columns;
};

/* The next cell; text is freed. */
void cells_add(struct cells *c, char *text);
size_t cells_rows(const struct cells *c);
const char *cells_at(const struct cells *c, size_t row, size_t col);
/* Of the widest text of a column. */
size_t cells_width(const struct cells *c, size_t col);
void cells_free(struct cells *c);

#endif
