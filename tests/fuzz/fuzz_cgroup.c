/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as memory.stat of both versions. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/cgroup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct cgroup_memory m = { 0 };

	for (int version = 1; version <= 2; version++)
		if (cgroup_parse_memory(text, version, &m) == 0 &&
		    version == 1 && m.has_counts)
			abort();
	return 0;
}
