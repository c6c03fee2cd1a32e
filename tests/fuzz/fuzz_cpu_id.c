/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as /proc/cpuinfo, midr_el1, an event of sysfs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "kern/cpu_id.h"
#include "kern/cpu_pmu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct cpu_id id;
	uint64_t code;

	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		auto_free char *as = NULL;

		if (cpu_id_parse(text, cpu, &id))
			continue;
		as = cpu_id_text(&id);
		if (!*as || strlen(id.vendor) >= sizeof(id.vendor))
			abort();
	}
	if (!cpu_id_midr(text, &id) &&
	    (!id.is_arm || id.implementer > 0xff || id.part > 0xfff))
		abort();
	cpu_pmu_parse_event(text, &code);
	return 0;
}
