/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/damos: goals, and the kernel's tuners beside our prediction. */
#include "damos_fixture.h"
#include "near.h"

/* --- goals --- */

static struct damos_config goal_of(enum damos_goal goal, const char *tuner,
				   uint64_t target)
{
	struct damos_config c = config_of("collapse");

	c.goal = goal;
	c.goal_bp = target;
	c.setup.scheme.tuner = (char *)tuner;
	c.setup.scheme.quota_bytes = 128000000;
	c.setup.scheme.quota_reset_ms = 1000;
	return c;
}

/* The kernel's side of a tuner: a window when its quota is asked for. */
static uint64_t kernel_bp;
static uint64_t kernel_score;
static const char *kernel_tuner;
static unsigned int kernel_windows;

static void window(struct damon_sim *sim, uint64_t score)
{
	auto_free char *bytes = NULL;

	kernel_bp = damon_tune_bp(kernel_tuner, kernel_bp, score, 128000000);
	bytes = xasprintf("%llu",
			  (unsigned long long)damon_effective_bytes(kernel_bp,
								    128000000));
	sim_put(sim, DAMON_ROOT "/" SCHEME "/quotas/effective_bytes", bytes);
}

static void play_kernel(struct damon_sim *sim, size_t k, const char *word)
{
	auto_free char *current = NULL;
	auto_free char *target = NULL;

	assert_int_equal(k, 0);
	current = sim_read(sim, SCHEME "/quotas/goals/0/current_value");
	target = sim_read(sim, SCHEME "/quotas/goals/0/target_value");
	if (str_eq(word, "update_schemes_effective_quotas"))
		for (unsigned int i = 0; i < kernel_windows; i++)
			window(sim, kernel_score);
	if (str_eq(word, "commit_schemes_quota_goals"))
		kernel_score = strtoul(current, NULL, 10) * 10000 /
			       strtoul(target, NULL, 10);
}

static void kernel_begin(struct damon_sim *sim, const char *tuner,
			 uint64_t score)
{
	sim->on_command = play_kernel;
	kernel_bp = 0;
	kernel_windows = 1;
	kernel_tuner = tuner;
	kernel_score = score;
}

/* 102400 kB of huge pages of 1024000 kB in use: 1000 bp. */
static void test_fed(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "consist", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	kernel_begin(sim, "consist", 4000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_string_equal(
		how, "collapse by 1 kdamond, vaddr of pid 4711; goal "
		     "hugepage_mem_bp 2500 by user_input, fed each 1000 ms; "
		     "tuner consist; quotas by asking for them");
	expect(sim, SCHEME "/quotas/goals/0/target_metric", "user_input");
	expect(sim, SCHEME "/quotas/goals/0/current_value", "1000");
	assert_int_equal(damos_sample(d, &s), 0);
	assert_true(isnan(s.quota_bytes) && isnan(s.predicted_bytes) &&
		    isnan(s.worst_error_pct));
	for (unsigned int tick = 0; tick < 40; tick++) {
		assert_int_equal(damos_feed(d), 0);
		assert_int_equal(damos_sample(d, &s), 0);
		assert_near(s.quota_bytes, s.predicted_bytes, 0);
		assert_near(s.n_windows, tick + 1, 0);
	}
	expect_log(sim, "0/state commit_schemes_quota_goals");
	assert_near(s.worst_error_pct, 0, 0);
	assert_near(s.goal_current_bp, 1000, 0);
	assert_near(s.goal_target_bp, 2500, 0);
	/* 16384 * 1.6^40 is far above the limit. */
	assert_near(s.quota_bytes, 128000000, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* A kernel that does not follow the formula is told apart. */
static void test_other_tuner(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "consist", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	kernel_begin(sim, "temporal", 4000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.quota_bytes, 128000000, 0);
	assert_true(s.predicted_bytes < 4);
	assert_true(s.worst_error_pct > 99);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* Two windows in one period, or none: seen by what it comes to. */
static void test_drift(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "consist", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	kernel_begin(sim, "consist", 4000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	for (unsigned int tick = 0; tick < 5; tick++) {
		assert_int_equal(damos_feed(d), 0);
		/* A late period, as the clock will see it. */
		d->asked_ns -= 2 * d->period_ns;
		kernel_windows = tick % 3;
	}
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.worst_error_pct, 0, 0);
	assert_near(s.n_windows, 1 + 0 + 1 + 2 + 0, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

static void test_native(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "temporal", 2500);
	auto_free char *how = NULL;
	struct damos *d;

	sim->also = "hugepage_mem_bp";
	kernel_begin(sim, "temporal", 4000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_non_null(strstr(how, "; goal hugepage_mem_bp 2500 by the "
				    "kernel; tuner temporal"));
	expect(sim, SCHEME "/quotas/goals/0/target_metric", "hugepage_mem_bp");
	assert_int_equal(damos_feed(d), 0);
	assert_null(strstr(sim->log.text, "commit_schemes_quota_goals"));
	assert_int_equal(damos_stop(d, NULL), 0);
}

static void test_process_goal(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_PROCESS, "temporal", 5000);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	scratch_put(&sim->s, "proc/4711/smaps_rollup",
		    "10000000-7fff00000000 ---p 0 00:00 0 [rollup]\n"
		    "Rss: 2000 kB\nAnonymous: 1000 kB\n"
		    "AnonHugePages: 250 kB\n");
	kernel_begin(sim, "temporal", 5000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	expect(sim, SCHEME "/quotas/goals/0/current_value", "2500");
	assert_int_equal(damos_feed(d), 0);
	scratch_put(&sim->s, "proc/4711/smaps_rollup",
		    "10000000-7fff00000000 ---p 0 00:00 0 [rollup]\n"
		    "Rss: 2000 kB\nAnonymous: 1000 kB\n"
		    "AnonHugePages: 500 kB\n");
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.quota_bytes, 0, 0);
	assert_near(s.predicted_bytes, 0, 0);
	assert_near(s.goal_current_bp, 5000, 0);
	assert_near(s.worst_error_pct, 0, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* A kdamond at work takes the value late, and makes it an old one. */
static void take_late(struct damon_sim *sim, size_t k, const char *word)
{
	(void)k;
	if (!str_eq(word, "commit_schemes_quota_goals") || kernel_windows--)
		return;
	clock_sleep_until(clock_ns() + 600 * NUM_NS_PER_MS);
	scratch_put(&sim->s, "proc/4711/smaps_rollup",
		    "10000000-7fff00000000 ---p 0 00:00 0 [rollup]\n"
		    "Rss: 2000 kB\nAnonymous: 1000 kB\n"
		    "AnonHugePages: 500 kB\n");
}

static void test_fed_late(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_PROCESS, "temporal", 5000);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	c.setup.scheme.quota_reset_ms = 2000;
	scratch_put(&sim->s, "proc/4711/smaps_rollup",
		    "10000000-7fff00000000 ---p 0 00:00 0 [rollup]\n"
		    "Rss: 2000 kB\nAnonymous: 1000 kB\n"
		    "AnonHugePages: 250 kB\n");
	sim->on_command = take_late;
	kernel_windows = 1;
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_int_equal(damos_feed(d), 0);
	expect(sim, SCHEME "/quotas/goals/0/current_value", "2500");
	assert_int_equal(damos_sample(d, &s), 0);
	assert_true(s.feed_s < 0.5);
	assert_int_equal(damos_feed(d), 0);
	expect(sim, SCHEME "/quotas/goals/0/current_value", "5000");
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.goal_current_bp, 5000, 0);
	assert_true(s.feed_s >= 0.6);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* A kernel's own metric: its quota is seen, and nothing predicted. */
static void test_kernel_goal(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_KERNEL, NULL, 0);
	struct damon_goal goal = { (char *)"some_mem_psi_us", 10000, 0, -1,
				   NULL };
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	c.setup.scheme.goals = &goal;
	c.setup.scheme.n_goals = 1;
	kernel_begin(sim, "temporal", 0);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.quota_bytes, 128000000, 0);
	assert_true(isnan(s.predicted_bytes) && isnan(s.goal_current_bp));
	assert_true(isnan(s.worst_error_pct) && isnan(s.feed_s));
	assert_near(s.goal_target_bp, 10000, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* --- by the tracepoint --- */

#define INSTANCE_FILE(s, file, text)                                           \
	do {                                                                   \
		auto_free char *path_ =                                        \
			xasprintf(TRACEFS_INSTANCES "/thpbench.%d.damos/%s",   \
				  (int)getpid(), file);                        \
		scratch_put(s, path_, text);                                   \
	} while (0)

static void trace_line(const struct damon_sim *sim, uint64_t t_ns,
		       const char *task, uint64_t esz)
{
	auto_free char *path = xasprintf("%s/root/" TRACEFS_INSTANCES
					 "/thpbench.%d.damos/trace_pipe",
					 sim->s.dir, (int)getpid());
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	fprintf(f,
		" %s [000] ..... %llu.%06llu: damos_esz: ctx_idx=0 "
		"scheme_idx=0 esz=%llu\n",
		task, (unsigned long long)(t_ns / NUM_NS_PER_S),
		(unsigned long long)(t_ns % NUM_NS_PER_S / 1000),
		(unsigned long long)esz);
	fclose(f);
}

static void put_trace(const struct damon_sim *sim)
{
	scratch_put(&sim->s, "sys/kernel/tracing/events/damon/damos_esz/enable",
		    "0\n");
	INSTANCE_FILE(&sim->s, "buffer_size_kb", "7\n");
	INSTANCE_FILE(&sim->s, "trace_clock", "[local] mono\n");
	INSTANCE_FILE(&sim->s, "trace_pipe", "");
	INSTANCE_FILE(&sim->s, "events/damon/damos_esz/enable", "0\n");
}

/* Up to Linux 7.1: nothing is said of the first window, 1.6 bytes here. */
static void test_first_untold(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "consist", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;
	uint64_t begin;

	put_trace(sim);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	begin = clock_ns();
	trace_line(sim, begin + 1100 * NUM_NS_PER_MS, "kdamond.0-900", 2);
	trace_line(sim, begin + 2100 * NUM_NS_PER_MS, "kdamond.0-900", 4);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.n_windows, 3, 0);
	assert_near(s.predicted_bytes, 4, 0);
	assert_near(s.worst_error_pct, 0, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* The same with temporal, whose quota does not change below the target. */
static void test_never_told(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "temporal", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	put_trace(sim);
	kernel_begin(sim, "temporal", 4000);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_true(isnan(s.quota_bytes));
	/* As the clock will see it two intervals later. */
	d->asked_ns -= 2 * d->period_ns;
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.quota_bytes, 128000000, 0);
	assert_near(s.predicted_bytes, 128000000, 0);
	assert_near(s.worst_error_pct, 0, 0);
	trace_line(sim, clock_ns(), "kdamond.0-900", 0);
	damos_scores_set(&d->scores, 10000, 0, 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.quota_bytes, 0, 0);
	assert_near(s.worst_error_pct, 0, 0);
	assert_int_equal(damos_stop(d, NULL), 0);
}

static void test_trace(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_config c = goal_of(DAMOS_GOAL_SYSTEM, "consist", 2500);
	auto_free char *how = NULL;
	struct damos_sample s;
	struct damos *d;

	put_trace(sim);
	assert_int_equal(start(sim, &c, &d, &how), 0);
	assert_non_null(strstr(how, "by the tracepoint damon/damos_esz"));
	/* Score 4000: 1.6 bytes, 2.56, 4.096; a stranger's is left out. */
	trace_line(sim, clock_ns(), "kdamond.0-900", 1);
	trace_line(sim, clock_ns(), "kdamond.1-901", 77);
	trace_line(sim, clock_ns(), "kdamond.0-900", 2);
	trace_line(sim, clock_ns(), "kdamond.0-900", 4);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.n_windows, 3, 0);
	assert_near(s.quota_bytes, 4, 0);
	assert_near(s.predicted_bytes, 4, 0);
	assert_near(s.worst_error_pct, 0, 0);
	/* 6.5536, cut. */
	trace_line(sim, clock_ns(), "kdamond.0-900", 7);
	assert_int_equal(damos_feed(d), 0);
	assert_int_equal(damos_sample(d, &s), 0);
	assert_near(s.predicted_bytes, 6, 0);
	assert_true(s.worst_error_pct > 10);
	assert_int_equal(damos_stop(d, NULL), 0);
}

/* While a score is changed, either may have been used. */
static void test_scores(void **state)
{
	struct damos_scores scores = { 0 };
	struct damos_tune t = { .tuner = "consist", .esz_bp = 1000000 };

	(void)state;
	damos_scores_set(&scores, 10000, 0, 0);
	damos_scores_set(&scores, 0, 100, 200);
	damos_tune_window(&t, &scores, 99, 100);
	assert_int_equal(t.predicted, 100);
	damos_tune_window(&t, &scores, 150, 100);
	assert_int_equal(t.predicted, 100);
	damos_tune_window(&t, &scores, 150, 200);
	assert_int_equal(t.predicted, 200);
	damos_tune_window(&t, &scores, 201, 400);
	assert_int_equal(t.predicted, 400);
	assert_near(t.worst_error_pct, 0, 0);
	damos_tune_window(&t, &scores, 201, 400);
	assert_int_equal(t.predicted, 800);
	assert_near(t.worst_error_pct, 100, 0);
	damos_tune_follow(&t);
	assert_int_equal(t.esz_bp, 4000000);
}

/* Asked for: a window may have begun before a feed that came after the ask. */
static void test_poll_scores(void **state)
{
	struct damos_scores scores = { 0 };
	struct damos_tune t = { .tuner = "consist", .esz_bp = 1000000 };

	(void)state;
	damos_scores_set(&scores, 10000, 0, 0);
	damos_scores_set(&scores, 0, 100, 200);
	damos_tune_poll(&t, &scores, 1, 1, 100);
	assert_int_equal(t.predicted, 100);
	damos_tune_poll(&t, &scores, 1, 2, 400);
	assert_int_equal(t.predicted, 400);
	assert_int_equal(t.esz_bp, 4000000);
	damos_scores_set(&scores, 15000, 300, 400);
	/* Doubled under the old score, halved under the new one. */
	damos_tune_poll(&t, &scores, 1, 1, 800);
	assert_int_equal(t.predicted, 800);
	damos_tune_poll(&t, &scores, 0, 1, 400);
	assert_int_equal(t.predicted, 400);
	assert_near(t.worst_error_pct, 0, 0);
	/* What no score of the two makes of it is told apart. */
	damos_tune_poll(&t, &scores, 1, 1, 500);
	assert_true(t.worst_error_pct > 10);
}

/* At its limit the quota does not change, but what lies above it does. */
static void test_quiet(void **state)
{
	const uint64_t second = NUM_NS_PER_S;
	struct damos_scores scores = { 0 };
	struct damos_tune t = { .tuner = "consist",
				.quota_bytes = 1000,
				.reset_ns = second,
				.esz_bp = 8000000 };

	(void)state;
	damos_tune_quiet(&t, &scores, second);
	assert_int_equal(t.n_windows, 0);
	damos_tune_window(&t, &scores, 2 * second, 1000);
	assert_int_equal(t.esz_bp, 16000000);
	/* Not due yet; due; due again. */
	damos_tune_quiet(&t, &scores, 2 * second + second / 2);
	assert_int_equal(t.n_windows, 1);
	damos_tune_quiet(&t, &scores, 3 * second);
	damos_tune_quiet(&t, &scores, 3 * second + second / 20);
	damos_tune_quiet(&t, &scores, 4 * second + second / 20);
	assert_int_equal(t.n_windows, 3);
	assert_int_equal(t.esz_bp, 64000000);
	/* Down again by halves: 3200, 1600, and 800 is seen. */
	damos_scores_set(&scores, 15000, 4 * second + second / 2,
			 4 * second + second / 2);
	damos_tune_quiet(&t, &scores, 5 * second + second / 10);
	damos_tune_quiet(&t, &scores, 6 * second + second / 5);
	assert_int_equal(t.esz_bp, 16000000);
	/* This one would be seen: it has not begun yet. */
	damos_tune_quiet(&t, &scores, 7 * second + second / 5);
	assert_int_equal(t.n_windows, 5);
	damos_tune_window(&t, &scores, 7 * second + second / 4, 800);
	assert_near(t.worst_error_pct, 0, 0);
	assert_int_equal(t.n_windows, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_fed),
		TEST(test_other_tuner),
		TEST(test_drift),
		TEST(test_native),
		TEST(test_process_goal),
		TEST(test_fed_late),
		TEST(test_kernel_goal),
		TEST(test_trace),
		TEST(test_first_untold),
		TEST(test_never_told),
		cmocka_unit_test(test_scores),
		cmocka_unit_test(test_poll_scores),
		cmocka_unit_test(test_quiet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
