/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MADV_COLLAPSE of private anonymous memory, in the states it may be in. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/probe/probe_parts.h"

/* Returns an errno, 0: done. Busy is what a moment later may not be. */
static int collapse(char *at, size_t bytes)
{
	enum { TRIES = 5 };
	int err = 0;

	for (int i = 0; i < TRIES; i++) {
		err = madvise(at, bytes, PROBE_ADVICE_COLLAPSE) ? errno : 0;
		if (err != EAGAIN && err != EBUSY)
			break;
		clock_sleep_until(clock_ns() + 20 * NUM_NS_PER_MS);
	}
	return err;
}

void probe_collapse_try(const struct probe_env *env,
			const struct probe_memory *m, size_t from, size_t to,
			struct answer *out)
{
	int err = collapse(m->base + from, to - from);
	uint64_t huge_bytes;
	int ret = probe_memory_huge(env->root, m, 0, &huge_bytes);

	if (ret)
		probe_missing(out, "/proc/self/smaps: %s", strerror(-ret));
	else
		answer_set(out, ANSWER_OK,
			   probe_collapse_text(err,
					       huge_bytes / env->huge_bytes,
					       m->bytes / env->huge_bytes),
			   NULL);
}

void probe_collapse_anon(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (!probe_small_pages(env, 1, &m, out))
		probe_collapse_try(env, &m, 0, m.bytes, out);
}

static void try_disabled(const struct probe_env *env, unsigned long flags,
			 struct answer *out)
{
	struct probe_memory m;

	if (!probe_small_pages(env, 1, &m, out) &&
	    !probe_disable_thp(flags, out))
		probe_collapse_try(env, &m, 0, m.bytes, out);
}

void probe_collapse_disabled(const struct probe_env *env, struct answer *out)
{
	try_disabled(env, 0, out);
}

void probe_collapse_except_advised(const struct probe_env *env,
				   struct answer *out)
{
	try_disabled(env, PROBE_EXCEPT_ADVISED, out);
}

static void try_filled(const struct probe_env *env, size_t bytes,
		       struct answer *out)
{
	struct probe_memory m;

	if (probe_map(env, 1, &m, out))
		return;
	probe_memory_fill(&m, 0, bytes);
	if (!probe_expect_small(env, &m, out))
		probe_collapse_try(env, &m, 0, m.bytes, out);
}

void probe_collapse_one_page(const struct probe_env *env, struct answer *out)
{
	try_filled(env, 1, out);
}

void probe_collapse_empty(const struct probe_env *env, struct answer *out)
{
	try_filled(env, 0, out);
}

void probe_collapse_hole(const struct probe_env *env, struct answer *out)
{
	enum { N_HUGE = 8, WITH_HOLE = 3 };
	struct probe_memory m;

	if (probe_small_pages(env, N_HUGE, &m, out))
		return;
	munmap(m.base + WITH_HOLE * env->huge_bytes + env->huge_bytes / 2,
	       env->huge_bytes / 4);
	probe_collapse_try(env, &m, 0, m.bytes, out);
}

void probe_collapse_part(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (!probe_small_pages(env, 1, &m, out))
		probe_collapse_try(env, &m, m.bytes / 4, m.bytes / 2, out);
}

void probe_collapse_readonly(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (probe_small_pages(env, 1, &m, out))
		return;
	mprotect(m.base, m.bytes, PROT_READ);
	probe_collapse_try(env, &m, 0, m.bytes, out);
}

void probe_collapse_nohugepage(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (probe_small_pages(env, 1, &m, out))
		return;
	madvise(m.base, m.bytes, MADV_NOHUGEPAGE);
	probe_collapse_try(env, &m, 0, m.bytes, out);
}
