/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a configuration to the points of its benchmarks. */
#include "bench/load/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/config/config.h"
#include "bench/run/plan.h"

/* Behind base/err.h: it has a fail() too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void read_keys(const char *keys, struct config *c)
{
	auto_free char *text =
		xasprintf("[workload]\n%s\n[arm \"a\"]\nthp = never\n", keys);

	if (config_parse("x.conf", text, c))
		fail_msg("%s", err_last());
}

/* Keys, and what becomes of them: "metric (unit, better): command\n" each. */
struct row {
	const char *keys;
	const char *points;
};

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_str struct str text = { 0 };
	struct config c;

	read_keys(row->keys, &c);
	str_add(&text, "");
	for (size_t i = 0; i < c.points.n; i++) {
		const struct point *p = &c.points.list[i];
		auto_free char *command = points_command_text(p);

		str_addf(&text, "%s (%s, %s): %s\n", p->metric.name,
			 p->metric.unit, metric_better_text(p->metric.better),
			 command);
	}
	assert_string_equal(text.text, row->points);
	config_free(&c);
}

static void the_first_point_is_primary(void **state)
{
	struct config c;

	(void)state;
	read_keys("program = sysbench-mutex hackbench\ngroups = 2 4", &c);
	assert_string_equal(c.primary, "process-sockets-2");
	assert_string_equal(facts_get(&c.keys, "experiment.primary"),
			    "process-sockets-2");
	/* No process lasts that a counter could be of. */
	assert_int_equal(c.collect.scope, COUNTERS_OF_SYSTEM);
	assert_string_equal(facts_get(&c.keys, "collect.scope"), "system");
	config_free(&c);
}

static void what_takes_no_part_is_not_recorded(void **state)
{
	struct config c;

	(void)state;
	read_keys("program = hackbench", &c);
	assert_string_equal(facts_get(&c.keys, "workload.groups"), "10");
	assert_string_equal(facts_get(&c.keys, "workload.measure"), "");
	assert_string_equal(facts_get(&c.keys, "workload.threads"), "");
	assert_string_equal(facts_get(&c.keys, "workload.duration"), "");
	config_free(&c);
}

/* Two points of 3 s, thrice each; the limit is for each execution. */
static void time_is_that_of_all_executions(void **state)
{
	struct config c;

	(void)state;
	read_keys("program = sysbench-memory sysbench-mutex\nduration = 3s\n"
		  "threads = 1 2\nrepeats = 2\nwarm_ups = 1\n"
		  "point_limit = 10s",
		  &c);
	assert_int_equal(plan_run_least_ns(&c), 18 * NUM_NS_PER_S);
	assert_int_equal(plan_run_most_ns(&c), 120 * NUM_NS_PER_S);
	config_free(&c);
}

static void programs_are_there_once(void **state)
{
	struct config c;
	const char **list;
	size_t n;

	(void)state;
	read_keys("program = hackbench sysbench-mutex sysbench-threads\n"
		  "threads = 1 2\nsysbench = /opt/sysbench",
		  &c);
	list = points_programs(&c, &n);
	assert_int_equal(n, 2);
	assert_string_equal(list[0], "hackbench");
	assert_string_equal(list[1], "/opt/sysbench");
	free(list);
	config_free(&c);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("none", "program = null", ""),
		ROW("hackbench", "program = hackbench",
		    "process-sockets-10 (s, less): "
		    "hackbench -P -g 10 -l 100 -f 20 -s 100\n"),
		ROW("all of hackbench",
		    "program = hackbench\nworkers = process thread\n"
		    "channels = pipes sockets\ngroups = 1  4\nloops = 7\n"
		    "fds = 8\ndatasize = 9",
		    "process-pipes-1 (s, less): "
		    "hackbench -P -p -g 1 -l 7 -f 8 -s 9\n"
		    "process-pipes-4 (s, less): "
		    "hackbench -P -p -g 4 -l 7 -f 8 -s 9\n"
		    "process-sockets-1 (s, less): "
		    "hackbench -P -g 1 -l 7 -f 8 -s 9\n"
		    "process-sockets-4 (s, less): "
		    "hackbench -P -g 4 -l 7 -f 8 -s 9\n"
		    "thread-pipes-1 (s, less): "
		    "hackbench -T -p -g 1 -l 7 -f 8 -s 9\n"
		    "thread-pipes-4 (s, less): "
		    "hackbench -T -p -g 4 -l 7 -f 8 -s 9\n"
		    "thread-sockets-1 (s, less): "
		    "hackbench -T -g 1 -l 7 -f 8 -s 9\n"
		    "thread-sockets-4 (s, less): "
		    "hackbench -T -g 4 -l 7 -f 8 -s 9\n"),
		ROW("built-in tests",
		    "program = sysbench-threads sysbench-mutex\n"
		    "threads = 1 128\nopt.mutex-locks = 5\nduration = 2s",
		    "sysbenchmutex-1 (us, less): sysbench builtin.lua "
		    "--mutex-locks=5 --threads=1 --time=0 --events=0 run\n"
		    "sysbenchmutex-128 (us, less): sysbench builtin.lua "
		    "--mutex-locks=5 --threads=128 --time=0 --events=0 run\n"
		    "sysbenchthreads-1 (1/s, more): sysbench builtin.lua "
		    "--mutex-locks=5 --threads=1 --time=2 --events=0 run\n"
		    "sysbenchthreads-128 (1/s, more): sysbench builtin.lua "
		    "--mutex-locks=5 --threads=128 --time=2 --events=0 run\n"),
		ROW("a command",
		    "program = command\ncommand = dd x\ncommand_unit = B/s\n"
		    "command_better = more\ncommand_regex = ([0-9]+) B/s",
		    "command (B/s, more): /bin/sh -c dd x\n"),
		ROW("a command with values",
		    "program = command\ncommand = t {} -n{} {\n"
		    "command_values = 4k big\ncommand_name = t\n"
		    "command_unit = s\ncommand_better = neither\n"
		    "command_json = .x[0]",
		    "t-4k (s, neither): /bin/sh -c t 4k -n4k {\n"
		    "t-big (s, neither): /bin/sh -c t big -nbig {\n"),
		cmocka_unit_test(the_first_point_is_primary),
		cmocka_unit_test(what_takes_no_part_is_not_recorded),
		cmocka_unit_test(time_is_that_of_all_executions),
		cmocka_unit_test(programs_are_there_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
