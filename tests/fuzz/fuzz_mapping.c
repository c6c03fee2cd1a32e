/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smaps or maps of a server, summed up by what a mapping is for. */
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/collect/mapping.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = xstrndup((const char *)data, size);
	struct mappings m;
	struct smaps s;
	uint64_t bytes = 0;

	if (smaps_parse(text, &s))
		return 0;
	mapping_group(&s, "mariadbd", true, &m);
	/* Nothing is lost, nothing counted twice. */
	for (size_t i = 0; i < s.n; i++)
		bytes += s.list[i].rss_bytes;
	for (size_t i = 0; i < m.n; i++) {
		bytes -= m.list[i].rss_bytes;
		if (!*m.list[i].name || !*m.list[i].range)
			abort();
	}
	if (bytes)
		abort();
	mappings_free(&m);
	smaps_free(&s);
	return 0;
}
