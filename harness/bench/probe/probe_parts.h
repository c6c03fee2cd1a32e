/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the probes of bench/probe/probe_*.c share, and their functions. */
#ifndef BENCH_PROBE_PARTS_H
#define BENCH_PROBE_PARTS_H

#include "bench/probe/probe.h"
#include "bench/probe/probe_memory.h"

enum {
	PROBE_ADVICE_COLLAPSE = 25, /* MADV_COLLAPSE: older headers lack it */
	PROBE_EXCEPT_ADVISED = 2,   /* PR_THP_DISABLE_EXCEPT_ADVISED, 6.18 */
};

/* A reason why there is no answer. */
void probe_missing(struct answer *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * What came of an attempt: its errno (0: none), and how many huge pages of
 * those that there was room for. "collapsed"; "refused: EINVAL"; "done, but no
 * huge page"; "7 of 8 huge pages, then ENOMEM".
 */
char *probe_collapse_text(int err, uint64_t n_huge, uint64_t n_room);

/* Pages that came without being asked for: "huge pages", "small pages". */
char *probe_fault_text(uint64_t n_huge, uint64_t n_room);

/*
 * Room for so many huge pages, mapped anew and empty. 0; or -errno, and out
 * says why there is no answer: huge pages of 512 MiB may be more than is free.
 */
int probe_map(const struct probe_env *env, size_t n_huge,
	      struct probe_memory *m, struct answer *out);
/*
 * The same, filled with small pages. 0; or -errno, and out says why
 * there is no answer.
 */
int probe_small_pages(const struct probe_env *env, size_t n_huge,
		      struct probe_memory *m, struct answer *out);
/* None of it is mapped by huge pages. 0, or out says that it is. */
int probe_expect_small(const struct probe_env *env,
		       const struct probe_memory *m, struct answer *out);
/* prctl(PR_SET_THP_DISABLE, 1, flags). 0, or out says why not. */
int probe_disable_thp(unsigned long flags, struct answer *out);

/* --- probe_collapse.c, probe_collapse_file.c: MADV_COLLAPSE --- */

/* Collapse [base + from, base + to), and answer what came of it. */
void probe_collapse_try(const struct probe_env *env,
			const struct probe_memory *m, size_t from, size_t to,
			struct answer *out);
void probe_collapse_anon(const struct probe_env *env, struct answer *out);
void probe_collapse_disabled(const struct probe_env *env, struct answer *out);
void probe_collapse_except_advised(const struct probe_env *env,
				   struct answer *out);
void probe_collapse_one_page(const struct probe_env *env, struct answer *out);
void probe_collapse_empty(const struct probe_env *env, struct answer *out);
void probe_collapse_hole(const struct probe_env *env, struct answer *out);
void probe_collapse_part(const struct probe_env *env, struct answer *out);
void probe_collapse_readonly(const struct probe_env *env, struct answer *out);
void probe_collapse_nohugepage(const struct probe_env *env, struct answer *out);
void probe_collapse_shmem(const struct probe_env *env, struct answer *out);
void probe_collapse_file(const struct probe_env *env, struct answer *out);
void probe_collapse_ramfs(const struct probe_env *env, struct answer *out);

/* --- probe_other.c: from outside, by process_madvise(2) --- */
void probe_other_collapse(const struct probe_env *env, struct answer *out);
void probe_other_hugepage(const struct probe_env *env, struct answer *out);

/* --- probe_khugepaged.c --- */
void probe_khugepaged_anon(const struct probe_env *env, struct answer *out);
void probe_khugepaged_readonly(const struct probe_env *env, struct answer *out);

/* --- probe_fault.c: huge pages by page faults --- */
void probe_fault(const struct probe_env *env, struct answer *out);
void probe_fault_advised(const struct probe_env *env, struct answer *out);
void probe_fault_disabled(const struct probe_env *env, struct answer *out);
void probe_fault_except_advised(const struct probe_env *env,
				struct answer *out);
void probe_mmap_aligned(const struct probe_env *env, struct answer *out);

/* --- probe_stress.c --- */
void probe_stress(const struct probe_env *env, struct answer *out);

/* What its threads did. */
struct probe_stress_seen {
	uint64_t n_collapses;
	uint64_t n_collapsed; /* of these, without an error */
	uint64_t n_unmaps;
	uint64_t n_forks;
	uint64_t n_bad; /* pages that hold what nobody wrote */
	uint64_t lasted_ns;
	bool is_over; /* a thread could not go on */
};

/* said: what the kernel said meanwhile, as kmsg_read() has it. */
void probe_stress_judge(const struct probe_stress_seen *s, const char *said,
			struct answer *out);

/* --- probe_damos.c --- */
void probe_damos_hugepage(const struct probe_env *env, struct answer *out);
void probe_damos_collapse(const struct probe_env *env, struct answer *out);

/*
 * What a scheme reached of a mapping with a narrow hot range, in bytes: of the
 * range, and of what lies beside it.
 */
struct probe_reach {
	uint64_t hot_bytes;  /* the range */
	uint64_t rest_bytes; /* what lies beside it */
	uint64_t hit_bytes;  /* reached of the range */
	uint64_t miss_bytes; /* reached of the rest */
};

/*
 * "most of the hot range, little else". DAMON finds borders by chance: the
 * words are so coarse that a second time gives the same. free() it.
 */
char *probe_reach_text(const struct probe_reach *r);

#endif
