/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small tests of what this machine and its kernel do: thpbench probe. */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/root.h"
#include "data/answers.h"

struct journal;

/* What a probe is given, in a process of its own that ends behind it. */
struct probe_env {
	const struct root *root;
	struct journal *journal; /* of the guard; NULL: nothing is changed */
	uint64_t huge_bytes;
};

struct probe {
	const char *name;
	const char *asks; /* the question, in one line */
	/* Sets the answer; what it allocates, forks or maps ends with it. */
	void (*run)(const struct probe_env *env, struct answer *out);
	/*
	 * Settings that hold while it runs, "thp=never thp.defrag=always":
	 * keys of an arm, thpbench.conf(5). NULL: none.
	 */
	const char *knobs;
	unsigned int limit_s; /* it is killed behind it: no answer */
	bool uses_damon;      /* one kdamond, with the probe as its target */
	bool is_recorded;     /* has something to say of a recorded tree */
};

/* All of them. A new one is a function and a row. */
extern const struct probe probes[];
extern const size_t n_probes;

/* By name; NULL, printed with the nearest, if there is none. */
const struct probe *probe_find(const char *name);

/*
 * Run these on this kernel, under guard: one after the other, each in its own
 * child with its time limit and its settings, which are put back at the end.
 * Adds an answer for each, and the machine's facts. Below a recorded root
 * nothing is tried: what cannot be found there is missing. tell (NULL: none)
 * is called before each. Returns 0, or an exit status, printed: a lock that is
 * held, a signal.
 */
int probe_run(const struct root *root, const struct probe *const *list,
	      size_t n, void (*tell)(const struct probe *),
	      struct answers *out);

/*
 * The same in a fresh guest of a kernel: its image. Returns 0, or an exit
 * status, printed, if the guest gave no answers.
 */
int probe_guest(const char *image, const struct probe *const *list, size_t n,
		struct answers *out);

/* --- probe_child.c --- */

/*
 * Run one in a child, at most for its time limit or until guard_stopped();
 * all that it began is then killed. *pid is the child's, which has ended.
 */
void probe_child(const struct probe *p, const struct probe_env *env,
		 struct answer *out, int *pid);

/* --- the probes --- */

/*
 * Do the TLB counters mean what they say? Memory is touched at random, mapped
 * by 4 KiB pages and then by huge ones: page table walks per touch must
 * differ by more than 10 times. Takes seconds, and up to 1 GiB of memory.
 */
void probe_tlb(const struct probe_env *env, struct answer *out);

#endif
