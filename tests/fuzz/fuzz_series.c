/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of a result folder: any bytes give whole rows or an error. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "data/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct series s;

	if (series_parse((const char *)data, size, &s))
		return 0;
	/* A cell has a byte at least: memory stays in proportion. */
	if (s.n_rows * s.n_columns > size)
		abort();
	for (size_t i = 0; i < s.n_rows; i++)
		if (!isfinite(s.cells[i * s.n_columns]))
			abort();
	series_free(&s);
	return 0;
}
