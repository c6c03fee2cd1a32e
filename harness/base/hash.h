/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A short name for a text or a file: FNV-1a, 64 bits. No secret depends on it.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Of n bytes, NULs among them, behind those of hash; HASH_START: of none. */
uint64_t hash_bytes(uint64_t hash, const char *data, size_t n);
/* hash_text(hash_text(HASH_START, a), b) is that of a and b in a row. */
uint64_t hash_text(uint64_t hash, const char *text);
/* 16 hex digits; free() it. */
char *hash_name(uint64_t hash);
/* The same of the bytes of a file; NULL if it cannot be read. free() it. */
char *hash_of_file(const char *path);

#endif
