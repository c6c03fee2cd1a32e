/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/damon: the writes of whole set-ups, against tests/golden/damon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/damon.h"

enum { MOST_KDAMONDS = 2 };

/* Fills in s[0..n), initialised before; returns n. */
typedef size_t set_up(struct damon_setup *s);

/* The letters' own: 10..1000 regions, 5 ms, 100 ms, 60 s, 128 MB a second. */
static size_t published(struct damon_setup *s, const char *action)
{
	s->pid = 4711;
	s->scheme.action = action;
	s->scheme.quota_bytes = 128000000;
	s->scheme.quota_reset_ms = 1000;
	s->scheme.apply_interval_us = 50000;
	s->scheme.age.min = 50;
	return 1;
}

static size_t hugepage(struct damon_setup *s)
{
	return published(s, "hugepage");
}

static size_t collapse(struct damon_setup *s)
{
	return published(s, "collapse");
}

static void add_goal(struct damon_scheme *s, const char *metric,
		     uint64_t target)
{
	XGROW(s->goals, s->n_goals);
	s->goals[s->n_goals++] = (struct damon_goal){
		.metric = xstrdup(metric),
		.target = target,
		.nid = -1,
	};
}

static size_t autotune_temporal(struct damon_setup *s)
{
	s->scheme.tuner = xstrdup("temporal");
	add_goal(&s->scheme, "hugepage_mem_bp", 1000);
	return published(s, "collapse");
}

static size_t autotune_consist(struct damon_setup *s)
{
	s->scheme.tuner = xstrdup("consist");
	add_goal(&s->scheme, "user_input", 2500);
	s->scheme.goals[0].current = 17;
	return published(s, "collapse");
}

static size_t node_goals(struct damon_setup *s)
{
	add_goal(&s->scheme, "node_mem_used_bp", 9000);
	s->scheme.goals[0].nid = 0;
	add_goal(&s->scheme, "node_memcg_used_bp", 100);
	s->scheme.goals[1].nid = 1;
	s->scheme.goals[1].path = xstrdup("/db");
	s->scheme.target_nid = 1;
	return published(s, "migrate_hot");
}

static void add_region(struct damon_setup *s, uint64_t start, uint64_t end)
{
	XGROW(s->regions, s->n_regions);
	s->regions[s->n_regions++] = (struct damon_range){ start, end };
}

static size_t fvaddr(struct damon_setup *s)
{
	s->ops = "fvaddr";
	add_region(s, 0x7f0000000000, 0x7f0018000000);
	add_region(s, 0x7f0020000000, 0x7f0028000000);
	return published(s, "collapse");
}

static size_t fvaddr_unknown(struct damon_setup *s)
{
	published(s, "collapse");
	s->ops = "fvaddr";
	s->pid = 0;
	return 1;
}

static size_t paddr(struct damon_setup *s)
{
	published(s, "pageout");
	s->ops = "paddr";
	add_region(s, 0x100000000, 0x200000000);
	return 1;
}

static size_t monitor(struct damon_setup *s)
{
	s->pid = 1;
	s->has_refresh = true;
	s->refresh_ms = 250;
	return 1;
}

static size_t tuned_intervals(struct damon_setup *s)
{
	s->pid = 1;
	s->intervals_goal =
		(struct damon_intervals_goal){ 400, 3, 5000, 10000000 };
	return 1;
}

static size_t fail_charge(struct damon_setup *s)
{
	s->scheme.has_fail_charge = true;
	s->scheme.fail_charge_num = 1;
	s->scheme.fail_charge_denom = 4096;
	return published(s, "collapse");
}

static size_t filters(struct damon_setup *s)
{
	struct damon_filter *f = xcalloc(2, sizeof(*f));

	f[0] = (struct damon_filter){ 4096, 8192, true };
	f[1] = (struct damon_filter){ 16384, 32768, false };
	s->scheme.filters = f;
	s->scheme.n_filters = 2;
	return published(s, "hugepage");
}

static size_t weights(struct damon_setup *s)
{
	s->scheme.weight_sz_permil = 1;
	s->scheme.weight_accesses_permil = 990;
	s->scheme.weight_age_permil = 9;
	s->scheme.quota_ms = 10;
	return published(s, "hugepage");
}

static size_t watermarks(struct damon_setup *s)
{
	s->scheme.watermark_metric = xstrdup("free_mem_rate");
	s->scheme.watermark_interval_us = 5000000;
	s->scheme.watermark_high = 500;
	s->scheme.watermark_mid = 400;
	s->scheme.watermark_low = 200;
	return published(s, "pageout");
}

static size_t limits(struct damon_setup *s)
{
	s->pid = 1;
	s->nr_regions = (struct damon_range){ 100, 200 };
	s->scheme.sz_bytes = (struct damon_range){ 2097152, DAMON_MOST };
	s->scheme.nr_accesses = (struct damon_range){ 1, 20 };
	s->scheme.age = (struct damon_range){ 5, UINT32_MAX };
	return 1;
}

static size_t two_kdamonds(struct damon_setup *s)
{
	for (size_t i = 0; i < 2; i++) {
		published(&s[i], "collapse");
		s[i].ops = "fvaddr";
		add_region(&s[i], (i + 1) * NUM_GIB, (i + 2) * NUM_GIB);
	}
	return 2;
}

struct row {
	set_up *fill;
	const char *golden;
};

static char *as_text(const struct damon_writes *w)
{
	struct str text = { 0 };

	for (size_t i = 0; i < w->n; i++) {
		assert_true(str_starts(w->list[i].path, DAMON_ROOT "/"));
		str_addf(&text, "%s %s%s\n",
			 w->list[i].path + strlen(DAMON_ROOT "/"),
			 w->list[i].value,
			 w->list[i].is_optional ? " (where it is)" : "");
	}
	return str_steal(&text);
}

/* GOLDEN=1 writes what is expected anew. */
static void compare(const char *text, const char *golden)
{
	auto_free char *path = xasprintf("tests/golden/damon/%s.txt", golden);
	auto_free char *expected = NULL;

	if (getenv("GOLDEN"))
		assert_int_equal(file_publish(path, text), 0);
	assert_int_equal(file_read(path, &expected, NULL), 0);
	assert_string_equal(text, expected);
}

static void check_plan(void **state)
{
	const struct row *row = *state;
	struct damon_setup setups[MOST_KDAMONDS];
	struct damon_writes w;
	auto_free char *text = NULL;
	size_t n;

	for (size_t i = 0; i < MOST_KDAMONDS; i++)
		damon_setup_init(&setups[i]);
	n = row->fill(setups);
	damon_plan(setups, n, &w);
	text = as_text(&w);
	compare(text, row->golden);
	damon_writes_free(&w);
	assert_int_equal(w.n, 0);
	for (size_t i = 0; i < MOST_KDAMONDS; i++)
		damon_setup_free(&setups[i]);
}

static void test_stop(void **state)
{
	struct damon_writes w;
	auto_free char *text = NULL;

	(void)state;
	damon_plan_stop(2, &w);
	text = as_text(&w);
	assert_string_equal(text, "0/state off\n1/state off\nnr_kdamonds 0\n");
	damon_writes_free(&w);
}

#define ROW(name, fill)                                                        \
	{                                                                      \
		name, check_plan, NULL, NULL, &(struct row)                    \
		{                                                              \
			fill, name                                             \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("hugepage", hugepage),
		ROW("collapse", collapse),
		ROW("autotune-temporal", autotune_temporal),
		ROW("autotune-consist", autotune_consist),
		ROW("node-goals", node_goals),
		ROW("fvaddr", fvaddr),
		ROW("fvaddr-unknown", fvaddr_unknown),
		ROW("paddr", paddr),
		ROW("monitor", monitor),
		ROW("tuned-intervals", tuned_intervals),
		ROW("fail-charge", fail_charge),
		ROW("filters", filters),
		ROW("weights", weights),
		ROW("watermarks", watermarks),
		ROW("limits", limits),
		ROW("two-kdamonds", two_kdamonds),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
