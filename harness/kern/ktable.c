/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of names in an unpacked kernel: pointers as the linker left them, or,
 * in an arm64 kernel that moves itself, as relocations (ELF, R_AARCH64_RELATIVE
 * in Elf64_Rela). A pointer minus the offset of what it points to is the same
 * for all texts, and a multiple of 2 MiB: both architectures ask that of where
 * a kernel may lie.
 */
#include <ctype.h>
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "kern/ktext.h"

enum {
	RELATIVE = 1027, /* R_AARCH64_RELATIVE, symbol 0 */
	MOST_WORDS = 64,
	LONGEST_WORD = 40,
};

static const size_t slot_bytes = sizeof(uint64_t);
static const uint64_t place_mask = 2 * 1024 * 1024 - 1;

/* How the tables of mm/damon/sysfs*.c begin: one may lie behind another. */
static const char *const starts[] = {
	"vaddr", "willneed", "user_input", "none", "anon", "consist",
};

struct table {
	const struct ktext *t;
	bool is_relocated; /* pointers stand in relocations */
	uint64_t where;    /* offset of the first pointer */
	uint64_t delta;    /* address minus offset of a text */
	uint64_t stride;
};

static uint64_t u64(const struct ktext *t, size_t at)
{
	uint64_t value;

	memcpy(&value, t->data + at, sizeof(value));
	return le64toh(value);
}

/* Is a whole relocation at this offset? */
static bool is_relocation(const struct ktext *t, size_t at)
{
	return t->n >= 3 * slot_bytes && at <= t->n - 3 * slot_bytes &&
	       u64(t, at + slot_bytes) == RELATIVE;
}

/* What stands at an offset; false outside. */
static bool read_u64(const struct ktext *t, uint64_t at, uint64_t *value)
{
	if (t->n < slot_bytes || at > t->n - slot_bytes)
		return false;
	*value = u64(t, (size_t)at);
	return true;
}

static bool read_slot(const struct table *b, uint64_t where, uint64_t *value)
{
	if (!b->is_relocated)
		return read_u64(b->t, where, value);
	for (size_t at = 0; at < b->t->n; at += slot_bytes) {
		if (!is_relocation(b->t, at) ||
		    u64(b->t, at) != where + b->delta)
			continue;
		*value = u64(b->t, at + 2 * slot_bytes);
		return true;
	}
	return false;
}

/* The word that a slot points to; NULL if it points to none. */
static const char *word_at(const struct table *b, uint64_t where)
{
	uint64_t value;
	uint64_t at;

	if (!read_slot(b, where, &value))
		return NULL;
	at = value - b->delta;
	for (size_t i = 0; i <= LONGEST_WORD && at + i < b->t->n; i++) {
		unsigned char c = b->t->data[at + i];

		if (!c)
			return i ? (const char *)b->t->data + at : NULL;
		if (!islower(c) && !isdigit(c) && c != '_')
			return NULL;
	}
	return NULL;
}

/* Of a number and a pointer each: does the number before the next go on? */
static bool counts_on(const struct table *b, uint64_t where)
{
	uint64_t number;
	uint64_t before;

	return read_u64(b->t, where - slot_bytes, &number) &&
	       read_u64(b->t, where - slot_bytes - b->stride, &before) &&
	       number > before && number < MOST_WORDS;
}

/* Is the slot at where the next of the table? */
static bool goes_on(const struct table *b, uint64_t where)
{
	const char *word = word_at(b, where);

	if (!word)
		return false;
	if (b->stride > slot_bytes)
		return counts_on(b, where);
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (str_eq(word, starts[i]))
			return false;
	return true;
}

/* Does the second word follow the first, and how far from it? */
static bool find_stride(struct table *b, const char *second)
{
	for (b->stride = slot_bytes; b->stride <= 2 * slot_bytes;
	     b->stride += slot_bytes) {
		uint64_t where = b->where + b->stride;

		if (goes_on(b, where) && str_eq(word_at(b, where), second))
			return true;
	}
	return false;
}

/* Is a slot or a relocation at this offset a pointer to a text at goal? */
static bool points(struct table *b, size_t at, size_t goal)
{
	uint64_t value = u64(b->t, at);

	b->is_relocated = is_relocation(b->t, at);
	b->where = at;
	if (b->is_relocated) {
		b->where = value;
		value = u64(b->t, at + 2 * slot_bytes);
	}
	b->delta = value - goal;
	if (b->is_relocated)
		b->where -= b->delta;
	/* Addresses of a kernel are in the upper half. */
	return value >> 63 && (b->delta & place_mask) == 0;
}

/* Relocations may contradict each other: the first of an address counts. */
static bool begins(const struct table *b, const char *first)
{
	const char *word = word_at(b, b->where);

	return word && str_eq(word, first);
}

static bool find_table(struct table *b, size_t goal, const char *first,
		       const char *second)
{
	for (size_t at = 0; at + slot_bytes <= b->t->n; at += slot_bytes)
		if (points(b, at, goal) && begins(b, first) &&
		    find_stride(b, second))
			return true;
	return false;
}

static const char **read_table(const struct table *b, size_t *n)
{
	const char **words = NULL;
	uint64_t where = b->where;

	*n = 0;
	do {
		XGROW(words, *n);
		words[(*n)++] = word_at(b, where);
		where += b->stride;
	} while (*n < MOST_WORDS && goes_on(b, where));
	return words;
}

const char **ktext_table(const struct ktext *t, const char *first,
			 const char *second, size_t *n)
{
	struct table b = { .t = t };
	size_t goal = ktext_next_word(t, 0, first);

	for (; goal < t->n; goal = ktext_next_word(t, goal + 1, first))
		if (find_table(&b, goal, first, second))
			return read_table(&b, n);
	*n = 0;
	return NULL;
}
