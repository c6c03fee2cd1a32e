/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as smaps and smaps_rollup: the pool is within the mappings. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/smaps.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct smaps_sum sum;
	struct smaps s;

	smaps_parse_rollup(text, &sum);
	if (smaps_parse(text, &s) == 0) {
		auto_free bool *is_pool = xcalloc(s.n, sizeof(*is_pool));
		size_t count = smaps_find_pool(&s, is_pool);

		for (size_t i = 0; i < s.n; i++) {
			if (s.list[i].end <= s.list[i].start)
				abort();
			count -= is_pool[i];
		}
		if (!s.n || count)
			abort();
		smaps_free(&s);
	}
	return 0;
}
