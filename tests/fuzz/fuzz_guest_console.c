/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest's console may hold: anything. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bench/guest/guest_console.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct guest_memory memory = { 1, "memory" };
	auto_free char *text = xstrndup((const char *)data, size);
	auto_free char *mark = NULL;
	auto_free char *why = NULL;
	struct guest_console c;

	guest_console_scan(text, &c);
	mark = guest_console_mark(&c);
	why = guest_console_why(&c, &memory);
	if (!mark != !c.n_lines || (mark && strpbrk(mark, "\n\t\033")) ||
	    (why && strpbrk(why, "\n\t\033")) ||
	    (c.last && strpbrk(c.last, "\n\t\033")))
		abort();
	guest_console_free(&c);
	return 0;
}
