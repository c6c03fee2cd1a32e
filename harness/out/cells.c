/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "out/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/wrap.h"

void cells_add(struct cells *c, char *text)
{
	auto_free char *given = text;

	XGROW(c->texts, c->n);
	c->texts[c->n++] = wrap_ascii(given);
}

size_t cells_rows(const struct cells *c)
{
	return c->n / c->n_columns;
}

const char *cells_at(const struct cells *c, size_t row, size_t col)
{
	return c->texts[row * c->n_columns + col];
}

size_t cells_width(const struct cells *c, size_t col)
{
	size_t most = 0;

	for (size_t row = 0; row < cells_rows(c); row++)
		if (strlen(cells_at(c, row, col)) > most)
			most = strlen(cells_at(c, row, col));
	return most;
}

void cells_free(struct cells *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->texts[i]);
	free(c->texts);
	*c = (struct cells){ .n_columns = c->n_columns };
}
