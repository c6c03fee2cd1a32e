/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a letter: its tables lie inside it and are whole. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/lint/mail.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct mail *m, const struct mail_table *t)
{
	if (t->first > t->last || t->last >= m->n_lines || !t->n_rows ||
	    !t->n_columns)
		abort();
	for (size_t r = 0; r < t->n_rows; r++) {
		if (t->rows[r].line < t->first || t->rows[r].line > t->last)
			abort();
		for (size_t c = 0; c < t->n_columns; c++)
			if (!t->rows[r].cells[c].text)
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct mail m;

	mail_parse(text, &m);
	for (size_t i = 0; i < m.n_tables; i++)
		check_table(&m, &m.tables[i]);
	for (size_t i = 1; i < m.n_tables; i++)
		if (m.tables[i].first <= m.tables[i - 1].last)
			abort();
	mail_free(&m);
	return 0;
}
