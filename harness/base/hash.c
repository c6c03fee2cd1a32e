/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

uint64_t hash_bytes(uint64_t hash, const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)data[i]) *
		       UINT64_C(0x100000001b3);
	return hash;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text));
}

char *hash_name(uint64_t hash)
{
	return xasprintf("%016" PRIx64, hash);
}

char *hash_of_file(const char *path)
{
	auto_free char *data = NULL;
	size_t n;

	if (file_read(path, &data, &n))
		return NULL;
	return hash_name(hash_bytes(HASH_START, data, n));
}
