/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/cpu_id.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* The value of the line "key : value" of a block; NULL: none. free() it. */
static char *block_get(const char *block, size_t n, const char *key)
{
	const char *end = block + n;
	size_t len = strlen(key);

	for (const char *line = block; line < end;) {
		size_t width = strcspn(line, "\n");
		const char *p = line + len;

		if (width > len && strncmp(line, key, len) == 0) {
			p += strspn(p, " \t");
			if (*p == ':') {
				auto_free char *value = xstrndup(
					p + 1, (size_t)(line + width - p) - 1);

				return xstrdup(str_trim(value));
			}
		}
		line += width + (line[width] == '\n');
	}
	return NULL;
}

static bool block_number(const char *block, size_t n, const char *key,
			 uint64_t *out)
{
	auto_free char *text = block_get(block, n, key);

	return text && num_u64(text, out) == 0;
}

/* The lines of one CPU end with an empty one. */
static size_t block_size(const char *block)
{
	const char *end = strstr(block, "\n\n");

	return end ? (size_t)(end - block) + 1 : strlen(block);
}

static bool read_block(const char *block, size_t n, struct cpu_id *out)
{
	auto_free char *vendor = block_get(block, n, "vendor_id");

	*out = (struct cpu_id){ 0 };
	if (vendor && strlen(vendor) < sizeof(out->vendor)) {
		memcpy(out->vendor, vendor, strlen(vendor) + 1);
		return block_number(block, n, "cpu family", &out->family) &&
		       block_number(block, n, "model", &out->model) &&
		       block_number(block, n, "stepping", &out->stepping);
	}
	out->is_arm = true;
	return block_number(block, n, "CPU implementer", &out->implementer) &&
	       block_number(block, n, "CPU part", &out->part);
}

int cpu_id_parse(const char *cpuinfo, unsigned int cpu, struct cpu_id *out)
{
	struct cpu_id id;
	uint64_t number;

	for (const char *p = cpuinfo; *p;) {
		size_t n = block_size(p);

		if (block_number(p, n, "processor", &number) && number == cpu) {
			if (!read_block(p, n, &id))
				return -ENOENT;
			*out = id;
			return 0;
		}
		p += n;
		p += strspn(p, "\n");
	}
	return -ENOENT;
}

int cpu_id_midr(const char *text, struct cpu_id *out)
{
	auto_free char *copy = xstrdup(text);
	uint64_t midr;

	if (num_u64(str_trim(copy), &midr) || !midr)
		return -EPROTO;
	*out = (struct cpu_id){
		.is_arm = true,
		.implementer = midr >> 24 & 0xff,
		.part = midr >> 4 & 0xfff,
	};
	return 0;
}

int cpu_id_read(const struct root *root, unsigned int cpu, struct cpu_id *out)
{
	auto_free char *path = xasprintf("sys/devices/system/cpu/cpu%u/regs/"
					 "identification/midr_el1",
					 cpu);
	auto_free char *midr = NULL;
	auto_free char *cpuinfo = NULL;
	int ret;

	if (!root_read(root, path, &midr) && !cpu_id_midr(midr, out))
		return 0;
	ret = root_read(root, "proc/cpuinfo", &cpuinfo);
	return ret ? ret : cpu_id_parse(cpuinfo, cpu, out);
}

char *cpu_id_text(const struct cpu_id *id)
{
	if (id->is_arm)
		return xasprintf("implementer 0x%02" PRIx64
				 " part 0x%03" PRIx64,
				 id->implementer, id->part);
	return xasprintf("%s family %" PRIu64 " model %" PRIu64
			 " stepping %" PRIu64,
			 id->vendor, id->family, id->model, id->stepping);
}
