/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/kimage.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

/* How each kind of packed data begins, and what unpacks it. */
static const struct {
	const char *magic;
	size_t length;
	const char *program;
} packers[] = {
	{ "\x1f\x8b", 2, "gzip" },
	{ "\xfd"
	  "7zXZ",
	  6, "xz" },
	{ "\x5d\0\0", 3, "xz" }, /* lzma */
	{ "BZh", 3, "bzip2" },
	{ "\x02\x21\x4c\x18", 4, "lz4" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
};

struct bytes {
	const unsigned char *data;
	size_t n;
};

static bool holds(struct bytes b, size_t at, const char *magic, size_t length)
{
	return at <= b.n && b.n - at >= length &&
	       memcmp(b.data + at, magic, length) == 0;
}

static uint32_t u32(struct bytes b, size_t at)
{
	return b.data[at] | (uint32_t)b.data[at + 1] << 8 |
	       (uint32_t)b.data[at + 2] << 16 | (uint32_t)b.data[at + 3] << 24;
}

static int set_payload(struct bytes b, size_t offset, size_t length,
		       struct kimage *out)
{
	if (offset >= b.n || length > b.n - offset || !length)
		return -ENOEXEC;
	out->offset = offset;
	out->length = length;
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		if (!holds(b, offset, packers[i].magic, packers[i].length))
			continue;
		out->program = packers[i].program;
		return 0;
	}
	return -ENOEXEC;
}

/* boot.rst: the payload lies behind the setup, of setup_sects + 1 sectors. */
static int parse_x86(struct bytes b, struct kimage *out)
{
	size_t sectors = b.data[0x1f1] ? b.data[0x1f1] : 4;

	out->arch = "amd64";
	if (b.n < 0x250 || b.data[0x206] + 256 * b.data[0x207] < 0x208)
		return -ENOEXEC;
	return set_payload(b, (sectors + 1) * 512 + u32(b, 0x248),
			   u32(b, 0x24c), out);
}

int kimage_parse(const void *data, size_t n, struct kimage *out)
{
	struct bytes b = { data, n };

	*out = (struct kimage){ 0 };
	if (holds(b, 0x202, "HdrS", 4) && n >= 0x250)
		return parse_x86(b, out);
	if (holds(b, 56, "ARM\x64", 4)) {
		out->arch = "arm64";
		out->length = n;
		return 0;
	}
	if (holds(b, 0, "MZ", 2) && holds(b, 4, "zimg", 4) && n >= 16)
		return set_payload(b, u32(b, 8), u32(b, 12), out);
	return set_payload(b, 0, n, out);
}
