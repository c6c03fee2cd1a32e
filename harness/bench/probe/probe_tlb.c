/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe/probe_tlb.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/counter/counter_plan.h"
#include "bench/probe/probe_memory.h"
#include "kern/host.h"
#include "kern/perf.h"

static const char role[] = "dtlb_walk";
static const uint64_t n_touches = 5000000;
static const double least_ratio = 10;

/* Takes the text: why it is missing, or the figures behind yes or no. */
static void tell(struct answer *out, enum answer_state state, char *text)
{
	if (state == ANSWER_MISSING)
		answer_set(out, state, text, NULL);
	else
		answer_set(out, state,
			   xstrdup(state == ANSWER_OK ? "yes" : "no"), text);
}

void probe_tlb_judge(const struct probe_tlb_side *small,
		     const struct probe_tlb_side *huge, struct answer *out)
{
	double by_small = (double)small->walks / (double)small->touches;
	double by_huge = (double)huge->walks / (double)huge->touches;

	if (!small->running_ns || !huge->running_ns) {
		tell(out, ANSWER_WRONG,
		     xasprintf("the group with %s opened, and was never on "
			       "the PMU: others hold its counters, or it "
			       "needs more than there are",
			       role));
	} else if (small->running_ns < small->enabled_ns ||
		   huge->running_ns < huge->enabled_ns) {
		tell(out, ANSWER_WRONG,
		     xstrdup("multiplexed: others count on this PMU too"));
	} else if (!small->walks) {
		tell(out, ANSWER_WRONG,
		     xasprintf("%s counted nothing in %" PRIu64
			       " touches of 4 KiB pages: this CPU does not "
			       "have the event",
			       role, small->touches));
	} else if (by_small > least_ratio * by_huge) {
		tell(out, ANSWER_OK,
		     xasprintf("page table walks a touch: %.5f on 4 KiB "
			       "pages, %.5f on huge pages, by %s",
			       by_small, by_huge, small->events));
	} else {
		tell(out, ANSWER_WRONG,
		     xasprintf("page table walks a touch: %.5f on 4 KiB "
			       "pages, %.5f on huge pages, by %s: not more "
			       "than %g times as many; these counts are not "
			       "what they say, or memory is not mapped as "
			       "the kernel says",
			       by_small, by_huge, small->events, least_ratio));
	}
}

/* The group that has the role; NULL with the reason in out. */
static const struct counter_group *find_group(const struct counter_plan *plan,
					      struct answer *out)
{
	const char *why = counter_plan_missing(plan, role);

	for (size_t i = 0; i < plan->n_groups; i++)
		for (size_t k = 0; k < plan->groups[i].n; k++)
			if (str_eq(plan->groups[i].events[k].role, role))
				return &plan->groups[i];
	tell(out, ANSWER_MISSING, xstrdup(why ? why : "no event for it"));
	return NULL;
}

/* "skx::A (4:0xe08) + skx::B (4:0xe49)". free() it. */
static char *events_of(const struct counter_group *g)
{
	struct str text = { 0 };

	for (size_t k = 0; k < g->n; k++)
		if (str_eq(g->events[k].role, role))
			str_addf(&text, "%s%s (%" PRIu32 ":0x%" PRIx64 ")",
				 text.len ? " + " : "", g->events[k].name,
				 g->events[k].code.type,
				 g->events[k].code.config);
	return str_steal(&text);
}

/* Count while memory is touched. 0 or -errno. */
static int count(const struct counter_group *g, struct perf *p,
		 const struct probe_memory *m, struct probe_tlb_side *side)
{
	struct perf_count before;
	struct perf_count after;
	int ret;

	probe_memory_touch(m, n_touches / 10); /* warm */
	ret = perf_read(p, &before);
	probe_memory_touch(m, n_touches);
	if (!ret)
		ret = perf_read(p, &after);
	if (ret)
		return ret;
	side->touches = n_touches;
	side->enabled_ns = after.enabled_ns - before.enabled_ns;
	side->running_ns = after.running_ns - before.running_ns;
	for (size_t k = 0; k < g->n; k++)
		if (str_eq(g->events[k].role, role))
			side->walks += after.values[k] - before.values[k];
	return 0;
}

static int count_side(const struct root *root, const struct counter_group *g,
		      struct perf *p, bool is_huge, struct probe_tlb_side *side)
{
	/* Enough small pages for no TLB, few enough huge ones for all. */
	size_t bytes = host_available_bytes(root) > 3 * NUM_GIB ? NUM_GIB
								: 128 * NUM_MIB;
	struct probe_memory m;
	int ret = probe_memory_make(root, bytes, 2 * NUM_MIB, is_huge, &m);

	if (ret)
		return ret;
	ret = count(g, p, &m, side);
	probe_memory_free(&m);
	return ret;
}

static void count_both(const struct root *root, const struct counter_group *g,
		       struct perf *p, struct answer *out)
{
	auto_free char *events = events_of(g);
	struct probe_tlb_side sides[2] = { { .events = events },
					   { .events = events } };

	for (int is_huge = 0; is_huge < 2; is_huge++) {
		int ret = count_side(root, g, p, is_huge, &sides[is_huge]);

		if (ret) {
			tell(out, ANSWER_MISSING,
			     xasprintf("memory of %s pages cannot be had: %s",
				       is_huge ? "huge" : "4 KiB",
				       ret == -ENOTSUP
					       ? "the kernel maps it otherwise"
					       : strerror(-ret)));
			return;
		}
	}
	probe_tlb_judge(&sides[0], &sides[1], out);
}

static void count_group(const struct root *root, const struct counter_group *g,
			struct answer *out)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	struct perf_code codes[PERF_MOST_EVENTS];
	struct perf *p;
	size_t at;
	int ret;

	for (size_t k = 0; k < g->n && k < PERF_MOST_EVENTS; k++)
		codes[k] = g->events[k].code;
	ret = perf_open(&self, codes, g->n, &p, &at);
	if (ret) {
		tell(out, ANSWER_MISSING,
		     perf_why(root, ret, g->events[at].name));
		return;
	}
	count_both(root, g, p, out);
	perf_close(p);
}

void probe_tlb(const struct probe_env *env, struct answer *out)
{
	const struct root *root = env->root;
	const struct counter_ask ask = { .root = root, .level = PFM_USER };
	const struct counter_group *g;
	struct counter_plan plan;

	if (counter_plan_make(&ask, &plan)) {
		tell(out, ANSWER_MISSING, xstrdup(err_last()));
		return;
	}
	g = find_group(&plan, out);
	if (g && !root->is_live)
		tell(out, ANSWER_MISSING,
		     xstrdup("nothing can be counted below a recorded root"));
	else if (g)
		count_group(root, g, out);
	counter_plan_free(&plan);
}
