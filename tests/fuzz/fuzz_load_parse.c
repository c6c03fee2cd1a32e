/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a load's report: what is taken has sane figures. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "bench/load/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load_line line;

	if (load_parse((const char *)data, size, &line))
		return 0;
	if (line.is_final)
		return line.final_transactions < 0 || line.final_seconds < 0
		       ? abort(),
		       0 : 0;
	for (int i = 0; i < LOAD_N_COLUMNS; i++) {
		bool may_miss =
			i >= LOAD_LATENCY_P95_MS && i <= LOAD_LATENCY_MAX_MS;

		if (isnan(line.cells[i]) ? !may_miss : line.cells[i] < 0)
			abort();
	}
	return 0;
}
