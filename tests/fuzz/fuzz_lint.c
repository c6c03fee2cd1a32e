/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as a letter to lint: findings are of its lines, in their order. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/lint/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	size_t n_lines = 1;
	struct lint found;

	for (const char *p = text; *p; p++)
		n_lines += *p == '\n';
	lint_text(text, &found);
	for (size_t i = 0; i < found.n; i++)
		if (found.list[i].line < 1 || found.list[i].line > n_lines ||
		    !found.list[i].text[0] ||
		    (i && found.list[i].line < found.list[i - 1].line))
			abort();
	lint_free(&found);
	return 0;
}
