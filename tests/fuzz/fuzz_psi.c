/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as /proc/pressure/memory. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/psi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct psi psi;

	if (psi_parse(text, &psi) == 0 && !strstr(text, "some "))
		abort();
	return 0;
}
