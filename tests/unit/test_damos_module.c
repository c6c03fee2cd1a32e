/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/damos_module: the hugepage sample module in both of its versions. */
#include "damos_fixture.h"

#include "bench/guard/undo.h"
#include "near.h"

#define SAMPLE "sys/module/damon_sample_hugepage/parameters/"
#define OLDER "sys/module/damon_hugepage/parameters/"

/* As the files of each version stand before anybody uses it. */
static void load_sample(const struct damon_sim *sim)
{
	scratch_put(&sim->s, SAMPLE "enabled", "N\n");
	scratch_put(&sim->s, SAMPLE "target_pid", "0\n");
	scratch_put(&sim->s, SAMPLE "quota_percentage_hugepage", "1000\n");
	scratch_put(&sim->s, SAMPLE "quota_autotune_feedback", "0\n");
	/* Others are no such module. */
	scratch_put(&sim->s, "sys/module/damon_stat/parameters/enabled", "N\n");
}

static void load_older(const struct damon_sim *sim)
{
	scratch_put(&sim->s, OLDER "enabled", "N\n");
	scratch_put(&sim->s, OLDER "monitored_pid", "0\n");
	scratch_put(&sim->s, OLDER "quota_percentage_hugepage", "100\n");
	scratch_put(&sim->s, OLDER "quota_sz", "134217728\n");
	scratch_put(&sim->s, OLDER "quota_ms", "10\n");
	scratch_put(&sim->s, OLDER "quota_reset_interval_ms", "1000\n");
	scratch_put(&sim->s, OLDER "kdamond_pid", "900\n");
}

static struct damos_config by_module(void)
{
	struct damos_config c = config_of("collapse");

	c.by = DAMOS_BY_MODULE;
	c.goal = DAMOS_GOAL_SYSTEM;
	c.goal_bp = 2500;
	c.setup.scheme.quota_reset_ms = 1000;
	return c;
}

static void expect_file(const struct damon_sim *sim, const char *path,
			const char *expected)
{
	auto_free char *text = NULL;

	assert_int_equal(root_read_word(&sim->s.root, path, &text), 0);
	assert_string_equal(text, expected);
}

static void test_sample(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = by_module();
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	load_sample(sim);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_string_equal(how, "collapse by the module of /sys/module/"
				 "damon_sample_hugepage/parameters on pid "
				 "4711; goal hugepage_mem_bp 2500 by the "
				 "module");
	expect_file(sim, SAMPLE "target_pid", "4711");
	expect_file(sim, SAMPLE "quota_percentage_hugepage", "2500");
	/* A module prints what it reads. */
	scratch_put(&sim->s, SAMPLE "enabled", "Y\n");
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_false(s.has_stats);
	assert_near(s.goal_current_bp, 1000, 0);
	assert_near(s.goal_target_bp, 2500, 0);
	assert_true(isnan(s.quota_bytes) && isnan(s.predicted_bytes) &&
		    isnan(s.n_windows) && isnan(s.kdamond_cpu_s));
	assert_int_equal(damos_stop(d, NULL), 0);
	expect_file(sim, SAMPLE "enabled", "N");
	expect_file(sim, SAMPLE "target_pid", "0");
	expect_file(sim, SAMPLE "quota_percentage_hugepage", "1000");
	assert_null(sim->log.text); /* nothing of DAMON's sysfs tree */
}

static void test_older(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = by_module();
	auto_free char *how = NULL;
	struct damos *d;

	load_older(sim);
	c.setup.scheme.quota_bytes = 16777216;
	c.setup.scheme.quota_reset_ms = 500;
	assert_int_equal(start(sim, &c, &d, &how), 0);
	expect_file(sim, OLDER "monitored_pid", "4711");
	expect_file(sim, OLDER "quota_sz", "16777216");
	expect_file(sim, OLDER "quota_ms", "10");
	expect_file(sim, OLDER "quota_reset_interval_ms", "500");
	assert_int_equal(d->list[0].pid, 900);
	assert_int_equal(damos_stop(d, NULL), 0);
	expect_file(sim, OLDER "quota_sz", "134217728");
	expect_file(sim, OLDER "quota_reset_interval_ms", "1000");
}

static void test_no_quota_file(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = by_module();
	auto_free char *how = NULL;
	struct damos *d;

	load_sample(sim);
	c.setup.scheme.quota_bytes = 16777216;
	assert_int_equal(start(sim, &c, &d, &how), -ENOENT);
	assert_string_equal(err_last(),
			    "this version of the hugepage sample module has no "
			    "/" SAMPLE "quota_sz");
	expect_file(sim, SAMPLE "enabled", "N");
}

static void test_killed(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = by_module();
	struct journal j = journal_of(sim);
	struct journal_undone done = { 0 };
	auto_free char *how = NULL;
	struct damos *d;
	struct undo u;

	load_sample(sim);
	scratch_put(&sim->s, "proc/meminfo", meminfo);
	assert_int_equal(damos_start(&sim->s.root, &c, PID, &j, &d, &how), 0);
	undo_parse(journal_text(&j), &u);
	assert_int_equal(u.n, 3);
	assert_int_equal(undo_rest(&sim->s.root, &u, &done), 0);
	assert_int_equal(done.settings, 3);
	undo_free(&u);
	expect_file(sim, SAMPLE "enabled", "N");
	expect_file(sim, SAMPLE "target_pid", "0");
	damos_stop(d, NULL);
	journal_end(&j);
}

static void test_stopped(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = by_module();
	auto_free char *how = NULL;
	struct damos *d;

	load_sample(sim);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	scratch_put(&sim->s, SAMPLE "enabled", "N\n");
	err_quiet(1);
	assert_int_equal(damos_feed(d), -ESRCH);
	err_quiet(0);
	assert_string_equal(err_last(), "the hugepage sample module stopped by "
					"itself");
	assert_int_equal(damos_stop(d, NULL), 0);
}

static void test_in_the_way(void **state)
{
	struct damon_sim *sim = *state;
	auto_free char *none = NULL;
	auto_free char *why = NULL;
	auto_free char *fine = NULL;

	assert_int_equal(damos_module_probe(&sim->s.root, &none), -ENOTSUP);
	assert_non_null(strstr(none, "no hugepage sample module"));
	load_sample(sim);
	assert_int_equal(damos_module_probe(&sim->s.root, &fine), 0);
	assert_null(fine);
	sim_foreign(sim, 1);
	assert_int_equal(damos_module_probe(&sim->s.root, &why), -EBUSY);
	assert_non_null(strstr(why, "kdamond 0: on, pid 900"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_sample), TEST(test_older),   TEST(test_no_quota_file),
		TEST(test_killed), TEST(test_stopped), TEST(test_in_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
