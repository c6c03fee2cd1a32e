/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Taking kdamonds back: ours, and never somebody else's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "bench/damos/damos_put.h"
#include "bench/guard/undo.h"
#include "damon_sim.h"
#include "kern/tracefs.h"

/* Last: its fail() hides ours. */
#include <cmocka.h>

static void expect(const struct damon_sim *sim, const char *file,
		   const char *expected)
{
	auto_free char *text = sim_read(sim, file);

	assert_string_equal(text, expected);
}

static void watch(struct damon_sim *sim, size_t k, pid_t pid, const char *ops)
{
	auto_free char *dir = xasprintf(DAMON_ROOT "/%zu/contexts", k);
	auto_free char *nr = xasprintf("%s/nr_contexts", dir);
	auto_free char *targets = xasprintf("%s/0/targets/nr_targets", dir);
	auto_free char *target = xasprintf("%s/0/targets/0/pid_target", dir);
	auto_free char *ops_path = xasprintf("%s/0/operations", dir);
	auto_free char *text = xasprintf("%d", (int)pid);

	sim_set_number(sim, nr, 1);
	sim_set_number(sim, targets, 1);
	sim_put(sim, target, text);
	sim_put(sim, ops_path, ops);
}

static int undo(const struct damon_sim *sim, const char *journal,
		struct journal_undone *done)
{
	struct undo u;
	int ret;

	*done = (struct journal_undone){ 0 };
	undo_parse(xstrdup(journal), &u);
	assert_int_equal(u.n_bad, 0);
	err_quiet(1);
	ret = undo_rest(&sim->s.root, &u, done);
	err_quiet(0);
	undo_free(&u);
	return ret;
}

static void test_ours(void **state)
{
	struct damon_sim *sim = *state;
	struct journal_undone done;
	auto_free char *text = NULL;

	sim_foreign(sim, 2);
	watch(sim, 0, 4711, "vaddr");
	watch(sim, 1, 4711, "vaddr");
	assert_int_equal(undo(sim, "kdamonds\t2\t4711\tvaddr\n", &done), 0);
	assert_int_equal(done.kdamonds, 2);
	text = undo_text(&done);
	assert_string_equal(text, "2 kdamonds");
	expect(sim, "nr_kdamonds", "0");
	assert_string_equal(sim->log.text, "0/state off\n1/state off\n"
					   "nr_kdamonds 0\n");
}

/* Killed while it set up: nothing runs, and off is refused. */
static void test_half_set_up(void **state)
{
	struct damon_sim *sim = *state;
	struct journal_undone done;

	sim_set_number(sim, DAMON_ROOT "/nr_kdamonds", 1);
	sim->is_off_refused = true;
	assert_int_equal(undo(sim, "kdamonds\t1\t4711\tvaddr\n", &done), 0);
	assert_int_equal(done.kdamonds, 1);
	expect(sim, "nr_kdamonds", "0");
}

static void test_nothing_there(void **state)
{
	struct damon_sim *sim = *state;
	struct journal_undone done;

	assert_int_equal(undo(sim, "kdamonds\t1\t4711\tvaddr\n", &done), 0);
	assert_int_equal(done.kdamonds, 0);
	assert_null(sim->log.text);
}

struct row {
	size_t n;
	pid_t pid;
	const char *ops;
	const char *journal;
	bool is_ours;
};

static void check_owner(void **state)
{
	const struct row *row = *state;
	void *held;
	struct damon_sim *sim;
	struct journal_undone done;

	assert_int_equal(sim_setup(&held), 0);
	sim = held;
	sim_foreign(sim, row->n);
	for (size_t k = 0; k < row->n; k++)
		watch(sim, k, row->pid, row->ops);
	assert_int_equal(undo(sim, row->journal, &done), 0);
	assert_int_equal(done.kdamonds, row->is_ours ? row->n : 0);
	if (!row->is_ours)
		assert_null(sim->log.text);
	assert_int_equal(sim_teardown(&held), 0);
}

/* The last row stands for what is there now. */
static void test_last_row(void **state)
{
	struct damon_sim *sim = *state;
	struct journal_undone done;

	sim_foreign(sim, 1);
	watch(sim, 0, 4712, "vaddr");
	assert_int_equal(undo(sim,
			      "kdamonds\t1\t4711\tvaddr\n"
			      "kdamonds\t1\t4712\tvaddr\n",
			      &done),
			 0);
	assert_int_equal(done.kdamonds, 1);
}

static void test_busy(void **state)
{
	struct damon_sim *sim = *state;
	struct damos_owned owned = { 1, 4711, "vaddr" };

	sim_foreign(sim, 1);
	watch(sim, 0, 4711, "vaddr");
	sim->n_busy = 4;
	assert_int_equal(damos_take_away(&sim->s.root, &owned), 1);
	expect(sim, "nr_kdamonds", "0");
	assert_int_equal(damos_put(&sim->s.root, "proc/sys/vm/x", "1"), -EPERM);
}

/* Before anything else, so that no setting changes under a running one. */
static void test_order(void **state)
{
	struct damon_sim *sim = *state;
	struct journal_undone done;

	sim_foreign(sim, 1);
	watch(sim, 0, 4711, "vaddr");
	scratch_put(&sim->s, TRACEFS_INSTANCES "/thpbench.1/x", "");
	unlinkat(sim->s.root.fd, TRACEFS_INSTANCES "/thpbench.1/x", 0);
	scratch_put(&sim->s, "proc/sys/vm/x", "1\n");
	assert_int_equal(undo(sim,
			      "setting\tproc/sys/vm/x\t2\t20\n"
			      "kdamonds\t1\t4711\tvaddr\n"
			      "trace\t" TRACEFS_INSTANCES "/thpbench.1\n",
			      &done),
			 0);
	assert_int_equal(done.settings, 1);
	assert_int_equal(done.kdamonds, 1);
	assert_int_equal(done.traces, 1);
	assert_false(
		root_exists(&sim->s.root, TRACEFS_INSTANCES "/thpbench.1"));
}

static void check_bad(void **state)
{
	const char *line = *state;
	struct undo u;

	undo_parse(xstrdup(line), &u);
	assert_int_equal(u.n, 0);
	assert_int_equal(u.n_bad, 1);
	undo_free(&u);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_owner, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define BAD(name, line)                                                        \
	{                                                                      \
		name, check_bad, NULL, NULL, (char *)(line)                    \
	}
#define TEST(f) cmocka_unit_test_setup_teardown(f, sim_setup, sim_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ours),
		TEST(test_half_set_up),
		TEST(test_nothing_there),
		TEST(test_last_row),
		TEST(test_busy),
		TEST(test_order),
		ROW("ours", 1, 4711, "vaddr", "kdamonds\t1\t4711\tvaddr\n",
		    true),
		ROW("another process", 1, 4712, "vaddr",
		    "kdamonds\t1\t4711\tvaddr\n", false),
		ROW("another number", 2, 4711, "vaddr",
		    "kdamonds\t1\t4711\tvaddr\n", false),
		ROW("runs, and ours was only a trial", 1, 0, "vaddr",
		    "kdamonds\t1\t0\tvaddr\n", false),
		ROW("physical memory, and ours is not", 1, 0, "paddr",
		    "kdamonds\t1\t4711\tvaddr\n", false),
		ROW("physical memory as ours", 1, 0, "paddr",
		    "kdamonds\t1\t4711\tpaddr\n", true),
		BAD("none", "kdamonds\t0\t4711\tvaddr\n"),
		BAD("no operations", "kdamonds\t1\t4711\n"),
		BAD("no pid", "kdamonds\t1\tx\tvaddr\n"),
		BAD("not our trace", "trace\t" TRACEFS_INSTANCES "/perf\n"),
		BAD("a way out",
		    "trace\t" TRACEFS_INSTANCES "/thpbench/../perf\n"),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
