/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as /proc/PID/statm: what is shared is resident. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/statm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct statm statm;

	if (statm_parse(text, &statm) == 0 &&
	    statm.shared_bytes > statm.resident_bytes)
		abort();
	return 0;
}
