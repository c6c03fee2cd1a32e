/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of CPUs; what is read must hold at least one. */
#include "base/cpulist.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	cpu_set_t set;
	int ret = cpulist_parse(text, &set);

	if (ret && ret != -EINVAL && ret != -ERANGE)
		abort();
	if (!ret && CPU_COUNT(&set) == 0)
		abort();
	return 0;
}
