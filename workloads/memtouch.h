/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memtouch: what its parts share. */
#ifndef MEMTOUCH_H
#define MEMTOUCH_H

#include <signal.h>
#include <stdint.h>

enum pattern { UNIFORM, HOT, SEQUENTIAL };

struct options {
	uint64_t bytes, threads, seconds;
	double hot_share, hot_range, hot_start; /* per cent */
	uint64_t is_friendly, is_advised, is_populated;
	uint64_t pattern;
};

/* Memory as one run of bytes, whatever mappings it lies in. */
struct area {
	char *base;
	uint64_t n_pages;
	uint64_t page_bytes;
	unsigned int chunk_shift;  /* of a mapping's size */
	uint64_t stride;           /* from one mapping to the next */
	uint64_t first_hot, n_hot; /* pages */
};

/* Set by a signal, or at the end. */
extern volatile sig_atomic_t must_end;

/* Prints "memtouch: WHAT NAME: strerror(errno)" (if errno is set); exit 1. */
_Noreturn void die(const char *what, const char *name);

/* A whole number, k M G T for powers of 1024, at most that. Returns 1 if so. */
int parse_number(const char *text, uint64_t most, uint64_t *out);
/* Fills in what the arguments say; dies of a wrong one. */
void parse_options(int argc, char **argv, struct options *o);

/* Map the memory and touch each page once; dies where it cannot. */
void area_make(const struct options *o, struct area *a);

/* The word at an offset into the area. */
static inline volatile uint64_t *area_word(const struct area *a,
					   uint64_t offset)
{
	uint64_t chunk = offset >> a->chunk_shift;
	uint64_t within = offset & ((UINT64_C(1) << a->chunk_shift) - 1);

	return (volatile uint64_t *)(void *)(a->base + chunk * a->stride +
					     within);
}

#endif
