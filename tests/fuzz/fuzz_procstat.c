/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as /proc/PID/stat: the name ends within its room. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/procstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct procstat st;

	if (procstat_parse(text, &st) == 0 &&
	    (strnlen(st.comm, sizeof(st.comm)) == sizeof(st.comm) ||
	     st.ppid < 0))
		abort();
	return 0;
}
