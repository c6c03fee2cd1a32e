/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as vmstat or meminfo: one name finds what many names find. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/vmstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	static const char *const names[] = { "thp_fault_alloc", "MemTotal",
					     "pgfault", "THP_enabled" };
	unsigned char is_there[ARRAY_SIZE(names)];
	uint64_t found[ARRAY_SIZE(names)] = { 0 };
	size_t n =
		vmstat_parse(text, names, ARRAY_SIZE(names), found, is_there);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t one = 0;

		if ((vmstat_get(text, names[i], &one) == 0) != is_there[i] ||
		    one != found[i])
			abort();
		n -= is_there[i];
	}
	if (n)
		abort();
	return 0;
}
