/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of a real PMU, against work whose instructions are known:
 *
 *   pmu             what is counted here, and what it came to, a fact a line
 *   pmu loop N T    2 N instructions in each of T threads
 *   pmu wait N T    the same when a byte comes in; half the threads are there
 *                   before, and then a byte goes out
 *
 * Facts of a count: NAME expected N counted M running_pct P.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/counter/counter_plan.h"
#include "kern/perf.h"

enum { STEPS = 5000000, THREADS = 4, LONG_STEPS = 100000000 };

/* Two instructions a step. */
static void loop(uint64_t n)
{
	if (!n)
		return;
#if defined(__aarch64__)
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#elif defined(__x86_64__)
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
#else
#error "a loop of two instructions for this machine is missing"
#endif
}

struct work {
	uint64_t n;
	int go; /* a pipe to wait at; -1 */
};

static void *do_work(void *arg)
{
	const struct work *w = arg;
	char byte;

	if (w->go >= 0 && read(w->go, &byte, 1) < 0)
		return NULL;
	loop(w->n);
	return NULL;
}

static int start_some(pthread_t *threads, size_t n, struct work *w)
{
	for (size_t i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, do_work, w))
			return fail(-errno, "start a thread");
	return 0;
}

static int child_main(const char *how, uint64_t n, size_t n_threads)
{
	bool waits = str_eq(how, "wait");
	size_t early = waits ? n_threads / 2 : 0;
	pthread_t *threads = xcalloc(n_threads, sizeof(*threads));
	struct work work = { n, -1 };
	int go[2];
	char byte;

	if (pipe(go))
		return fail(STATUS_IO, "make a pipe");
	struct work held = { n, go[0] };

	if (start_some(threads, early, &held))
		return STATUS_INTERNAL;
	if (waits && (write(STDOUT_FILENO, "r", 1) != 1 ||
		      read(STDIN_FILENO, &byte, 1) != 1))
		return fail(STATUS_IO, "wait");
	close(go[1]);
	if (start_some(threads + early, n_threads - early, &work))
		return STATUS_INTERNAL;
	for (size_t i = 0; i < n_threads; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

/* A process that does it, stopped by a pipe before its exec. */
struct child {
	pid_t pid;
	int to;
	int from;
};

static void child_start(const char *how, uint64_t n, struct child *c)
{
	auto_free char *number = xasprintf("%llu", (unsigned long long)n);
	auto_free char *threads = xasprintf("%d", THREADS);
	int in[2];
	int out[2];
	char byte;

	if (pipe(in) || pipe(out))
		exit(fail(STATUS_IO, "make a pipe"));
	c->pid = fork();
	if (!c->pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		if (read(STDIN_FILENO, &byte, 1) == 1)
			execl("/proc/self/exe", "pmu", how, number, threads,
			      NULL);
		_exit(STATUS_INTERNAL);
	}
	close(in[0]);
	close(out[1]);
	c->to = in[1];
	c->from = out[0];
}

static void child_go(const struct child *c)
{
	if (write(c->to, "g", 1) != 1)
		exit(fail(STATUS_IO, "go on"));
}

static void child_end(const struct child *c)
{
	int wstatus;

	close(c->to);
	if (waitpid(c->pid, &wstatus, 0) != c->pid || wstatus)
		exit(fail(STATUS_INTERNAL, "a child failed"));
	close(c->from);
}

struct tool {
	struct root root;
	struct perf_code instructions;
	struct perf_code cycles;
};

static struct perf *open_or_end(const struct tool *t,
				const struct perf_target *target,
				const struct perf_code *codes, size_t n)
{
	struct perf *p = NULL;
	size_t at;
	int ret = perf_open(target, codes, n, &p, &at);

	if (ret) {
		auto_free char *why = perf_why(&t->root, ret, "an event");

		printf("refused: %s\n", why);
		exit(STATUS_UNAVAILABLE);
	}
	return p;
}

static struct perf_count close_count(struct perf *p)
{
	struct perf_count c;
	int ret = perf_read(p, &c);

	if (ret)
		exit(fail(STATUS_IO, "read counters: %s", strerror(-ret)));
	perf_close(p);
	return c;
}

static double running_pct(const struct perf_count *c)
{
	return c->enabled_ns
		       ? 100. * (double)c->running_ns / (double)c->enabled_ns
		       : 0;
}

/* A process from its exec on: all its threads begin after the opening. */
static struct perf_count count_exec(const struct tool *t, uint64_t n)
{
	const struct perf_code codes[] = { t->instructions, t->cycles };
	struct perf_target target = { .scope = PERF_EXEC };
	struct child child;
	struct perf *p;

	child_start("loop", n, &child);
	target.pid = child.pid;
	p = open_or_end(t, &target, codes, ARRAY_SIZE(codes));
	child_go(&child);
	child_end(&child);
	return close_count(p);
}

/* A process that runs: half its threads begin before, half after. */
static struct perf_count count_tasks(const struct tool *t, uint64_t n)
{
	const struct perf_code codes[] = { t->instructions, t->cycles };
	struct perf_target target = { .scope = PERF_TASKS };
	struct child child;
	struct perf *p;
	pid_t *tids;
	char byte;

	child_start("wait", n, &child);
	child_go(&child);
	if (read(child.from, &byte, 1) != 1)
		exit(fail(STATUS_INTERNAL, "a child failed"));
	kill(child.pid, SIGSTOP);
	if (perf_tasks(&t->root, child.pid, &tids, &target.n_tids))
		exit(fail(STATUS_IO, "see the threads of a child"));
	target.tids = tids;
	p = open_or_end(t, &target, codes, ARRAY_SIZE(codes));
	printf("tasks threads %zu\n", target.n_tids);
	free(tids);
	kill(child.pid, SIGCONT);
	child_go(&child);
	child_end(&child);
	return close_count(p);
}

/* What the same without steps costs is taken off. */
static void tell_steps(const struct tool *t, const char *name,
		       struct perf_count (*count)(const struct tool *t,
						  uint64_t n))
{
	struct perf_count none = count(t, 1);
	struct perf_count all = count(t, STEPS);

	printf("%s expected %llu counted %lld running_pct %.2f\n", name,
	       2ULL * (STEPS - 1) * THREADS,
	       (long long)(all.values[0] - none.values[0]), running_pct(&all));
	printf("%s cycles %lld\n", name,
	       (long long)(all.values[1] - none.values[1]));
}

/* Events of the common ones that take a counter each. */
static void fill_codes(const struct tool *t, struct perf_code *codes, size_t n)
{
	codes[0] = t->instructions;
	for (size_t i = 1; i < n; i++) {
		codes[i] = t->instructions;
		codes[i].config = 0x20 + i;
	}
}

static void tell_large(const struct tool *t)
{
	const struct {
		const char *name;
		struct perf_target target;
	} cases[] = {
		{ "exec", { .scope = PERF_EXEC, .pid = getpid() } },
		{ "thread", { .scope = PERF_THREAD } },
	};
	struct perf_code codes[PERF_MOST_EVENTS - 2];
	size_t n = ARRAY_SIZE(codes);

	fill_codes(t, codes, n);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf *p = NULL;
		size_t at;
		int ret = perf_open(&cases[i].target, codes, n, &p, &at);
		auto_free char *why =
			ret ? perf_why(&t->root, ret, "the last one") : NULL;

		printf("large %s, %zu of %zu: %s\n", cases[i].name, at, n,
		       why ? why : "opened");
		perf_close(p);
	}
}

/* Three groups of four events where six counters are. */
static void tell_scaled(const struct tool *t)
{
	const struct perf_target target = { .scope = PERF_THREAD };
	struct perf_code codes[4];
	struct perf *groups[3];

	fill_codes(t, codes, ARRAY_SIZE(codes));
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
		groups[i] = open_or_end(t, &target, codes, ARRAY_SIZE(codes));
	loop(LONG_STEPS);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		struct perf_count c = close_count(groups[i]);
		double pct = running_pct(&c);

		printf("scaled expected %llu counted %.0f running_pct %.2f\n",
		       2ULL * LONG_STEPS, (double)c.values[0] * 100 / pct, pct);
	}
}

/* Groups of the plan around some steps. */
static void tell_group(const struct tool *t, const struct counter_group *g)
{
	const struct perf_target target = { .scope = PERF_THREAD };
	struct perf_code codes[PERF_MOST_EVENTS];
	struct perf_count c;
	struct perf *p;

	for (size_t i = 0; i < g->n && i < ARRAY_SIZE(codes); i++)
		codes[i] = g->events[i].code;
	p = open_or_end(t, &target, codes, g->n);
	loop(STEPS);
	c = close_count(p);
	printf("group %s running_pct %.2f\n", g->name, running_pct(&c));
	for (size_t i = 0; i < g->n; i++)
		printf("event %s %s %u:0x%llx %llu\n", g->events[i].role,
		       g->events[i].name, g->events[i].code.type,
		       (unsigned long long)g->events[i].code.config,
		       (unsigned long long)c.values[i]);
}

static bool find_code(const struct counter_plan *plan, const char *role,
		      struct perf_code *out)
{
	for (size_t i = 0; i < plan->n_groups; i++)
		for (size_t j = 0; j < plan->groups[i].n; j++)
			if (str_eq(plan->groups[i].events[j].role, role)) {
				*out = plan->groups[i].events[j].code;
				return true;
			}
	return false;
}

static int tell(struct tool *t)
{
	const struct counter_ask ask = { .root = &t->root, .level = PFM_USER };
	struct counter_plan plan;
	bool is_there;
	int ret = counter_plan_make(&ask, &plan);

	if (ret)
		return err_status(ret);
	printf("pmu %s\ntitle %s\n", plan.pmu ? plan.pmu : "none",
	       plan.title ? plan.title : "none");
	for (size_t i = 0; i < plan.n_missing; i++)
		printf("missing %s: %s\n", plan.missing[i].role,
		       plan.missing[i].why);
	for (size_t i = 0; i < plan.n_groups; i++)
		tell_group(t, &plan.groups[i]);
	is_there = find_code(&plan, "instructions", &t->instructions) &&
		   find_code(&plan, "cycles", &t->cycles);
	counter_plan_free(&plan);
	if (!is_there)
		return STATUS_UNAVAILABLE;
	tell_steps(t, "exec", count_exec);
	tell_steps(t, "tasks", count_tasks);
	tell_large(t);
	tell_scaled(t);
	return 0;
}

int main(int argc, char **argv)
{
	struct tool tool = { 0 };
	uint64_t n;
	uint64_t n_threads;

	setlinebuf(stdout);
	if (argc == 4 && !num_u64(argv[2], &n) && !num_u64(argv[3], &n_threads))
		return child_main(argv[1], n, n_threads);
	if (argc != 1 || root_open("/", &tool.root))
		return STATUS_USAGE;
	return tell(&tool);
}
