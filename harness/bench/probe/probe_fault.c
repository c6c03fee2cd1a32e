/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which page faults bring huge pages. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "bench/probe/probe_parts.h"

enum { N_HUGE = 4 };

/* Memory mapped anew, advised or not, is touched: how is it mapped? */
static char *fault(const struct probe_env *env, bool is_advised,
		   struct answer *out)
{
	struct probe_memory m;
	uint64_t huge_bytes;
	int ret;

	if (probe_map(env, N_HUGE, &m, out))
		return NULL;
	if (is_advised)
		madvise(m.base, m.bytes, MADV_HUGEPAGE);
	probe_memory_fill(&m, 0, m.bytes);
	ret = probe_memory_huge(env->root, &m, 0, &huge_bytes);
	if (ret) {
		probe_missing(out, "/proc/self/smaps: %s", strerror(-ret));
		return NULL;
	}
	return probe_fault_text(huge_bytes / env->huge_bytes, N_HUGE);
}

static void try(const struct probe_env *env, bool is_advised,
		struct answer *out)
{
	char *text = fault(env, is_advised, out);

	if (text)
		answer_set(out, ANSWER_OK, text, NULL);
}

void probe_fault(const struct probe_env *env, struct answer *out)
{
	try(env, false, out);
}

void probe_fault_advised(const struct probe_env *env, struct answer *out)
{
	try(env, true, out);
}

void probe_fault_disabled(const struct probe_env *env, struct answer *out)
{
	if (!probe_disable_thp(0, out))
		try(env, true, out);
}

void probe_fault_except_advised(const struct probe_env *env, struct answer *out)
{
	auto_free char *advised = NULL;
	auto_free char *others = NULL;

	if (probe_disable_thp(PROBE_EXCEPT_ADVISED, out))
		return;
	advised = fault(env, true, out);
	others = advised ? fault(env, false, out) : NULL;
	if (others)
		answer_set(out, ANSWER_OK,
			   xasprintf("advised: %s; others: %s", advised,
				     others),
			   NULL);
}

/*
 * One at a time, with something small behind it: not each is then aligned
 * because the one before was.
 */
void probe_mmap_aligned(const struct probe_env *env, struct answer *out)
{
	enum { TRIES = 8 };
	uint64_t n_aligned = 0;

	for (int i = 0; i < TRIES; i++) {
		char *small = mmap(NULL, 4096, PROT_READ,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		char *large = mmap(NULL, N_HUGE * env->huge_bytes,
				   PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (small == MAP_FAILED || large == MAP_FAILED) {
			probe_missing(out, "mmap: %s", strerror(errno));
			return;
		}
		n_aligned += (uintptr_t)large % env->huge_bytes == 0;
	}
	/* By chance one of them may be. */
	answer_set(out, ANSWER_OK,
		   xstrdup(n_aligned == TRIES ? "aligned" : "not aligned"),
		   xasprintf("%" PRIu64 " of %d", n_aligned, TRIES));
}
