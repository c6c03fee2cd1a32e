/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards put together: the runs, the hosts, what is refused, host x arm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "data/by_host.h"
#include "data/stats/judge.h"
#include "data/merge.h"
#include "data/stats/quality.h"
#include "figures.h"
#include "out/notes.h"
#include "out/tables.h"

enum { ARMS = 2, BLOCKS = 6 };

/* A shard of an experiment of two arms in six blocks, on a host. */
static void make(struct experiment *e, unsigned int index, unsigned int of,
		 const char *host)
{
	size_t n = 0;

	figures_make(e, ARMS, BLOCKS);
	free(e->dir);
	free(e->id);
	e->dir = xasprintf("/r/x/shard-%u-of-%u", index, of);
	e->id = xasprintf("x/shard-%u-of-%u", index, of);
	e->created = xasprintf("2026-11-30T12:00:%02uZ", 60 - index);
	e->program = xstrdup("thpbench 0.1.0");
	e->shard = (struct shard){ index, of };
	facts_set(&e->host, "hostname", host);
	facts_set(&e->host, "kernel", "6.18");
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];

		run->dir = xasprintf("runs/%03u", run->number);
		if (shard_has(&e->shard, run->block))
			e->runs[n++] = *run;
		else
			run_free(run);
	}
	e->n_runs = e->n_planned = n;
}

/* ln(B / A) of each block, around a level of its host's. */
static void set(struct experiment *e, double level, double effect,
		const double *noise)
{
	for (size_t i = 0; i < e->n_runs; i++) {
		struct run *run = &e->runs[i];
		double log_ratio = effect + noise[run->block - 1];

		run->values[metric_find("tps") - metrics] = (struct value){
			.is_there = true,
			.number = level * (run->arm ? exp(log_ratio) : 1),
		};
	}
}

static void merge(struct experiment *shards, size_t n, struct experiment *out)
{
	char *why;

	assert_int_equal(merge_shards(shards, n, "/r/x/", out, &why), 0);
	assert_null(why);
}

static bool has_mark(const struct experiment *e, const char *part)
{
	for (size_t i = 0; i < e->n_marks; i++)
		if (strstr(e->marks[i], part))
			return true;
	return false;
}

static void test_whole(void **state)
{
	static const unsigned int order[] = { 3, 1, 2 };
	struct experiment shards[3];
	struct experiment e;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		make(&shards[i], order[i], 3, order[i] == 2 ? "n2" : "n1");
	merge(shards, 3, &e);
	assert_string_equal(e.id, "x");
	assert_string_equal(e.created, "2026-11-30T12:00:57Z");
	assert_int_equal(e.n_runs, ARMS * BLOCKS);
	assert_int_equal(e.n_planned, ARMS * BLOCKS);
	for (size_t i = 0; i < e.n_runs; i++) {
		unsigned int shard = (e.runs[i].block - 1) % 3 + 1;
		auto_free char *dir =
			xasprintf("shard-%u-of-3/runs/%03zu", shard, i + 1);

		assert_int_equal(e.runs[i].number, i + 1);
		assert_int_equal(e.parts[e.runs[i].part].index, shard);
		assert_string_equal(e.runs[i].dir, dir);
		assert_string_equal(merge_host(&e, &e.runs[i]),
				    shard == 2 ? "n2" : "n1");
	}
	assert_int_equal(e.n_marks, 0);
	assert_int_equal(e.n_hosts, 2);
	{
		auto_free char *text = merge_hosts_text(&e);

		assert_string_equal(text, "n1 (shards 1, 3), n2 (shard 2)");
	}
	experiment_free(&e);
}

static void test_missing(void **state)
{
	struct experiment shards[2];
	struct experiment e;

	(void)state;
	make(&shards[0], 2, 4, "n1");
	make(&shards[1], 4, 4, "n1");
	merge(shards, 2, &e);
	assert_int_equal(e.n_planned, ARMS * BLOCKS);
	assert_int_equal(e.n_runs, 2 * ARMS + ARMS);
	assert_int_equal(e.n_marks, 2);
	assert_true(has_mark(&e, "shard 1 of 4 is not among the folders: "
				 "blocks 1, 5 of 6"));
	assert_true(has_mark(&e, "shard 3 of 4 is not among the folders: "
				 "block 3 of 6"));
	experiment_free(&e);
}

static void test_hosts(void **state)
{
	struct experiment shards[3];
	struct experiment e;

	(void)state;
	for (unsigned int i = 0; i < 3; i++)
		make(&shards[i], i + 1, 3, "n1");
	facts_set(&shards[1].host, "kernel", "6.19");
	facts_set(&shards[2].host, "memory_bytes", "7");
	merge(shards, 3, &e);
	assert_int_equal(e.n_hosts, 3);
	assert_string_equal(e.hosts[0].name, "n1");
	assert_string_equal(e.hosts[1].name, "n1 with Linux 6.19");
	assert_string_equal(e.hosts[2].name, "n1, machine 3 of that name");
	assert_true(has_mark(&e, "shard 2 (n1 with Linux 6.19) differs from "
				 "shard 1 (n1): kernel: 6.18 | 6.19."));
	experiment_free(&e);
}

/* --- what is refused --- */

static void other_hash(struct experiment *e)
{
	e->config_hash[0] = '1';
}
static void other_seed(struct experiment *e)
{
	e->seed++;
}
static void other_blocks(struct experiment *e)
{
	e->blocks++;
}
static void other_arm(struct experiment *e)
{
	e->arms[1].label[0] = 'C';
}
static void other_of(struct experiment *e)
{
	e->shard.of = 3;
}
static void other_accel(struct experiment *e)
{
	facts_set(&e->host, "accel", "tcg");
}
static void other_guest(struct experiment *e)
{
	facts_set(&e->host, "guest_kernels", "7.2");
}
static void same_shard(struct experiment *e)
{
	e->shard.index = 1;
}

struct row {
	void (*change)(struct experiment *e);
	const char *why;
};

static void check_refused(void **state)
{
	const struct row *row = *state;
	struct experiment shards[2];
	struct experiment e;
	char *why = NULL;

	make(&shards[0], 1, 2, "n1");
	make(&shards[1], 2, 2, "n1");
	row->change(&shards[1]);
	assert_int_equal(merge_shards(shards, 2, "/r/x", &e, &why), -EINVAL);
	assert_non_null(strstr(why, row->why));
	assert_non_null(strstr(why, "/r/x/shard-1-of-2"));
	assert_non_null(strstr(why, "/r/x/shard-2-of-2"));
	free(why);
	experiment_free(&shards[0]);
	experiment_free(&shards[1]);
}

/* --- by host --- */

static const double noise[] = { 0.001, -0.001, 0.002, 0.001, -0.003, 0 };

/* Levels that differ a hundredfold leave the effect as it is. */
static void test_levels(void **state)
{
	struct experiment shards[2];
	struct experiment e;
	struct judgements j;
	struct by_host b;
	size_t n = 0;

	(void)state;
	make(&shards[0], 1, 2, "n1");
	make(&shards[1], 2, 2, "n2");
	set(&shards[0], 100, 0.01, noise);
	set(&shards[1], 10000, 0.01, noise);
	merge(shards, 2, &e);
	judge_experiment(&e, NULL, &j);
	for (size_t i = 0; i < j.n; i++)
		if (j.list[i].is_primary) {
			assert_true(j.list[i].is_paired);
			n++;
			assert_int_equal(j.list[i].n, BLOCKS);
			assert_true(fabs(j.list[i].effect.d - 0.01) < 1e-9);
			assert_int_equal(j.list[i].verdict, VERDICT_IMPROVED);
		}
	assert_int_equal(n, 1);
	judgements_free(&j);
	by_host(&e, 1, "tps", &b);
	assert_int_equal(b.n, 2);
	assert_int_equal(b.n_over, 2);
	assert_int_equal(b.list[0].n, 3);
	assert_true(fabs(b.list[0].base - 100) < 1e-9);
	assert_true(fabs(b.list[1].base - 10000) < 1e-9);
	/* Blocks 1, 3, 5 and 2, 4, 6: both sum to 0. */
	assert_true(fabs(b.list[0].effect.d - 0.01) < 1e-12);
	assert_true(fabs(b.list[1].effect.d - 0.01) < 1e-12);
	assert_true(b.differ.p > 0.99);
	by_host_free(&b);
	experiment_free(&e);
}

/* +3 % here and -1 % there: told, with the F of one-way analysis by hand. */
static void test_disagree(void **state)
{
	struct experiment shards[2];
	struct experiment e;
	struct by_host b;
	double *p;

	(void)state;
	make(&shards[0], 1, 2, "n1");
	make(&shards[1], 2, 2, "n2");
	set(&shards[0], 100, 0.03, noise);
	set(&shards[1], 100, -0.01, noise);
	merge(shards, 2, &e);
	by_host(&e, 1, "tps", &b);
	/*
	 * Means 0.03, -0.01: between 6 * 0.02 ^ 2 = 0.0024 with 1 df; within
	 * 0.000014 + 0.000002 with 4 df, F = 600.
	 */
	assert_int_equal(b.differ.df_between, 1);
	assert_int_equal(b.differ.df_within, 4);
	assert_true(fabs(b.differ.f - 600) < 1e-6);
	assert_true(b.differ.p < 0.0001);
	/* Two hosts: mean 0.01, standard error 0.04 / sqrt(2) / sqrt(2). */
	assert_true(fabs(b.over_hosts.d - 0.01) < 1e-12);
	assert_true(fabs(b.over_hosts.se - 0.02) < 1e-12);
	assert_true(fabs(b.over_hosts.df - 1) < 1e-12);
	by_host_free(&b);
	p = by_host_differ(&e);
	assert_true(isnan(p[0]));
	assert_true(p[1] < 0.0001);
	free(p);
	experiment_free(&e);
}

/* What report prints of it, here of two hosts that disagree. */
static void test_table(void **state)
{
	static const char *const lines[] = {
		"  n1                 3    100.00  103.05    +3.05 % [+2.37, "
		"+3.72]",
		"  n2                 3    100.00   99.01    -1.00 % [-1.24, "
		"-0.75]",
		"  (hosts as n)       2         -       -  +1.01 % [-21.66, "
		"+30.23]",
		"Host x arm, 'B': the hosts disagree (p < 0.001)",
		"Hosts: n1 (shard 1), n2 (shard 2);",
	};
	struct experiment shards[2];
	struct str out = { 0 };
	struct experiment e;
	struct table t;

	(void)state;
	make(&shards[0], 1, 2, "n1");
	make(&shards[1], 2, 2, "n2");
	set(&shards[0], 100, 0.03, noise);
	set(&shards[1], 100, -0.01, noise);
	merge(shards, 2, &e);
	table_begin(&t, "hosts", "x");
	tables_hosts(&e, &t);
	note_machine(&e, &t);
	notes_doubts(&e, &t);
	table_print(&t, "x", TABLE_TEXT, &out);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!strstr(out.text, lines[i])) {
			print_message("no '%s' in:\n%s", lines[i], out.text);
			assert_true(false);
		}
	/* Below the table, and among the doubts. */
	assert_non_null(strstr(strstr(out.text, "disagree") + 1, "disagree"));
	table_free(&t);
	str_free(&out);
	experiment_free(&e);
}

/* A host's level is no drift, though it comes with every second block. */
static void test_drift(void **state)
{
	struct experiment shards[2];
	struct experiment e;
	struct quality q;

	(void)state;
	make(&shards[0], 1, 2, "n1");
	make(&shards[1], 2, 2, "n2");
	set(&shards[0], 100, 0, noise);
	set(&shards[1], 1000, 0, noise);
	merge(shards, 2, &e);
	quality_find(&e, "tps", &q);
	assert_true(fabs(q.drift_pct) < 0.5);
	quality_free(&q);
	experiment_free(&e);
}

#define REFUSED(name, ...)                                                     \
	{                                                                      \
		name, check_refused, NULL, NULL, &(struct row)                 \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_hosts),
		REFUSED("hash", other_hash,
			"configuration's hash is 0 in one and 1"),
		REFUSED("seed", other_seed, "the seed is 1 in one and 2"),
		REFUSED("blocks", other_blocks, "number of blocks is 6 in one"),
		REFUSED("arms", other_arm, "list of arms is 'A', 'B' in one"),
		REFUSED("of", other_of, "number of shards is 2 in one and 3"),
		REFUSED("emulated", other_accel, "accel is not there in one"),
		REFUSED("guest", other_guest, "guests' kernel is not there"),
		REFUSED("twice", same_shard, "are both shard 1 of 2"),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_disagree),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_drift),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
