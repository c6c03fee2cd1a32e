/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of a configuration as sections of keys, each with its line. */
#ifndef BENCH_CONFIG_TEXT_H
#define BENCH_CONFIG_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/config/config_fault.h"

struct text_key {
	char *name;
	char *value;
	unsigned int line;
};

struct text_section {
	char *name;  /* "arm" of [arm "T n"] */
	char *label; /* "T n"; NULL: it has none */
	bool is_all; /* [arm *] */
	unsigned int line;
	struct text_key *keys;
	size_t n;
};

struct text {
	struct text_section *sections;
	size_t n;
	unsigned int lines;
};

/* What faults say would be right. */
struct text_form {
	const char *section; /* how one is written: "[NAME] or [NAME *]" */
	const char *first;   /* those that a key may stand in: "[a] or [b]" */
};

/*
 * Cut a text into sections. Lines are NAME = VALUE, [SECTION],
 * [SECTION "LABEL"], [SECTION *], empty, or begin with ';' or '#'; " ;" ends
 * a value. What is none of these becomes a fault.
 */
void text_parse(const char *text, const struct text_form *form,
		struct text *out, struct faults *faults);

/*
 * FNV-1a, 64 bits, over names, labels, keys and values in their order, those of
 * claims left out.
 */
uint64_t text_hash(const struct text *t);

/* The first section of that name; NULL if there is none. */
const struct text_section *text_section(const struct text *t, const char *name);
/* The key of that name; NULL if there is none. s may be NULL. */
const struct text_key *text_key(const struct text_section *s, const char *name);
void text_free(struct text *t);

#endif
