/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tests of what this machine and its kernel do: thpbench probe. */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include "base/root.h"

enum probe_state {
	PROBE_OK,      /* as it should be */
	PROBE_WRONG,   /* not so: text says what is to be doubted */
	PROBE_MISSING, /* cannot be found out here: text says why */
};

struct probe_result {
	enum probe_state state;
	char *text; /* sentences; free() it */
};

struct probe {
	const char *name;
	const char *help; /* one line: the question that it answers */
	void (*run)(const struct root *root, struct probe_result *out);
};

/* All of them. A new one is a file bench/probe_NAME.c and a row. */
extern const struct probe probes[];
extern const size_t n_probes;

/*
 * Do the TLB counters mean what they say? Memory is touched at random, mapped
 * by 4 KiB pages and then by huge ones: page table walks per touch must
 * differ by more than 10 times. Takes seconds, and up to 1 GiB of memory.
 */
void probe_tlb(const struct root *root, struct probe_result *out);

#endif
