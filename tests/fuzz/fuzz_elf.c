/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers of programs, and what their loader prints. */
#include <stdint.h>
#include <stdlib.h>

#include "base/elf.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *lost = NULL;
	char **list = NULL;
	struct elf elf;
	size_t n = 0;

	elf_parse(data, size, &elf);
	elf_free(&elf);
	lost = elf_parse_list(text, &list, &n);
	for (size_t i = 0; i < n; i++) {
		if (list[i][0] != '/')
			abort();
		free(list[i]);
	}
	free(list);
	return 0;
}
