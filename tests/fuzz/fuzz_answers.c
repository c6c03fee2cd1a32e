/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept answers of probes: refused with a reason, or written again the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/answers.h"
#include "kern/kmsg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *first = NULL;
	auto_free char *second = NULL;
	auto_free char *why = NULL;
	auto_str struct str line = { 0 };
	struct answers a;

	kmsg_line(text, &line);
	if (answers_parse(text, &a, &why)) {
		if (!why || a.n || a.host.n)
			abort();
		return 0;
	}
	first = answers_format(&a);
	answers_free(&a);
	if (answers_parse(first, &a, &why))
		abort();
	second = answers_format(&a);
	answers_free(&a);
	if (strcmp(first, second))
		abort();
	return 0;
}
