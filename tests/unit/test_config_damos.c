/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What damos.* of an arm becomes. Bad ones: tests/e2e/bad-configs.sh. */
#include "bench/config/config_damos.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/config/config.h"

/* Behind base/err.h: it has a fail() too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define BASE "monitoring_attrs/"

/* Keys of an arm and a write that they lead to; NULL: no such write. */
struct row {
	const char *keys; /* lines behind damos = collapse */
	const char *path; /* behind contexts/0/ */
	const char *value;
};

static void read_arm(const char *keys, struct config *c)
{
	auto_free char *text =
		xasprintf("[arm \"a\"]\ndamos = collapse\n%s\n", keys);

	err_quiet(1);
	if (config_parse("x.conf", text, c))
		fail_msg("%s", err_last());
}

static const char *write_of(const struct damon_writes *w, const char *path)
{
	auto_free char *full = xasprintf(DAMON_ROOT "/0/contexts/0/%s", path);

	for (size_t i = 0; i < w->n; i++)
		if (str_eq(w->list[i].path, full))
			return w->list[i].value;
	return NULL;
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct damon_writes writes;
	struct config c;
	const char *value;

	read_arm(row->keys, &c);
	damon_plan(&c.arms[0].scheme.setup, 1, &writes);
	value = write_of(&writes, row->path);
	if (row->value)
		assert_non_null(value);
	if (!str_eq(value, row->value))
		fail_msg("%s is %s, not %s", row->path, value, row->value);
	damon_writes_free(&writes);
	config_free(&c);
}

/* What is not for the kernel as it stands. */
static void check_ours(void **state)
{
	const struct damos_config *s;
	struct config c;

	(void)state;
	read_arm("damos.ops = fvaddr\ndamos.kdamonds = 3\n"
		 "damos.goal = hugepage_mem_bp 2500\n",
		 &c);
	s = &c.arms[0].scheme;
	assert_int_equal(c.arms[0].damos, DAMOS_SCHEME);
	assert_true(s->is_used);
	assert_true(s->is_pool);
	assert_int_equal(s->setup.n_regions, 0);
	assert_int_equal(s->n_kdamonds, 3);
	assert_int_equal(s->goal, DAMOS_GOAL_SYSTEM);
	assert_true(s->goal_bp == 2500);
	assert_int_equal(s->setup.scheme.n_goals, 0);
	assert_string_equal(facts_get(&c.arms[0].keys, "damos.goal"),
			    "hugepage_mem_bp 2500");
	config_free(&c);
	read_arm("damos.goal = process_huge_bp 10000\n", &c);
	s = &c.arms[0].scheme;
	assert_int_equal(s->goal, DAMOS_GOAL_PROCESS);
	assert_true(s->goal_bp == 10000);
	assert_int_equal(s->n_kdamonds, 1);
	assert_false(s->is_pool);
	config_free(&c);
}

static void check_kernel_goal(void **state)
{
	const struct damon_goal *goal;
	struct config c;

	(void)state;
	read_arm("damos.goal = node_memcg_used_bp 300 1 /db\n", &c);
	assert_int_equal(c.arms[0].scheme.goal, DAMOS_GOAL_KERNEL);
	assert_int_equal(c.arms[0].scheme.setup.scheme.n_goals, 1);
	goal = &c.arms[0].scheme.setup.scheme.goals[0];
	assert_string_equal(goal->metric, "node_memcg_used_bp");
	assert_true(goal->target == 300);
	assert_int_equal(goal->nid, 1);
	assert_string_equal(goal->path, "/db");
	config_free(&c);
	read_arm("damos.goal = kernel:cold_mem_bp 7\n", &c);
	goal = &c.arms[0].scheme.setup.scheme.goals[0];
	assert_string_equal(goal->metric, "cold_mem_bp");
	assert_int_equal(goal->nid, -1);
	assert_null(goal->path);
	config_free(&c);
}

/* [arm *] is for the arms that it means something in. */
static void check_all(void **state)
{
	static const char text[] = "[arm *]\n"
				   "damos.ops = fvaddr\n"
				   "damos.addresses = 0x1000-0x3000\n"
				   "damos.tuner = temporal\n"
				   "damos.age = 1s max\n"
				   "[arm \"none\"]\n"
				   "thp = never\n"
				   "[arm \"monitor\"]\n"
				   "damos = monitor\n"
				   "damos.ops = vaddr\n"
				   "[arm \"tuned\"]\n"
				   "damos = hugepage\n"
				   "damos.intervals = 5ms 200ms 60s\n"
				   "damos.goal = some_mem_psi_us 10\n";
	const struct damon_setup *s;
	struct config c;

	(void)state;
	assert_int_equal(config_parse("x.conf", text, &c), 0);
	assert_false(c.arms[0].scheme.is_used);
	assert_string_equal(facts_get(&c.arms[0].keys, "damos.ops"), "");
	assert_null(c.arms[0].scheme.setup.scheme.tuner);

	s = &c.arms[1].scheme.setup;
	assert_string_equal(s->scheme.action, "stat");
	assert_string_equal(s->ops, "vaddr");
	assert_int_equal(s->n_regions, 0);
	assert_null(s->scheme.tuner);
	assert_true(s->scheme.age.min == 10);
	assert_string_equal(facts_get(&c.arms[1].keys, "damos"), "monitor");
	assert_string_equal(facts_get(&c.arms[1].keys, "damos.age"), "1s max");
	assert_string_equal(facts_get(&c.arms[1].keys, "damos.tuner"), "");
	assert_string_equal(facts_get(&c.arms[1].keys, "damos.addresses"), "");

	s = &c.arms[2].scheme.setup;
	assert_string_equal(s->scheme.action, "hugepage");
	assert_int_equal(s->n_regions, 1);
	assert_true(s->regions[0].max == 0x3000);
	assert_false(c.arms[2].scheme.is_pool);
	assert_string_equal(s->scheme.tuner, "temporal");
	assert_true(s->scheme.age.min == 5);
	assert_true(s->scheme.quota_reset_ms == 1000);
	config_free(&c);
}

/* Two arms of these keys: equal, or not? */
struct pair {
	const char *a;
	const char *b;
	bool is_equal;
};

static void check_pair(void **state)
{
	const struct pair *pair = *state;
	auto_free char *text = xasprintf("[arm \"a\"]\n%s\n[arm \"b\"]\n%s\n",
					 pair->a, pair->b);
	struct config c;
	int ret;

	err_quiet(1);
	ret = config_parse("x.conf", text, &c);
	assert_int_equal(ret, pair->is_equal ? -EBADMSG : 0);
	if (pair->is_equal)
		assert_non_null(strstr(err_last(), "equals arm"));
	config_free(&c);
}

/* A value of damos.access_rate or damos.age, and what it comes to. */
struct bounds {
	bool is_age;
	const char *value;
	uint64_t scale; /* samples, or us of an aggregation */
	int ret;
	uint64_t min;
	uint64_t max;
};

static void check_bounds(void **state)
{
	const struct bounds *b = *state;
	auto_free char *why = NULL;
	struct damon_range range = { 0 };
	int ret = b->is_age
			  ? config_damos_age(b->value, b->scale, &range, &why)
			  : config_damos_rate(b->value, b->scale, &range, &why);

	assert_int_equal(ret, b->ret);
	assert_true(!why == (ret != -EDOM));
	if (ret)
		return;
	assert_true(range.min == b->min);
	assert_true(range.max == b->max);
}

#define ROW(what, ...)                                                         \
	{                                                                      \
		what, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define PAIR(what, ...)                                                        \
	{                                                                      \
		what, check_pair, NULL, NULL, &(struct pair)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define BOUNDS(what, ...)                                                      \
	{                                                                      \
		what, check_bounds, NULL, NULL, &(struct bounds)               \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_ours),
		cmocka_unit_test(check_kernel_goal),
		cmocka_unit_test(check_all),

		ROW("action", "", "schemes/0/action", "collapse"),
		ROW("ops", "", "operations", "vaddr"),
		ROW("fvaddr", "damos.ops = fvaddr", "operations", "fvaddr"),
		ROW("sampling", "damos.intervals = 50us 1s 2m",
		    BASE "intervals/sample_us", "50"),
		ROW("aggregation", "damos.intervals = 50us 1s 2m",
		    BASE "intervals/aggr_us", "1000000"),
		ROW("update", "damos.intervals = 50us 1s 2m",
		    BASE "intervals/update_us", "120000000"),
		ROW("intervals by themselves", "", BASE "intervals/aggr_us",
		    "100000"),
		ROW("intervals goal, share",
		    "damos.intervals_goal = 400 3 5ms 10s",
		    BASE "intervals/intervals_goal/access_bp", "400"),
		ROW("intervals goal, most",
		    "damos.intervals_goal = 400 3 5ms 10s",
		    BASE "intervals/intervals_goal/max_sample_us", "10000000"),
		ROW("intervals goal, off", "damos.intervals_goal = 0 0 0 0",
		    BASE "intervals/intervals_goal/access_bp", NULL),
		ROW("regions", "damos.regions = 3 3", BASE "nr_regions/min",
		    "3"),
		ROW("size", "damos.size = 2M 1G",
		    "schemes/0/access_pattern/sz/min", "2097152"),
		ROW("size, no end", "damos.size = 0 max",
		    "schemes/0/access_pattern/sz/max", "18446744073709551615"),
		ROW("rate of 20 samples", "damos.access_rate = 5% 100%",
		    "schemes/0/access_pattern/nr_accesses/min", "1"),
		ROW("rate, most", "damos.access_rate = 5% 100%",
		    "schemes/0/access_pattern/nr_accesses/max", "20"),
		ROW("rate before its intervals",
		    "damos.access_rate = 0.5% max\n"
		    "damos.intervals = 1ms 1s 60s",
		    "schemes/0/access_pattern/nr_accesses/min", "5"),
		ROW("age", "damos.age = 5s 10s",
		    "schemes/0/access_pattern/age/min", "50"),
		ROW("age, no end", "damos.age = 50 max",
		    "schemes/0/access_pattern/age/max", "4294967295"),
		ROW("age before its intervals",
		    "damos.age = 5s max\ndamos.intervals = 5ms 500ms 60s",
		    "schemes/0/access_pattern/age/min", "10"),
		ROW("apply interval", "damos.apply_interval = 50ms",
		    "schemes/0/apply_interval_us", "50000"),
		ROW("bytes", "damos.quota_bytes = 128M",
		    "schemes/0/quotas/bytes", "134217728"),
		ROW("interval of a quota", "damos.quota_ms = 10",
		    "schemes/0/quotas/reset_interval_ms", "1000"),
		ROW("interval of a goal", "damos.goal = process_huge_bp 100",
		    "schemes/0/quotas/reset_interval_ms", "1000"),
		ROW("interval of a quota as given",
		    "damos.quota_ms = 10\ndamos.quota_interval = 250ms",
		    "schemes/0/quotas/reset_interval_ms", "250"),
		ROW("no quota", "", "schemes/0/quotas/reset_interval_ms", "0"),
		ROW("fraction",
		    "damos.quota_ms = 10\ndamos.fail_charge = 1/4096",
		    "schemes/0/quotas/fail_charge_denom", "4096"),
		ROW("no fraction", "damos.quota_ms = 10",
		    "schemes/0/quotas/fail_charge_denom", NULL),
		ROW("weights", "damos.quota_ms = 10\ndamos.weights = 1 20 300",
		    "schemes/0/quotas/weights/age_permil", "300"),
		ROW("tuner",
		    "damos.goal = hugepage_mem_bp 1\ndamos.tuner = temporal",
		    "schemes/0/quotas/goal_tuner", "temporal"),
		ROW("filters",
		    "damos.filter = reject 0x1000-0x2000, allow 0x2000-0x4000",
		    "schemes/0/filters/1/addr_end", "16384"),
		ROW("filters, their kind",
		    "damos.filter = reject 0x1000-0x2000, allow 0x2000-0x4000",
		    "schemes/0/filters/0/allow", "N"),
		ROW("watermarks",
		    "damos.watermarks = free_mem_rate 5s 500 400 200",
		    "schemes/0/watermarks/mid", "400"),
		ROW("ranges",
		    "damos.ops = fvaddr\n"
		    "damos.addresses = 0x1000-0x2000 0x4000-0x5000",
		    "targets/0/regions/1/start", "16384"),

		PAIR("no action either", "thp = never\n", "thp = always\n",
		     false),
		PAIR("one has an action", "damos = collapse\n",
		     "damos = none\n", false),
		PAIR("other actions", "damos = collapse\n",
		     "damos = hugepage\n", false),
		PAIR("nothing and monitored", "damos = monitor\n",
		     "damos = none\n", false),
		PAIR("the default spelt out", "damos = collapse\n",
		     "damos = collapse\ndamos.regions = 10 1000\n", true),
		PAIR("two spellings", "damos = collapse\ndamos.age = 5s max\n",
		     "damos = collapse\ndamos.age = 50 max\n", true),
		PAIR("other goals of ours",
		     "damos = collapse\ndamos.goal = hugepage_mem_bp 1\n",
		     "damos = collapse\ndamos.goal = hugepage_mem_bp 2\n",
		     false),
		PAIR("goals of one target",
		     "damos = collapse\ndamos.goal = hugepage_mem_bp 1\n",
		     "damos = collapse\ndamos.goal = process_huge_bp 1\n",
		     false),
		PAIR("goals of the kernel's",
		     "damos = collapse\ndamos.goal = active_mem_bp 1\n",
		     "damos = collapse\ndamos.goal = active_mem_bp 2\n", false),
		PAIR("kdamonds", "damos = collapse\ndamos.ops = fvaddr\n",
		     "damos = collapse\ndamos.ops = fvaddr\n"
		     "damos.kdamonds = 2\n",
		     false),
		PAIR("pool, spelt out",
		     "damos = collapse\ndamos.ops = fvaddr\n",
		     "damos = collapse\ndamos.ops = fvaddr\n"
		     "damos.addresses = pool\n",
		     true),

		BOUNDS("all", false, "0% 100%", 20, 0, 0, 20),
		BOUNDS("hits", false, "3 max", 20, 0, 3, DAMON_MOST),
		BOUNDS("one sample", false, "100% 100%", 1, 0, 1, 1),
		BOUNDS("a third", false, "0% 33.333%", 3, -EDOM, 0, 0),
		BOUNDS("too many hits", false, "0 21", 20, -EDOM, 0, 0),
		BOUNDS("above all", false, "0% 200%", 20, -EINVAL, 0, 0),
		BOUNDS("one bound", false, "5%", 20, -EINVAL, 0, 0),
		BOUNDS("three bounds", false, "1 2 3", 20, -EINVAL, 0, 0),
		BOUNDS("max first", false, "max max", 20, -EINVAL, 0, 0),
		BOUNDS("negative", false, "-1 2", 20, -EINVAL, 0, 0),
		BOUNDS("aggregations", true, "2 7", 100000, 0, 2, 7),
		BOUNDS("times", true, "1s 1m", 100000, 0, 10, 600),
		BOUNDS("aggregations, not fixed", true, "2 max", 0, 0, 2,
		       DAMON_MOST),
		BOUNDS("time, not fixed", true, "1s max", 0, -EDOM, 0, 0),
		BOUNDS("half an aggregation", true, "50ms max", 100000, -EDOM,
		       0, 0),
		BOUNDS("less than a microsecond", true, "100ns max", 1, -EDOM,
		       0, 0),
		BOUNDS("the most", true, "0 4294967295", 1, 0, 0, UINT32_MAX),
		BOUNDS("above 32 bits", true, "0 4294967296", 1, -EDOM, 0, 0),
		BOUNDS("above 32 bits, as a time", true, "0 10000h", 1, -EDOM,
		       0, 0),
		BOUNDS("above 64 bits", true, "0 99999999999999999999", 1,
		       -EINVAL, 0, 0),
		BOUNDS("a percentage", true, "5% max", 100000, -EINVAL, 0, 0),
	};

	return cmocka_run_group_tests_name("config_damos", tests, NULL, NULL);
}
