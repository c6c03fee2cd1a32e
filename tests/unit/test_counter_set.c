/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of a run: groups in turns, replays, a process that runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Before cmocka.h, which has a macro of the name of fail(). */
#include "base/err.h"

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/counter/counter_set.h"
#include "bench/guard/halt.h"

/* --- turns --- */

/* Groups of these sizes; the last is the kernel's. */
static void make_plan(struct counter_plan *plan, const size_t *sizes, size_t n)
{
	*plan = (struct counter_plan){
		.groups = xcalloc(n, sizeof(*plan->groups)),
		.n_groups = n,
		.general = 4,
		.fixed = xstrdup("cycles"),
	};
	for (size_t i = 0; i < n; i++) {
		struct counter_group *g = &plan->groups[i];

		g->name = xasprintf("g%zu", i);
		g->is_software = i + 1 == n;
		g->n = sizes[i];
		g->events = xcalloc(g->n, sizeof(*g->events));
		for (size_t k = 0; k < g->n; k++) {
			g->events[k].name = xasprintf("e%zu.%zu", i, k);
			g->events[k].role = xasprintf("r%zu.%zu", i, k);
		}
	}
}

struct turn_row {
	size_t sizes[5];
	size_t n;
	size_t n_turns;
	const char *turns; /* "0 2|1 2": what is on in each */
};

static void check_turns(void **state)
{
	const struct turn_row *row = *state;
	struct counter_plan plan;
	struct str text = { 0 };
	bool is_on[5];

	make_plan(&plan, row->sizes, row->n);
	for (size_t turn = 0; turn < row->n_turns; turn++) {
		assert_int_equal(counter_turn(&plan, turn, is_on),
				 row->n_turns);
		str_add(&text, turn ? "|" : "");
		for (size_t i = 0; i < row->n; i++)
			if (is_on[i])
				str_addf(&text, " %zu", i);
	}
	assert_string_equal(text.text, row->turns);
	str_free(&text);
	counter_plan_free(&plan);
}

/* --- replays --- */

#define HEAD "t_s\tgroup\trole\tevent\tcode\tvalue\tenabled_ns\trunning_ns\n"

struct bad_row {
	const char *text;
	const char *message;
};

static void check_bad(void **state)
{
	const struct bad_row *row = *state;
	struct counter_replay *r = NULL;
	struct counter_plan plan;

	err_quiet(1);
	assert_int_equal(counter_replay_parse("x", row->text, &plan, &r),
			 -EBADMSG);
	assert_string_equal(err_last(), row->message);
	assert_null(r);
	assert_null(plan.groups);
	err_quiet(0);
}

static void test_replay(void **state)
{
	static const char text[] =
		"# a comment\n" HEAD
		"0\ttlb\tdtlb_walk\tWALK\t4:0x34\t5\t100\t90\n"
		"\n"
		"1.5\ttlb\tdtlb_walk\tWALK\t4:0x34\t50\t1000\t900\n"
		"1.5\ttlb\tinstructions\tINST\t4:0x8\t70\t1000\t900\n"
		"1.5\tsoftware\tpage_faults\tPF\t1:0x2\t3\t10\t10\n";
	struct counter_replay *r;
	struct counter_plan plan;
	struct perf_count c;

	(void)state;
	assert_int_equal(counter_replay_parse("x", text, &plan, &r), 0);
	assert_int_equal(plan.n_groups, 2);
	assert_string_equal(plan.groups[0].name, "tlb");
	assert_int_equal(plan.groups[0].n, 2);
	assert_false(plan.groups[0].is_software);
	assert_true(plan.groups[1].is_software);
	assert_string_equal(plan.groups[0].events[1].role, "instructions");
	assert_int_equal(plan.groups[0].events[0].code.type, 4);
	assert_int_equal(plan.groups[0].events[0].code.config, 0x34);
	counter_replay_at(r, 0, 0, &c);
	assert_int_equal(c.values[0], 5);
	assert_int_equal(c.values[1], 0);
	assert_int_equal(c.running_ns, 90);
	counter_replay_at(r, 0, 1499999999, &c);
	assert_int_equal(c.values[0], 5);
	counter_replay_at(r, 0, 1500000000, &c);
	assert_int_equal(c.values[0], 50);
	assert_int_equal(c.values[1], 70);
	assert_int_equal(c.enabled_ns, 1000);
	counter_replay_at(r, 1, 1499999999, &c);
	assert_int_equal(c.enabled_ns, 0);
	counter_replay_free(r);
	counter_plan_free(&plan);
}

/* --- on this machine --- */

static struct root root;

static void make_set(struct config *c, struct counter_set *s)
{
	*c = (struct config){ 0 };
	c->collect.counters = COUNTERS_SOFTWARE;
	c->collect.level = PFM_USER_KERNEL;
	assert_int_equal(counter_set_make(&root, c, 1, s), 0);
	assert_int_equal(s->n_turns, 1);
	assert_int_equal(s->plan.n_groups, 1);
	assert_true(s->live[0].is_on);
}

/* What nobody has opened gives no number. */
static void test_not_opened(void **state)
{
	struct perf_count count;
	struct counter_set s;
	struct config c;

	(void)state;
	make_set(&c, &s);
	assert_false(counter_set_read(&s, 0, &count));
	counter_set_refuse(&s, xstrdup("because"));
	assert_string_equal(s.live[0].why, "because");
	assert_false(counter_set_read(&s, 0, &count));
	counter_set_free(&s);
}

static pid_t start_busy(void)
{
	const char *const argv[] = { "sh", "-c", "while :; do :; done", NULL };
	const struct proc_spec spec = { .argv = argv };
	pid_t pid = proc_start(&spec);

	assert_true(pid > 0);
	return pid;
}

/* It goes on after that, and is counted. */
static void test_attach(void **state)
{
	enum { CLOCK = 3 };
	struct perf_count count;
	struct counter_set s;
	struct config c;
	pid_t pid = start_busy();
	uint64_t end = clock_ns() + 20 * NUM_NS_PER_S;

	(void)state;
	make_set(&c, &s);
	assert_string_equal(s.plan.groups[0].events[CLOCK].role, "task_clock");
	counter_set_attach(&s, NULL, pid);
	if (!s.live[0].perf) {
		print_message("%s\n", s.live[0].why);
		counter_set_free(&s);
		proc_end(pid, 0, NULL);
		skip();
	}
	do {
		clock_sleep_until(clock_ns() + 10 * NUM_NS_PER_MS);
		assert_true(counter_set_read(&s, 0, &count));
	} while (count.values[CLOCK] < 50 * NUM_NS_PER_MS && clock_ns() < end);
	assert_true(count.values[CLOCK] >= 50 * NUM_NS_PER_MS);
	counter_set_free(&s);
	proc_end(pid, 0, NULL);
}

static void test_attach_to_nobody(void **state)
{
	struct counter_set s;
	struct config c;
	pid_t pid = start_busy();

	(void)state;
	proc_end(pid, 0, NULL);
	make_set(&c, &s);
	counter_set_attach(&s, NULL, pid);
	assert_null(s.live[0].perf);
	assert_string_equal(s.live[0].why,
			    "the process: the process ended before it could "
			    "be counted");
	counter_set_free(&s);
}

static void test_halt(void **state)
{
	pid_t pid = start_busy();
	int wstatus;

	(void)state;
	assert_int_equal(halt(&root, pid, 10 * NUM_NS_PER_S), 0);
	assert_int_equal(waitpid(pid, &wstatus, WUNTRACED | WNOHANG), pid);
	assert_true(WIFSTOPPED(wstatus));
	/* Who stopped it lets it go on. */
	assert_int_equal(halt(&root, pid, 10 * NUM_NS_PER_S), 1);
	halt_end(pid);
	assert_int_equal(waitpid(pid, &wstatus, WCONTINUED), pid);
	assert_true(WIFCONTINUED(wstatus));
	proc_end(pid, 0, NULL);
	assert_int_equal(halt(&root, pid, NUM_NS_PER_S), -ESRCH);
}

static void test_columns(void **state)
{
	static char role[] = "dtlb_walk";
	static char other[] = "cycles";
	static char name[] = "tlb";
	struct counter_event events[] = { { .role = role },
					  { .role = other },
					  { .role = role } };
	const struct counter_group g = { .name = name,
					 .events = events,
					 .n = 3 };
	static const char *const names[] = {
		"ctr_tlb_dtlb_walk",   "ctr_tlb_cycles",
		"ctr_tlb_dtlb_walk_2", "ctr_tlb_enabled_ns",
		"ctr_tlb_running_ns",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		auto_free char *column = counter_column(&g, i);

		assert_string_equal(column, names[i]);
	}
}

#define TURN(name, ...)                                                        \
	{                                                                      \
		name, check_turns, NULL, NULL, &(struct turn_row)              \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define BAD(name, text, message)                                               \
	{                                                                      \
		name, check_bad, NULL, NULL, &(struct bad_row)                 \
		{                                                              \
			text, message                                          \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TURN("the kernel's alone", { 6 }, 1, 1, " 0"),
		TURN("one that fits", { 4, 6 }, 2, 1, " 0 1"),
		TURN("two at once", { 2, 2, 6 }, 3, 1, " 0 1 2"),
		TURN("two by turns", { 3, 2, 6 }, 3, 2, " 0 2| 1 2"),
		TURN("the third beside the first", { 3, 4, 1, 6 }, 4, 2,
		     " 0 2 3| 1 3"),
		TURN("too large: alone", { 2, 5, 6 }, 3, 2, " 0 2| 1 2"),
		BAD("empty", "", "x:1: no counts; at least one line of them"),
		BAD("no names", "1\ttlb\n",
		    "x:1: not the names of the cells; t_s group role event "
		    "code value enabled_ns running_ns, with tabs between them"),
		BAD("names alone", HEAD,
		    "x:2: no counts; at least one line of them"),
		BAD("short", HEAD "1\ttlb\n",
		    "x:2: not the number of cells that the first line has; 8, "
		    "with tabs between them"),
		BAD("time", HEAD "x\tg\tr\te\t4:1\t1\t1\t1\n",
		    "x:2: t_s = x: not a number; seconds such as 1.5"),
		BAD("negative time", HEAD "-1\tg\tr\te\t4:1\t1\t1\t1\n",
		    "x:2: t_s = -1: not a number; seconds such as 1.5"),
		BAD("value", HEAD "1\tg\tr\te\t4:1\t1.5\t1\t1\n",
		    "x:2: value = 1.5: not a number; a whole number that is "
		    "not negative"),
		BAD("running", HEAD "1\tg\tr\te\t4:1\t1\t1\t-\n",
		    "x:2: running_ns = -: not a number; a whole number that "
		    "is not negative"),
		BAD("no name", HEAD "1\tg\t\te\t4:1\t1\t1\t1\n",
		    "x:2: a name is empty; a word"),
		BAD("code", HEAD "1\tg\tr\te\t0x25\t1\t1\t1\n",
		    "x:2: not a code; type and config such as 4:0x25"),
		BAD("more running", HEAD "1\tg\tr\te\t4:1\t1\t1\t2\n",
		    "x:2: running_ns is more than enabled_ns; at most as "
		    "much"),
		BAD("back in time",
		    HEAD "2\tg\tr\te\t4:1\t1\t1\t1\n"
			 "1\tg\tr\te\t4:1\t1\t1\t1\n",
		    "x:3: t_s goes back; lines in the order of time"),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_not_opened),
		cmocka_unit_test(test_attach),
		cmocka_unit_test(test_attach_to_nobody),
		cmocka_unit_test(test_halt),
		cmocka_unit_test(test_columns),
	};
	int ret;

	if (root_open("/", &root))
		return 1;
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	root_close(&root);
	return ret;
}
