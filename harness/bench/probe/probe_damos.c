/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scheme of DAMON's over a large mapping in which a narrow range is hot: how
 * much of it does the action reach? The probe's process is the target.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/damos/damos.h"
#include "bench/guard/journal.h"
#include "bench/probe/probe_parts.h"
#include "kern/pagemap.h"
#include "kern/smaps.h"

/* In huge pages; the range does not end where a huge page does. */
enum { N_HUGE = 64, HOT_FROM = 20, N_HOT = 4, PAGE_BYTES = 4096 };

static const uint64_t lasts_ns = 9 * NUM_NS_PER_S;
static const uint64_t sample_ns = 30 * NUM_NS_PER_MS;

struct scene {
	const struct probe_env *env;
	struct probe_memory m;
	char *hot;
	size_t hot_bytes;
	char *scratch; /* more pages than are flushed one by one */
};

enum { SCRATCH_BYTES = 64 * PAGE_BYTES };

static double mib(uint64_t bytes)
{
	return (double)bytes / (double)NUM_MIB;
}

static int set_scene(const struct probe_env *env, struct scene *s,
		     struct answer *out)
{
	s->env = env;
	if (probe_small_pages(env, N_HUGE, &s->m, out))
		return -ENOMEM;
	s->hot = s->m.base + HOT_FROM * env->huge_bytes + env->huge_bytes / 2;
	s->hot_bytes = N_HOT * env->huge_bytes;
	s->scratch = mmap(NULL, SCRATCH_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (s->scratch != MAP_FAILED)
		return 0;
	probe_missing(out, "no memory to be had");
	return -ENOMEM;
}

/*
 * Written to again and again. DAMON clears the bit that says so without a
 * flush: what stays in the TLB looks idle, so all of it is flushed each time
 * (tlb_single_page_flush_ceiling is 33 pages). Returns how often.
 */
static uint64_t heat(const struct scene *s)
{
	uint64_t end_ns = clock_ns() + lasts_ns;
	uint64_t n = 0;

	for (; clock_ns() < end_ns; n++) {
		for (size_t at = 0; at < s->hot_bytes; at += PAGE_BYTES)
			*(volatile char *)(s->hot + at) = 1;
		mprotect(s->scratch, SCRATCH_BYTES, PROT_READ);
		mprotect(s->scratch, SCRATCH_BYTES, PROT_READ | PROT_WRITE);
		for (size_t at = 0; at < SCRATCH_BYTES; at += PAGE_BYTES)
			s->scratch[at] = 1;
	}
	return n;
}

/* Advised: by the flag of the mappings that the advice has cut it into. */
static int measure_advised(const struct scene *s, uint64_t start, uint64_t end,
			   uint64_t *bytes)
{
	auto_free char *path = xasprintf("proc/%d/smaps", (int)getpid());
	auto_free char *text = NULL;
	struct smaps maps;
	int ret = root_read(s->env->root, path, &text);

	if (!ret)
		ret = smaps_parse(text, &maps);
	if (ret)
		return ret;
	*bytes = 0;
	for (size_t i = 0; i < maps.n; i++) {
		const struct smaps_vma *v = &maps.list[i];
		uint64_t from = v->start > start ? v->start : start;
		uint64_t to = v->end < end ? v->end : end;

		if (v->has_hugepage && from < to)
			*bytes += to - from;
	}
	smaps_free(&maps);
	return 0;
}

/* Collapsed: by the page table. */
static int measure_huge(const struct scene *s, uint64_t start, uint64_t end,
			uint64_t *bytes)
{
	auto_close int fd = pagemap_open(s->env->root, getpid());

	return fd < 0 ? fd : pagemap_huge_in(fd, start, end, bytes);
}

/* What a scheme is, and how to see what it did. */
struct scheme {
	const char *action;
	int (*measure)(const struct scene *s, uint64_t start, uint64_t end,
		       uint64_t *bytes);
};

/*
 * Regions that are hot nearly everywhere, and were so for a while: what is
 * advised stays so, and in the beginning regions are larger than what is hot.
 * Between two samples there is time to write to all of the hot range, under
 * emulation too.
 */
static void fill_config(const struct scheme *scheme, struct damos_config *c)
{
	*c = (struct damos_config){ .is_used = true, .n_kdamonds = 1 };
	damon_setup_init(&c->setup);
	c->setup.ops = "vaddr";
	c->setup.sample_us = sample_ns / 1000;
	c->setup.aggr_us = 10 * c->setup.sample_us;
	c->setup.scheme.action = scheme->action;
	c->setup.scheme.nr_accesses.min = 6; /* of 10 */
	c->setup.scheme.age.min = 3;
}

/* May it be tried here? Nothing is written before nobody else uses DAMON. */
static int check(const struct probe_env *env, const struct damos_config *c,
		 struct answer *out)
{
	struct facts offered = { 0 };
	auto_free char *why = NULL;
	auto_free char *lacks = NULL;
	int ret = damos_free_to_use(env->root, &why);

	if (!ret)
		ret = journal_kdamonds(env->journal, 1, getpid(), "vaddr");
	if (!ret)
		ret = damos_probe(env->root, &offered, &why);
	if (!ret)
		lacks = damos_lacks(c, &offered);
	facts_free(&offered);
	if (ret || lacks)
		probe_missing(out, "%s", ret ? why ? why : err_last() : lacks);
	return ret || lacks ? -ENOTSUP : 0;
}

/* Where the CPU is not ours often enough, no sample sees what is hot. */
static bool is_hot(uint64_t n, struct answer *out)
{
	uint64_t each_ns = lasts_ns / (n ? n : 1);

	if (2 * each_ns <= sample_ns)
		return true;
	probe_missing(out,
		      "the machine is too slow, or too busy: the hot range "
		      "was written to each %.0f ms, and is sampled each %.0f",
		      (double)each_ns / (double)NUM_NS_PER_MS,
		      (double)sample_ns / (double)NUM_NS_PER_MS);
	return false;
}

static void answer(const struct scene *s, const struct scheme *scheme,
		   struct answer *out)
{
	uint64_t base = (uintptr_t)s->m.base;
	uint64_t hot = (uintptr_t)s->hot;
	struct probe_reach r = {
		.hot_bytes = s->hot_bytes,
		.rest_bytes = s->m.bytes - s->hot_bytes,
	};
	uint64_t all = 0;
	int ret = scheme->measure(s, hot, hot + s->hot_bytes, &r.hit_bytes);

	if (!ret)
		ret = scheme->measure(s, base, base + s->m.bytes, &all);
	if (ret) {
		probe_missing(out, "look at its memory: %s", strerror(-ret));
		return;
	}
	r.miss_bytes = all - r.hit_bytes;
	answer_set(out, ANSWER_OK, probe_reach_text(&r),
		   xasprintf("%.2f of %.0f MiB, and %.2f of %.0f MiB beside "
			     "it, in %.0f s",
			     mib(r.hit_bytes), mib(r.hot_bytes),
			     mib(r.miss_bytes), mib(r.rest_bytes),
			     (double)lasts_ns / (double)NUM_NS_PER_S));
}

static void try(const struct probe_env *env, const struct scheme *scheme,
		struct answer *out)
{
	struct damos_config c;
	struct damos *damos;
	auto_free char *how = NULL;
	struct scene s;

	fill_config(scheme, &c);
	if (!check(env, &c, out) && !set_scene(env, &s, out)) {
		if (damos_start(env->root, &c, getpid(), env->journal, &damos,
				&how)) {
			probe_missing(out, "%s", err_last());
		} else {
			if (is_hot(heat(&s), out))
				answer(&s, scheme, out);
			damos_stop(damos, NULL);
		}
	}
	damon_setup_free(&c.setup);
}

void probe_damos_hugepage(const struct probe_env *env, struct answer *out)
{
	static const struct scheme hugepage = { "hugepage", measure_advised };

	try(env, &hugepage, out);
}

void probe_damos_collapse(const struct probe_env *env, struct answer *out)
{
	static const struct scheme collapse = { "collapse", measure_huge };

	try(env, &collapse, out);
}
