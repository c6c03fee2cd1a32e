/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/damos: schemes on a kernel that is played (damon_sim.h). */
#include "damos_fixture.h"

static void test_plain(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	struct damos_sample last;
	struct damos *d;

	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_string_equal(how, "collapse by 1 kdamond, vaddr of pid 4711");
	expect(sim, "0/state", "on");
	expect(sim, "0/contexts/0/targets/0/pid_target", "4711");
	expect(sim, SCHEME "/action", "collapse");
	assert_true(damos_next_ns(d) > clock_ns());
	assert_int_equal(damos_feed(d), 0);
	scratch_put(&sim->s, DAMON_ROOT "/" SCHEME "/stats/sz_tried", "8192\n");
	scratch_put(&sim->s, "proc/900/stat",
		    "900 (kdamond.0) S 2 0 0 0 -1 2129984 0 0 0 0 0 250 0 0 20 "
		    "0 1 0 77 0 0\n");
	assert_int_equal(damos_stop(d, &last), 0);
	assert_int_equal(sim->n_stats, 1);
	assert_int_equal(last.stats.sz_tried_bytes, 8192);
	assert_true(last.kdamond_cpu_s > 0);
	assert_true(isnan(last.quota_bytes));
	assert_true(isnan(last.worst_error_pct));
	expect(sim, "nr_kdamonds", "0");
	assert_int_equal(damos_stop(NULL, NULL), 0);
	assert_true(damos_next_ns(NULL) == UINT64_MAX);
}

/* On disk before anything is written to the kernel. */
static void test_journal(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("hugepage");
	struct journal j = journal_of(sim);
	auto_free char *how = NULL;
	auto_free char *text = NULL;
	struct damos *d;

	sim->has_ops = "paddr";
	err_quiet(1);
	assert_int_equal(damos_start(&sim->s.root, &c, PID, &j, &d, &how),
			 -EINVAL);
	err_quiet(0);
	text = journal_text(&j);
	assert_string_equal(text, "kdamonds\t1\t4711\tvaddr\n");
	expect(sim, "nr_kdamonds", "0");
	journal_end(&j);
}

struct refused_row {
	const char *action;
	const char *lacks;
	const char *no_file;
	bool is_target_dead;
	int err;
	const char *message;
};

static void check_refused(void **state)
{
	const struct refused_row *row = *state;
	struct damos_config c = config_of(row->action);
	auto_free char *how = NULL;
	struct damon_sim *sim;
	struct damos *d;
	void *held;

	assert_int_equal(sim_setup(&held), 0);
	sim = held;
	sim->lacks = row->lacks;
	sim->no_file = row->no_file;
	sim->is_target_dead = row->is_target_dead;
	c.setup.scheme.has_fail_charge = true;
	c.setup.scheme.fail_charge_denom = 4096;
	assert_int_equal(start(sim, &c, &d, &how), row->err);
	assert_null(d);
	assert_string_equal(err_last(), row->message);
	expect(sim, "nr_kdamonds", "0");
	assert_int_equal(sim_teardown(&held), 0);
}

static void tell_regions(struct damon_sim *sim, size_t k, const char *word)
{
	if (!str_eq(word, "update_schemes_tried_regions") || k)
		return;
	for (unsigned int i = 9; i <= 10; i++) {
		auto_free char *dir =
			xasprintf(DAMON_ROOT "/" SCHEME "/tried_regions/%u", i);
		auto_free char *start = xasprintf("%s/start", dir);
		auto_free char *end = xasprintf("%s/end", dir);
		auto_free char *rate = xasprintf("%s/nr_accesses", dir);

		scratch_put(&sim->s, start, i == 9 ? "4096\n" : "8192\n");
		scratch_put(&sim->s, end, "12288\n");
		scratch_put(&sim->s, rate, "3\n");
	}
}

static void test_tried_regions(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("stat");
	auto_free char *how = NULL;
	auto_str struct str text = { 0 };
	struct damos *d;

	sim->on_command = tell_regions;
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_int_equal(damos_tried_regions(d, &text), 0);
	assert_string_equal(text.text, "kdamond\tstart\tend\tnr_accesses\tage\n"
				       "0\t4096\t12288\t3\t-\n"
				       "0\t8192\t12288\t3\t-\n");
	assert_int_equal(damos_stop(d, NULL), 0);
}

static void test_foreign(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	auto_free char *why = NULL;
	struct facts facts = { 0 };
	struct damos *d;

	sim_foreign(sim, 1);
	sim_set_number(sim, DAMON_ROOT "/0/contexts/nr_contexts", 1);
	sim_set_number(sim, DAMON_ROOT "/0/contexts/0/schemes/nr_schemes", 1);
	sim_put(sim, DAMON_ROOT "/0/contexts/0/operations", "paddr");
	sim_put(sim, DAMON_ROOT "/0/contexts/0/avail_operations", "paddr");
	sim_put(sim, DAMON_ROOT "/" SCHEME "/action", "pageout");
	assert_int_equal(start(sim, &c, &d, &how), -EBUSY);
	assert_string_equal(err_last(),
			    "somebody else uses DAMON, and to set up another "
			    "would destroy it: kdamond 0: on, pid 900, pageout "
			    "on physical memory; of operations this kernel "
			    "has: paddr");
	assert_int_equal(damos_probe(&sim->s.root, &facts, &why), -EBUSY);
	assert_string_equal(why, err_last());
	assert_int_equal(facts.n, 0);
	assert_null(sim->log.text);
}

static void test_no_damon(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	struct damos *d;

	unlinkat(sim->s.root.fd, DAMON_ROOT "/nr_kdamonds", 0);
	assert_int_equal(start(sim, &c, &d, &how), -ENOENT);
	assert_string_equal(err_last(),
			    "this kernel has no DAMON sysfs "
			    "(CONFIG_DAMON_SYSFS), or /sys is not mounted");
	assert_null(sim->log.text);
}

/* DAMON_STAT still runs: named, and what was set up is taken away. */
static void test_stat_runs(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	struct damos *d;

	sim->is_stat_on = true;
	assert_int_equal(start(sim, &c, &d, &how), -EBUSY);
	assert_non_null(strstr(err_last(), "DAMON_STAT"));
	expect(sim, "nr_kdamonds", "0");
}

static void test_busy(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	struct damos *d;

	sim->n_busy = 3;
	assert_int_equal(start(sim, &c, &d, &how), 0);
	sim->n_busy = 3;
	assert_int_equal(damos_stop(d, NULL), 0);
	expect(sim, "nr_kdamonds", "0");
}

static void test_stops_by_itself(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("monitor");
	auto_free char *how = NULL;
	struct damos_sample sample;
	struct damos *d;

	c.setup.scheme.action = "stat";
	assert_int_equal(start(sim, &c, &d, &how), 0);
	sim_switch(sim, 0, false, false);
	err_quiet(1);
	assert_int_equal(damos_feed(d), -ESRCH);
	assert_string_equal(err_last(),
			    "kdamond 0 stopped by itself: the process that it "
			    "watched is still there; see the kernel's log");
	unlinkat(sim->s.root.fd, "proc/4711/smaps", 0);
	unlinkat(sim->s.root.fd, "proc/4711", AT_REMOVEDIR);
	assert_int_equal(damos_feed(d), -ESRCH);
	assert_string_equal(err_last(),
			    "kdamond 0 stopped by itself: the process that it "
			    "watched has ended");
	assert_int_equal(damos_sample(d, &sample), -ECANCELED);
	sim_set_number(sim, DAMON_ROOT "/nr_kdamonds", 0);
	assert_int_equal(damos_feed(d), -ESRCH);
	err_quiet(0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* --- ranges --- */

static void test_pool(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	auto_free char *how = NULL;
	struct damos *d;

	c.setup.ops = "fvaddr";
	c.is_pool = true;
	c.n_kdamonds = 2;
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_string_equal(how, "collapse by 2 kdamonds, fvaddr of pid 4711, "
				 "384.0 MiB in 3 ranges");
	/* 192 MiB each. */
	expect(sim, "0/contexts/0/targets/0/regions/nr_regions", "1");
	expect(sim, "0/contexts/0/targets/0/regions/0/start",
	       "139637976727552");
	expect(sim, "0/contexts/0/targets/0/regions/0/end", "139638178054144");
	expect(sim, "1/contexts/0/targets/0/regions/nr_regions", "2");
	expect(sim, "1/contexts/0/targets/0/regions/1/end", "139638647816192");
	assert_int_equal(damos_stop(d, NULL), 0);
	expect(sim, "nr_kdamonds", "0");
}

static void test_no_pool(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("collapse");
	struct damos *d;
	auto_free char *how = NULL;
	struct journal j = journal_of(sim);

	c.setup.ops = "fvaddr";
	c.is_pool = true;
	scratch_put(&sim->s, "proc/4711/smaps",
		    "400000-401000 r-xp 0 00:00 0 /bin/true\nRss: 4 kB\n"
		    "AnonHugePages: 0 kB\n");
	err_quiet(1);
	assert_int_equal(damos_start(&sim->s.root, &c, PID, &j, &d, &how),
			 -ENOENT);
	err_quiet(0);
	assert_string_equal(err_last(), "process 4711 has no mapping that "
					"could be a buffer pool");
	journal_end(&j);
}

struct split_row {
	struct damon_range ranges[3];
	size_t n_ranges;
	size_t n;
	bool is_done;
	const char *shares;
};

static void check_split(void **state)
{
	const struct split_row *row = *state;
	struct damon_setup shares[4] = { 0 };
	auto_str struct str text = { 0 };
	bool is_done =
		damos_split(row->ranges, row->n_ranges, 16, shares, row->n);

	assert_int_equal(is_done, row->is_done);
	for (size_t k = 0; k < row->n; k++) {
		str_add(&text, k ? "|" : "");
		for (size_t i = 0; i < shares[k].n_regions; i++)
			str_addf(&text, "%s%u-%u", i ? " " : "",
				 (unsigned int)shares[k].regions[i].min,
				 (unsigned int)shares[k].regions[i].max);
		free(shares[k].regions);
	}
	assert_string_equal(text.text, row->shares);
}

/* --- what is offered --- */

static void test_probe(void **state)
{
	struct damon_sim *sim = *state;
	struct facts facts = { 0 };
	auto_free char *why = NULL;

	sim->lacks = "collapse";
	assert_int_equal(damos_probe(&sim->s.root, &facts, &why), 0);
	assert_null(why);
	assert_string_equal(facts_get(&facts, "action hugepage"), "yes");
	assert_string_equal(facts_get(&facts, "action collapse"), "no: EINVAL");
	assert_string_equal(facts_get(&facts, "operations fvaddr"), "yes");
	assert_string_equal(facts_get(&facts, "goal user_input"), "yes");
	assert_string_equal(facts_get(&facts, "goal hugepage_mem_bp"),
			    "no: EINVAL");
	assert_string_equal(facts_get(&facts, "tuner temporal"), "yes");
	assert_string_equal(facts_get(&facts, "file refresh_ms"), "yes");
	assert_string_equal(facts_get(&facts, "file fail_charge"), "yes");
	expect(sim, "nr_kdamonds", "0");
	facts_free(&facts);
}

/* The file takes the word all the same: operations_store() of mm/damon/sysfs.c.
 */
static void test_probe_paddr(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = config_of("hugepage");
	struct facts facts = { 0 };
	auto_free char *why = NULL;
	auto_free char *lacks = NULL;

	sim->has_ops = "paddr";
	assert_int_equal(damos_probe(&sim->s.root, &facts, &why), 0);
	assert_string_equal(facts_get(&facts, "operations paddr"), "yes");
	assert_string_equal(facts_get(&facts, "operations vaddr"),
			    "no: paddr alone");
	lacks = damos_lacks(&c, &facts);
	assert_string_equal(lacks,
			    "operations vaddr is not offered (paddr alone): a "
			    "kernel with CONFIG_DAMON_VADDR");
	facts_free(&facts);
}

static void test_lacks(void **state)
{
	struct damos_config c = config_of("collapse");
	struct facts facts = { 0 };
	struct damon_filter filters[] = { { 0, 4096, false },
					  { 4096, 8192, true } };
	auto_free char *text = NULL;
	auto_free char *also_allow = NULL;

	(void)state;
	c.goal = DAMOS_GOAL_SYSTEM;
	c.setup.scheme.tuner = (char *)"temporal";
	c.setup.scheme.has_fail_charge = true;
	assert_null(damos_lacks(&c, &facts));
	facts_set(&facts, "operations vaddr", "yes");
	facts_set(&facts, "action collapse", "no: EINVAL");
	facts_set(&facts, "tuner temporal", "no: ENOENT");
	facts_set(&facts, "file goals", "yes");
	facts_set(&facts, "filter addr", "yes");
	facts_set(&facts, "file filter_allow", "no: ENOENT");
	c.setup.scheme.filters = filters;
	c.setup.scheme.n_filters = 1;
	text = damos_lacks(&c, &facts);
	c.setup.scheme.n_filters = ARRAY_SIZE(filters);
	also_allow = damos_lacks(&c, &facts);
	assert_non_null(strstr(also_allow, "; file filter_allow is not offered "
					   "(ENOENT): Linux 6.14"));
	assert_string_equal(
		text, "action collapse is not offered (EINVAL): collapse: "
		      "Linux 7.2; madvise-collapse needs no DAMON; tuner "
		      "temporal is not offered (ENOENT): Linux 7.1");
	facts_free(&facts);
}

#define REFUSED(name, ...)                                                     \
	{                                                                      \
		name, check_refused, NULL, NULL, &(struct refused_row)         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define SPLIT(name, ...)                                                       \
	{                                                                      \
		name, check_split, NULL, NULL, &(struct split_row)             \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_plain),
		TEST(test_journal),
		TEST(test_tried_regions),
		TEST(test_foreign),
		TEST(test_no_damon),
		TEST(test_stat_runs),
		TEST(test_busy),
		TEST(test_stops_by_itself),
		REFUSED("no such action", "collapse", .lacks = "collapse",
			.err = -EINVAL,
			.message = "DAMON refused collapse in "
				   "0/contexts/0/schemes/0/action: Invalid "
				   "argument: this kernel's DAMON has no such "
				   "action (collapse: Linux 7.2)"),
		REFUSED("dead target", "collapse", .is_target_dead = true,
			.err = -EINVAL,
			.message =
				"DAMON refused on in 0/state: Invalid "
				"argument: the process has ended, values do "
				"not fit together, or the kernel lacks these "
				"operations (avail_operations; "
				"CONFIG_DAMON_VADDR)"),
		REFUSED("older kernel", "hugepage",
			.no_file = "/fail_charge_num", .err = -ENOENT,
			.message = "DAMON refused 0 in 0/contexts/0/schemes/0/"
				   "quotas/fail_charge_num: No such file or "
				   "directory: fail_charge needs Linux 7.2"),
		TEST(test_pool),
		TEST(test_no_pool),
		SPLIT("one", { { 0, 100 } }, 1, 1, true, "0-100"),
		SPLIT("two of one", { { 0, 128 } }, 1, 2, true, "0-64|64-128"),
		SPLIT("at whole steps", { { 0, 100 } }, 1, 2, true,
		      "0-64|64-100"),
		SPLIT("across", { { 0, 32 }, { 64, 160 } }, 2, 2, true,
		      "0-32 64-96|96-160"),
		SPLIT("many small", { { 0, 16 }, { 32, 48 }, { 64, 80 } }, 3, 3,
		      true, "0-16|32-48|64-80"),
		SPLIT("too small", { { 0, 16 } }, 1, 2, false, "0-16|"),
		TEST(test_probe),
		TEST(test_probe_paddr),
		cmocka_unit_test(test_lacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
