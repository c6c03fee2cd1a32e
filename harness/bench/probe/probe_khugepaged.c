/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What khugepaged makes of memory that was advised MADV_HUGEPAGE. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/probe/probe_parts.h"

#define FULL_SCANS "sys/kernel/mm/transparent_hugepage/khugepaged/full_scans"

/* Behind so many it has seen all memory: one may have been on its way. */
static const uint64_t enough_scans = 3;
static const uint64_t wait_ns = 15 * NUM_NS_PER_S;

static int full_scans(const struct root *root, uint64_t *n)
{
	auto_free char *text = NULL;
	int ret = root_read_word(root, FULL_SCANS, &text);

	return ret ? ret : num_u64(text, n);
}

struct watch {
	uint64_t n_scans; /* since it began */
	uint64_t huge_bytes;
	uint64_t took_ns;
};

/* Until it is collapsed, was scanned often enough, or it takes too long. */
static int watch(const struct probe_env *env, const struct probe_memory *m,
		 struct watch *w)
{
	uint64_t begin_ns = clock_ns();
	uint64_t before;
	int ret = full_scans(env->root, &before);

	while (!ret) {
		uint64_t now;

		/* In this order: what a scan did is then seen. */
		ret = full_scans(env->root, &now);
		if (!ret)
			ret = probe_memory_huge(env->root, m, 0,
						&w->huge_bytes);
		if (ret)
			break;
		w->n_scans = now - before;
		w->took_ns = clock_ns() - begin_ns;
		if (w->huge_bytes >= m->bytes || w->n_scans >= enough_scans ||
		    w->took_ns > wait_ns)
			break;
		clock_sleep_until(clock_ns() + 20 * NUM_NS_PER_MS);
	}
	return ret;
}

static void try(const struct probe_env *env, struct probe_memory *m,
		struct answer *out)
{
	struct watch w = { 0 };
	int ret = 0;

	/* Behind the page faults, which were to bring small pages. */
	if (madvise(m->base, m->bytes, MADV_HUGEPAGE))
		ret = -errno;
	if (!ret)
		ret = watch(env, m, &w);
	if (ret)
		probe_missing(out, "watch khugepaged: %s", strerror(-ret));
	else if (w.huge_bytes)
		answer_set(out, ANSWER_OK, xstrdup("collapsed"),
			   xasprintf("in %.2f s",
				     (double)w.took_ns / (double)NUM_NS_PER_S));
	else if (w.n_scans < enough_scans)
		probe_missing(out,
			      "khugepaged scanned all memory %" PRIu64
			      " times in %.0f s: too few to tell",
			      w.n_scans,
			      (double)w.took_ns / (double)NUM_NS_PER_S);
	else
		answer_set(out, ANSWER_OK, xstrdup("not collapsed"),
			   xasprintf("in %" PRIu64 " full scans, %.2f s",
				     w.n_scans,
				     (double)w.took_ns / (double)NUM_NS_PER_S));
}

void probe_khugepaged_anon(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (!probe_small_pages(env, 1, &m, out))
		try(env, &m, out);
}

void probe_khugepaged_readonly(const struct probe_env *env, struct answer *out)
{
	struct probe_memory m;

	if (probe_small_pages(env, 1, &m, out))
		return;
	mprotect(m.base, m.bytes, PROT_READ);
	try(env, &m, out);
}
