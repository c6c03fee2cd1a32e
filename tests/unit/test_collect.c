/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/collect: the row of all collectors, its price, its budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "base/tree.h"
#include "base/tsv.h"
#include "bench/collect/collect.h"
#include "bench/collect/collectors.h"
#include "data/store.h"
#include "kern/cgroup.h"
#include "toucher.h"

/* Burns so much CPU time at each tick. */
static void burn(uint64_t ns)
{
	uint64_t until = clock_cpu_ns() + ns;

	while (clock_cpu_ns() < until)
		;
}

struct fake {
	int n;
};

static const char *const one_column[] = { "one" };
static const char *const two_columns[] = { "two_a", "two_b" };

static void *fake_open(const struct collect_target *t, char **source,
		       char **why)
{
	(void)t;
	(void)why;
	*source = xstrdup("a source");
	return xcalloc(1, sizeof(struct fake));
}

static void *refuse_open(const struct collect_target *t, char **source,
			 char **why)
{
	(void)t;
	(void)source;
	*why = xstrdup("not on this machine");
	return NULL;
}

static const char *const *fake_one(void *state, size_t *n)
{
	(void)state;
	*n = 1;
	return one_column;
}

static const char *const *fake_two(void *state, size_t *n)
{
	(void)state;
	*n = 2;
	return two_columns;
}

static void dear_sample(void *state, const struct collect_target *t,
			double *cells)
{
	struct fake *f = state;

	(void)t;
	burn(3 * NUM_NS_PER_MS);
	cells[0] = ++f->n;
}

/* A value at every other tick; the second column never. */
static void gap_sample(void *state, const struct collect_target *t,
		       double *cells)
{
	struct fake *f = state;

	(void)t;
	if (++f->n % 2)
		cells[0] = f->n;
}

static void no_sample(void *state, const struct collect_target *t,
		      double *cells)
{
	(void)state;
	(void)t;
	(void)cells;
}

static const struct collector dear = {
	.name = "dear",
	.help = "",
	.open = fake_open,
	.columns = fake_one,
	.sample = dear_sample,
	.close = free,
	.none = "dear: none",
};
static const struct collector gaps = {
	.name = "gaps",
	.help = "",
	.open = fake_open,
	.columns = fake_two,
	.sample = gap_sample,
	.close = free,
	.none = "gaps: none",
};
static const struct collector refused = {
	.name = "refused",
	.help = "",
	.open = refuse_open,
	.columns = fake_one,
	.sample = no_sample,
	.close = free,
	.none = "never said",
};
static const struct collector empty = {
	.name = "empty",
	.help = "",
	.open = fake_open,
	.columns = fake_one,
	.sample = no_sample,
	.close = free,
	.none = "no process",
};

/* A run's folder to collect in. */
struct fixture {
	char dir[32];
	struct experiment e;
	struct run run;
	struct store_run *store;
	struct root root;
	struct collect_target target;
};

static int set_up(void **state)
{
	static struct fixture f;
	struct arm_record *arm = xcalloc(1, sizeof(*arm));

	f = (struct fixture){ .dir = "/tmp/test_collect.XXXXXX" };
	assert_non_null(mkdtemp(f.dir));
	assert_int_equal(root_open("/", &f.root), 0);
	f.target.root = &f.root;
	arm->label = xstrdup("an arm");
	f.e.dir = xasprintf("%s/results", f.dir);
	f.e.id = xstrdup("results");
	f.e.title = xstrdup("");
	f.e.config_path = xstrdup("");
	f.e.config_text = xstrdup("");
	f.e.config_hash = xstrdup("");
	f.e.program = xstrdup("");
	f.e.created = xstrdup("");
	f.e.primary = xstrdup("tps");
	f.e.arms = arm;
	f.e.n_arms = 1;
	f.run = (struct run){ .number = 1, .block = 1, .attempt = 1 };
	f.run.reason = xstrdup("");
	assert_int_equal(store_create(&f.e), 0);
	assert_int_equal(store_run_open(&f.e, &f.run, &f.store), 0);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	if (f->store)
		store_run_close(f->store, &f->e, &f->run);
	run_free(&f->run);
	experiment_free(&f->e);
	root_close(&f->root);
	return tree_remove(f->dir);
}

static void read_table(struct fixture *f, const char *file, struct tsv *out)
{
	auto_free char *path = store_run_path(f->store, file);

	assert_int_equal(tsv_read(path, out), 0);
}

static void check_cell(const struct tsv *t, size_t row, const char *column,
		       const char *expected)
{
	assert_string_equal(tsv_cell(t, row, tsv_column(t, column)), expected);
}

static double number(const struct tsv *t, size_t row, const char *column)
{
	double v = -1;

	assert_int_equal(num_double(tsv_cell(t, row, tsv_column(t, column)),
				    &v),
			 0);
	return v;
}

/* Each column in its place, gaps as "-", what is missing with its reason. */
static void rows_and_reasons(void **state)
{
	static const struct collector *const list[] = { &gaps, &refused, &dear,
							&empty };
	struct collect_config config = { .interval_ns = NUM_NS_PER_MS,
					 .off = (char *)"psi empty-not cpu" };
	struct fixture *f = *state;
	struct collect *c =
		collect_open_list(&f->target, &config, list, ARRAY_SIZE(list));
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	assert_true(isnan(collect_last(c, "one")));
	for (int i = 0; i < 4; i++)
		assert_int_equal(collect_tick(c, f->store, i, "load"), 0);
	assert_true(isnan(collect_last(c, "two_b")));
	assert_int_equal((int)collect_last(c, "one"), 4);
	assert_true(isnan(collect_last(c, "no such")));
	assert_int_equal(collect_widened_ns(c), 0);
	assert_int_equal(collect_close(c, f->store), 0);

	read_table(f, "samples.tsv", &t);
	assert_int_equal(t.n_rows, 5);
	/* t_s phase two_a two_b one (dear) one (empty) own_cpu_s */
	assert_int_equal(t.widths[0], 7);
	assert_string_equal(tsv_cell(&t, 0, 6), "own_cpu_s");
	check_cell(&t, 1, "phase", "load");
	check_cell(&t, 1, "two_a", "1");
	check_cell(&t, 2, "two_a", "-");
	check_cell(&t, 3, "two_a", "3");
	check_cell(&t, 3, "two_b", "-");
	check_cell(&t, 4, "one", "4");
	assert_string_equal(tsv_cell(&t, 4, 5), "-");
	assert_true(number(&t, 4, "own_cpu_s") >= 0.012);
	assert_true(number(&t, 1, "own_cpu_s") >= 0.003);
	assert_true(number(&t, 1, "own_cpu_s") < 0.006);
	tsv_free(&t);

	read_table(f, "collectors.tsv", &t);
	assert_int_equal(t.n_rows, 7);
	check_cell(&t, 1, "collector", "gaps");
	check_cell(&t, 1, "source", "a source");
	check_cell(&t, 1, "samples", "4");
	check_cell(&t, 1, "missing", "");
	check_cell(&t, 2, "collector", "refused");
	check_cell(&t, 2, "samples", "0");
	check_cell(&t, 2, "missing", "not on this machine");
	check_cell(&t, 3, "missing", "");
	assert_true(number(&t, 3, "cpu_s") >= 0.012);
	assert_true(number(&t, 3, "cpu_s") < 0.024);
	assert_true(number(&t, 3, "longest_ms") >= 3);
	assert_true(number(&t, 1, "cpu_s") < 0.003);
	check_cell(&t, 4, "missing", "no process");
	check_cell(&t, 5, "collector", "mappings");
	check_cell(&t, 6, "collector", "writing");
	check_cell(&t, 6, "samples", "4");
	tsv_free(&t);
}

static void switched_off(void **state)
{
	static const struct collector *const list[] = { &dear, &gaps };
	struct collect_config config = { .interval_ns = NUM_NS_PER_S,
					 .off = (char *)"memory dear" };
	struct fixture *f = *state;
	struct collect *c =
		collect_open_list(&f->target, &config, list, ARRAY_SIZE(list));
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	assert_int_equal(collect_tick(c, f->store, 0, "load"), 0);
	assert_true(isnan(collect_last(c, "one")));
	assert_int_equal(collect_close(c, f->store), 0);
	read_table(f, "collectors.tsv", &t);
	check_cell(&t, 1, "missing", "switched off by the configuration");
	check_cell(&t, 2, "missing", "");
	tsv_free(&t);
}

/* All that the table has, on this machine, without a server. */
static void all_collectors(void **state)
{
	struct collect_config config = { .interval_ns = NUM_NS_PER_S };
	struct fixture *f = *state;
	struct collect *c = collect_open(&f->target, &config);
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(collect_tick(c, f->store, i, "start"), 0);
	assert_int_equal(collect_close(c, f->store), 0);
	read_table(f, "collectors.tsv", &t);
	assert_int_equal(t.n_rows, 1 + n_collectors + 2);
	for (size_t i = 0; i < n_collectors; i++) {
		const char *name = collectors[i]->name;
		bool is_ours = str_eq(name, "memory") ||
			       str_eq(name, "cgroup") ||
			       str_eq(name, "mariadb");

		check_cell(&t, i + 1, "collector", name);
		assert_true(*collectors[i]->help && *collectors[i]->none);
		if (is_ours)
			assert_string_not_equal(
				tsv_cell(&t, i + 1, tsv_column(&t, "missing")),
				"");
	}
	tsv_free(&t);
}

/* Play a run in real time; returns the number of ticks. */
static unsigned int play(struct fixture *f, struct collect *c,
			 uint64_t length_ns, uint64_t interval_ns)
{
	uint64_t zero = clock_ns();
	uint64_t next;
	unsigned int n = 0;

	while ((next = collect_next_ns(c)) < zero + length_ns) {
		uint64_t t_ns;

		clock_sleep_until(next);
		t_ns = clock_ns() - zero;
		assert_int_equal(collect_tick(c, f->store,
					      (double)t_ns /
						      (double)NUM_NS_PER_S,
					      "load"),
				 0);
		/* On the grid of the run's clock, but for rounding. */
		next = collect_next_ns(c) - zero + NUM_NS_PER_MS / 2;
		assert_in_range(next % interval_ns, 0, NUM_NS_PER_MS);
		n++;
	}
	return n;
}

/* 3 ms a tick, every 10 ms, with 5 % to spend: one tick in 60 ms at best. */
static void stays_in_budget(void **state)
{
	static const struct collector *const list[] = { &dear };
	struct collect_config config = { .interval_ns = 10 * NUM_NS_PER_MS,
					 .budget_pct = 5 };
	struct fixture *f = *state;
	struct collect *c = collect_open_list(&f->target, &config, list, 1);
	const uint64_t length = 1500 * NUM_NS_PER_MS;
	unsigned int n;
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	n = play(f, c, length, config.interval_ns);
	assert_in_range(n, 5, 25);
	assert_true(collect_widened_ns(c) >= 60 * NUM_NS_PER_MS);
	assert_int_equal(collect_widened_ns(c) % config.interval_ns, 0);
	assert_int_equal(collect_close(c, f->store), 0);
	read_table(f, "samples.tsv", &t);
	assert_true(number(&t, t.n_rows - 1, "own_cpu_s") <= 0.05 * 1.6);
	tsv_free(&t);
}

static void without_budget(void **state)
{
	static const struct collector *const list[] = { &gaps };
	struct collect_config config = { .interval_ns = 10 * NUM_NS_PER_MS };
	struct fixture *f = *state;
	struct collect *c = collect_open_list(&f->target, &config, list, 1);
	unsigned int n;

	assert_int_equal(collect_begin(c, f->store), 0);
	n = play(f, c, 500 * NUM_NS_PER_MS, config.interval_ns);
	/* A busy machine may lose some, but none is made up. */
	assert_in_range(n, 5, 51);
	assert_int_equal(collect_widened_ns(c), 0);
	assert_int_equal(collect_close(c, f->store), 0);
}

/* Opening is dear, ticks are not: none is left out for it. */
static void *dear_open(const struct collect_target *t, char **source,
		       char **why)
{
	burn(30 * NUM_NS_PER_MS);
	return fake_open(t, source, why);
}

static void opening_is_outside(void **state)
{
	static const struct collector opens = {
		.name = "opens",
		.help = "",
		.open = dear_open,
		.columns = fake_two,
		.sample = gap_sample,
		.close = free,
		.none = "opens: none",
	};
	static const struct collector *const list[] = { &opens };
	struct collect_config config = { .interval_ns = 50 * NUM_NS_PER_MS,
					 .budget_pct = 5 };
	struct fixture *f = *state;
	struct collect *c = collect_open_list(&f->target, &config, list, 1);
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	play(f, c, 300 * NUM_NS_PER_MS, config.interval_ns);
	assert_int_equal(collect_widened_ns(c), 0);
	assert_int_equal(collect_close(c, f->store), 0);
	read_table(f, "collectors.tsv", &t);
	assert_true(number(&t, 1, "cpu_s") >= 0.030);
	assert_true(number(&t, 1, "longest_ms") < 30);
	tsv_free(&t);
}

/* smaps by mapping, and the memory collector held to account. */
static void mappings_agree(void **state)
{
	const struct toucher memory = { .huge_bytes = 32 * NUM_MIB };
	struct collect_config config = { .interval_ns = NUM_NS_PER_S };
	struct fixture *f = *state;
	struct collect *c = collect_open(&f->target, &config);
	char *mismatch = (char *)"";
	struct tsv t;

	assert_int_equal(collect_begin(c, f->store), 0);
	/* No server: nothing to look at. */
	assert_int_equal(collect_mappings(c, f->store, "load", &mismatch), 0);
	assert_null(mismatch);
	f->target.server_pid = toucher_start(&memory);
	assert_int_not_equal(f->target.server_pid, 0);
	assert_int_equal(collect_mappings(c, f->store, "end", &mismatch), 0);
	assert_null(mismatch);
	toucher_end(f->target.server_pid);
	/* It went: that is for the run to see. */
	assert_true(collect_mappings(c, f->store, "end", &mismatch) < 0);
	assert_null(mismatch);
	assert_int_equal(collect_close(c, f->store), 0);
	read_table(f, "smaps-end.tsv", &t);
	check_cell(&t, 1, "mapping", "largest anonymous");
	assert_true(number(&t, 1, "rss_bytes") >= 32.0 * NUM_MIB);
	tsv_free(&t);
	read_table(f, "collectors.tsv", &t);
	check_cell(&t, 1 + n_collectors, "collector", "mappings");
	check_cell(&t, 1 + n_collectors, "samples", "2");
	tsv_free(&t);
}

/* A server that was not started in its cgroup: memory.stat knows nothing. */
static void mappings_differ(void **state)
{
	const struct toucher memory = { .huge_bytes = 32 * NUM_MIB };
	struct collect_config config = { .interval_ns = NUM_NS_PER_S };
	auto_free char *name = xasprintf("thpbench.test.%d", (int)getpid());
	auto_free char *mismatch = NULL;
	auto_free char *why = NULL;
	struct fixture *f = *state;
	struct cgroup cgroup;
	struct collect *c;

	if (cgroup_make(&f->root, name, &cgroup, &why)) {
		print_message("%s\n", why);
		skip();
	}
	f->target.cgroup = &cgroup;
	f->target.server_pid = toucher_start(&memory);
	assert_int_not_equal(f->target.server_pid, 0);
	c = collect_open(&f->target, &config);
	assert_int_equal(collect_begin(c, f->store), 0);
	assert_int_equal(collect_mappings(c, f->store, "end", &mismatch), 0);
	toucher_end(f->target.server_pid);
	assert_int_equal(collect_close(c, f->store), 0);
	assert_int_equal(cgroup_remove(&f->root, cgroup.path), 0);
	cgroup_free(&cgroup);
	if (madvise(NULL, 0, 25 /* MADV_COLLAPSE */))
		skip();
	assert_non_null(mismatch);
	assert_true(str_starts(mismatch, "at end smaps has "));
	assert_non_null(strstr(mismatch, " MiB huge, the memory collector "
					 "0.0 MiB (huge: cgroup v"));
}

/* A tick that is due stays due until it is taken, and is taken once. */
static void late_tick(void **state)
{
	static const struct collector *const list[] = { &gaps };
	struct collect_config config = { .interval_ns = 5 * NUM_NS_PER_MS };
	struct fixture *f = *state;
	struct collect *c = collect_open_list(&f->target, &config, list, 1);
	uint64_t zero = clock_ns();
	uint64_t next;

	assert_int_equal(collect_begin(c, f->store), 0);
	assert_int_equal(collect_tick(c, f->store, 0, "load"), 0);
	next = collect_next_ns(c);
	clock_sleep_until(zero + 52 * NUM_NS_PER_MS);
	assert_int_equal(collect_next_ns(c), next);
	assert_true(next < clock_ns());
	assert_int_equal(collect_tick(c, f->store, 0.052, "load"), 0);
	assert_true(collect_next_ns(c) > zero + 52 * NUM_NS_PER_MS);
	assert_int_equal(collect_close(c, f->store), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_and_reasons),   TEST(switched_off),
		TEST(all_collectors),     TEST(stays_in_budget),
		TEST(without_budget),     TEST(late_tick),
		TEST(opening_is_outside), TEST(mappings_agree),
		TEST(mappings_differ),
	};

	toucher_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
