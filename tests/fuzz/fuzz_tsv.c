/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tab-separated text: what was read is written and read again the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/tsv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_row(const struct tsv *t, size_t row)
{
	struct str line = { 0 };
	struct tsv again;

	for (size_t i = 0; i < t->widths[row]; i++)
		tsv_add_cell(&line, t->rows[row][i]);
	str_addc(&line, '\n');
	tsv_parse(str_steal(&line), &again);
	if (again.n_rows != 1 || again.widths[0] != t->widths[row])
		abort();
	for (size_t i = 0; i < t->widths[row]; i++)
		if (strcmp(again.rows[0][i], t->rows[row][i]))
			abort();
	tsv_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tsv t;

	tsv_parse(xstrndup((const char *)data, size), &t);
	for (size_t i = 0; i < t.n_rows; i++)
		check_row(&t, i);
	tsv_column(&t, "t_s");
	tsv_free(&t);
	return 0;
}
