/* SPDX-License-Identifier: GPL-3.0-or-later */
/* manifest.json: refused with a reason, or written again the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *first = NULL;
	auto_free char *second = NULL;
	auto_free char *why = NULL;
	struct experiment e;

	if (manifest_parse(text, &e, &why)) {
		if (!why || e.id)
			abort();
		return 0;
	}
	first = manifest_text(&e);
	experiment_free(&e);
	if (manifest_parse(first, &e, &why))
		abort();
	second = manifest_text(&e);
	experiment_free(&e);
	if (strcmp(first, second))
		abort();
	return 0;
}
