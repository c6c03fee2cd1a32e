/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any line of trace_pipe: what is taken for an event has all its parts. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/tracefs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *line = xstrndup((const char *)data, size);
	size_t n = strlen(line);
	struct trace_event e;
	uint64_t esz;

	if (!trace_event_parse(line, &e))
		return 0;
	if (e.fields < line || e.fields > line + n || e.pid < 0)
		abort();
	if (!trace_event_u64(&e, "esz", &esz)) {
		auto_free char *word = trace_event_word(&e, "esz");

		if (!word)
			abort();
	}
	return 0;
}
