/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/perf on this kernel: software events, which need no PMU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/guard/halt.h"
#include "kern/perf.h"

enum { FAULTS, MINOR, MAJOR, CLOCK, SWITCHES, N_EVENTS };

#define SOFTWARE(event)                                                        \
	{                                                                      \
		.type = PERF_TYPE_SOFTWARE, .config = (event)                  \
	}

static const struct perf_code codes[N_EVENTS] = {
	[FAULTS] = SOFTWARE(PERF_COUNT_SW_PAGE_FAULTS),
	[MINOR] = SOFTWARE(PERF_COUNT_SW_PAGE_FAULTS_MIN),
	[MAJOR] = SOFTWARE(PERF_COUNT_SW_PAGE_FAULTS_MAJ),
	[CLOCK] = SOFTWARE(PERF_COUNT_SW_TASK_CLOCK),
	[SWITCHES] = SOFTWARE(PERF_COUNT_SW_CONTEXT_SWITCHES),
};

static struct root root;

/* May this user count at all, the kernel's work too? */
static bool may_count(void)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	struct perf *p;
	size_t at;

	if (perf_open(&self, codes, N_EVENTS, &p, &at))
		return false;
	perf_close(p);
	return true;
}

static void need_count(void)
{
	if (may_count())
		return;
	print_message("perf_event_open() refuses: kernel.perf_event_paranoid, "
		      "or a container\n");
	skip();
}

/* --- from the first instruction of a program --- */

struct held {
	struct perf *perf;
	int ret;
};

static void open_held(pid_t pid, void *arg)
{
	struct held *h = arg;
	const struct perf_target t = { .scope = PERF_EXEC, .pid = pid };
	size_t at;

	h->ret = perf_open(&t, codes, N_EVENTS, &h->perf, &at);
}

/* Small pages whatever the mode of the machine: many faults to compare. */
static int without_thp(void *arg)
{
	(void)arg;
	return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) ? -errno : 0;
}

/* A program of the build, beside which this test lies: build/tests/.. */
static char *program(const char *name)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	assert_true(n > 0);
	self[n] = '\0';
	return xasprintf("%s/%s", dirname(dirname(self)), name);
}

/* Run it to its end: the counts, and what getrusage says. */
static void count_program(const char *const *argv, struct perf_count *count,
			  struct rusage *usage)
{
	struct held h = { 0 };
	struct proc_spec spec = {
		.argv = argv,
		.held = open_held,
		.held_arg = &h,
	};
	pid_t pid = proc_start(&spec);
	int wstatus;

	assert_true(pid > 0);
	assert_int_equal(h.ret, 0);
	assert_int_equal(perf_fds(h.perf), N_EVENTS);
	assert_int_equal(wait4(pid, &wstatus, 0, usage), pid);
	assert_int_equal(wstatus, 0);
	/* All that it had begun has ended, and counts. */
	assert_int_equal(perf_read(h.perf, count), 0);
	perf_close(h.perf);
}

/* Within 1 %, and nothing beside. */
static void assert_agree(const char *what, double count, double usage)
{
	print_message("%s: %.6g counted, %.6g by getrusage (%+.3f %%)\n", what,
		      count, usage, usage > 0 ? 100 * (count / usage - 1) : 0);
	if (!(fabs(count - usage) <= 0.01 * usage))
		fail_msg("%s: %.6g is not %.6g", what, count, usage);
}

/*
 * At a moment in which the process stands still: CPU seconds, twice; the
 * second are what getrusage adds up, without its rounding to ticks.
 */
static void look_at_clocks(pid_t pid, const struct perf *p, double *counted,
			   double *used)
{
	struct perf_count count;
	struct timespec cpu;
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(pid, &clock), 0);
	assert_int_equal(halt(&root, pid, 10 * NUM_NS_PER_S), 0);
	assert_int_equal(perf_read(p, &count), 0);
	*counted = (double)count.values[CLOCK] / (double)NUM_NS_PER_S;
	assert_int_equal(clock_gettime(clock, &cpu), 0);
	*used = (double)cpu.tv_sec + (double)cpu.tv_nsec / (double)NUM_NS_PER_S;
	halt_end(pid);
}

/*
 * perf's clock runs on through interrupts and what a hypervisor steals, the
 * scheduler's does not: where threads hardly get a CPU, that is a large part.
 */
static void agree_on_clock(double counted, double used)
{
	if (used < 0.5)
		print_message("task clock: %.3f s in 3 s, the CPUs are "
			      "others': not compared\n",
			      used);
	else
		assert_agree("task clock", counted, used);
}

/*
 * Eight threads, made after the group was opened. The CPU time before the exec
 * and, since Linux 6.16, that for giving the memory back at the end is
 * getrusage's alone: it is compared in between, with what getrusage adds up.
 */
static void agrees_with_getrusage(void **state)
{
	auto_free char *memtouch = program("memtouch");
	const char *argv[] = { memtouch, "--bytes=64M", "--threads=8",
			       "--seconds=5", NULL };
	struct held h = { 0 };
	struct proc_spec spec = { .argv = argv,
				  .before_exec = without_thp,
				  .held = open_held,
				  .held_arg = &h };
	struct perf_count count;
	struct rusage usage;
	double counted[2];
	double used[2];
	int wstatus;
	pid_t pid;

	(void)state;
	need_count();
	if (access(memtouch, X_OK))
		skip();
	pid = proc_start(&spec);
	assert_true(pid > 0);
	assert_int_equal(h.ret, 0);
	clock_sleep_until(clock_ns() + NUM_NS_PER_S);
	look_at_clocks(pid, h.perf, &counted[0], &used[0]);
	clock_sleep_until(clock_ns() + 3 * NUM_NS_PER_S);
	look_at_clocks(pid, h.perf, &counted[1], &used[1]);
	assert_int_equal(wait4(pid, &wstatus, 0, &usage), pid);
	assert_int_equal(wstatus, 0);
	assert_int_equal(perf_read(h.perf, &count), 0);
	perf_close(h.perf);
	assert_int_equal(count.enabled_ns, count.running_ns);
	assert_int_equal(count.values[FAULTS],
			 count.values[MINOR] + count.values[MAJOR]);
	assert_agree("page faults", (double)count.values[FAULTS],
		     (double)(usage.ru_minflt + usage.ru_majflt));
	agree_on_clock(counted[1] - counted[0], used[1] - used[0]);
	/* The last switch of each thread is behind its end: 9 of thousands. */
	assert_agree("context switches", (double)count.values[SWITCHES],
		     (double)(usage.ru_nvcsw + usage.ru_nivcsw));
}

/* Nothing is counted before the exec: the parent's faults are not its own. */
static void begins_at_exec(void **state)
{
	const char *const argv[] = { "true", NULL };
	struct perf_count count;
	struct rusage usage;

	(void)state;
	need_count();
	count_program(argv, &count, &usage);
	assert_true(count.values[FAULTS] > 0);
	assert_true(count.values[FAULTS] <=
		    (uint64_t)(usage.ru_minflt + usage.ru_majflt));
}

/* --- a program that runs already --- */

enum { N_PAGES = 1000, N_THREADS = 5 };

/* The sanitizer would touch pages of its own for those. */
__attribute__((no_sanitize_address)) static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, N_PAGES * page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(at, N_PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < N_PAGES; i++)
		((volatile char *)at)[i * page] = 1;
	munmap(at, N_PAGES * page);
}

struct crowd {
	pthread_barrier_t ready;
	pthread_barrier_t go;
};

static void *late(void *arg)
{
	(void)arg;
	touch_pages();
	return NULL;
}

static void *early(void *arg)
{
	struct crowd *c = arg;
	pthread_t child;

	pthread_barrier_wait(&c->ready);
	pthread_barrier_wait(&c->go);
	touch_pages();
	pthread_create(&child, NULL, late, NULL);
	pthread_join(child, NULL);
	return NULL;
}

/* Threads that are there and those that they begin: each page once. */
static void attaches_to_threads(void **state)
{
	struct perf_target t = { .scope = PERF_TASKS };
	const struct perf_code faults = codes[FAULTS];
	pthread_t threads[N_THREADS];
	auto_free pid_t *tids = NULL;
	struct perf_count before;
	struct perf_count after;
	struct crowd c;
	struct perf *p;
	size_t at;

	(void)state;
	need_count();
	pthread_barrier_init(&c.ready, NULL, N_THREADS + 1);
	pthread_barrier_init(&c.go, NULL, N_THREADS + 1);
	for (size_t i = 0; i < N_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, early, &c),
				 0);
	pthread_barrier_wait(&c.ready);
	assert_int_equal(perf_tasks(&root, getpid(), &tids, &t.n_tids), 0);
	assert_int_equal(t.n_tids, N_THREADS + 1);
	t.tids = tids;
	assert_int_equal(perf_open(&t, &faults, 1, &p, &at), 0);
	assert_int_equal(perf_fds(p), N_THREADS + 1);
	assert_int_equal(perf_read(p, &before), 0);
	pthread_barrier_wait(&c.go);
	for (size_t i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	/* They have all ended. */
	assert_int_equal(perf_read(p, &after), 0);
	perf_close(p);
	print_message("%d pages touched, %d faults\n", 2 * N_THREADS * N_PAGES,
		      (int)(after.values[0] - before.values[0]));
	assert_in_range(after.values[0] - before.values[0],
			2 * N_THREADS * N_PAGES,
			2 * N_THREADS * N_PAGES + 40 * 2 * N_THREADS);
}

/* A thread that has ended is left out, one that is there is counted. */
static void leaves_out_the_dead(void **state)
{
	pid_t tids[2] = { 0, getpid() };
	const struct perf_target both = { .scope = PERF_TASKS,
					  .tids = tids,
					  .n_tids = 2 };
	const struct perf_target one = { .scope = PERF_TASKS,
					 .tids = tids,
					 .n_tids = 1 };
	const char *const argv[] = { "true", NULL };
	struct proc_spec spec = { .argv = argv };
	struct perf *p;
	size_t at;

	(void)state;
	need_count();
	tids[0] = proc_start(&spec);
	assert_true(tids[0] > 0);
	waitpid(tids[0], NULL, 0);
	assert_int_equal(perf_open(&one, codes, 1, &p, &at), -ESRCH);
	assert_int_equal(perf_open(&both, codes, 1, &p, &at), 0);
	assert_int_equal(perf_fds(p), 1);
	perf_close(p);
}

/* All CPUs: what this thread does is in it. */
static void counts_the_system(void **state)
{
	struct perf_target t = { .scope = PERF_SYSTEM };
	auto_free int *cpus = NULL;
	struct perf_count before;
	struct perf_count after;
	struct perf *p;
	size_t at;

	(void)state;
	need_count();
	assert_int_equal(perf_cpus(&root, &cpus, &t.n_cpus), 0);
	assert_int_equal(t.n_cpus, sysconf(_SC_NPROCESSORS_ONLN));
	t.cpus = cpus;
	if (perf_open(&t, codes, N_EVENTS, &p, &at) == -EACCES)
		skip();
	assert_int_equal(perf_fds(p), N_EVENTS * t.n_cpus);
	assert_int_equal(perf_read(p, &before), 0);
	touch_pages();
	assert_int_equal(perf_read(p, &after), 0);
	assert_true(after.values[FAULTS] >= before.values[FAULTS] + N_PAGES);
	perf_close(p);
}

/* A cgroup of version 2, where perf_event always is; NULL: none can be made. */
static char *make_cgroup(void)
{
	static const char *const tops[] = { "/sys/fs/cgroup/unified",
					    "/sys/fs/cgroup" };

	for (size_t i = 0; i < ARRAY_SIZE(tops); i++) {
		auto_free char *procs = xasprintf("%s/cgroup.procs", tops[i]);
		char *dir = xasprintf("%s/thpbench-test.%d", tops[i],
				      (int)getpid());

		if (access(procs, W_OK) == 0 && mkdir(dir, 0755) == 0)
			return dir;
		free(dir);
	}
	return NULL;
}

/* A child in it touches its pages; what this process does is not in it. */
static void touch_in_cgroup(const char *dir)
{
	auto_free char *procs = xasprintf("%s/cgroup.procs", dir);
	pid_t pid = fork();
	int wstatus;

	if (pid == 0) {
		int in = open(procs, O_WRONLY | O_CLOEXEC);

		if (in < 0 || write(in, "0", 1) != 1)
			_exit(1);
		touch_pages();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &wstatus, 0), pid);
	assert_int_equal(wstatus, 0);
	touch_pages();
}

static void counts_a_cgroup(void **state)
{
	struct perf_target t = { .scope = PERF_CGROUP };
	auto_free char *dir = NULL;
	auto_free int *cpus = NULL;
	struct perf_count count;
	struct perf *p;
	size_t at;
	int fd;

	(void)state;
	need_count();
	dir = make_cgroup();
	if (!dir) {
		print_message("no cgroup of version 2 can be made here\n");
		skip();
	}
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(perf_cpus(&root, &cpus, &t.n_cpus), 0);
	t.cgroup_fd = fd;
	t.cpus = cpus;
	assert_int_equal(perf_open(&t, codes, N_EVENTS, &p, &at), 0);
	assert_int_equal(perf_fds(p), N_EVENTS * t.n_cpus);
	touch_in_cgroup(dir);
	assert_int_equal(perf_read(p, &count), 0);
	perf_close(p);
	close(fd);
	assert_int_equal(rmdir(dir), 0);
	print_message("%d pages touched in it, %d faults\n", N_PAGES,
		      (int)count.values[FAULTS]);
	assert_in_range(count.values[FAULTS], N_PAGES, N_PAGES + 100);
}

/* A folder that is no cgroup of perf's. */
static void refuse_folder(const char *path)
{
	struct perf_target t = { .scope = PERF_CGROUP };
	auto_close int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	static const int cpu0 = 0;
	struct perf *p;
	size_t at;

	if (dir < 0) {
		print_message("%s is not there\n", path);
		return;
	}
	t.cgroup_fd = dir;
	t.cpus = &cpu0;
	t.n_cpus = 1;
	assert_int_equal(perf_open(&t, codes, 1, &p, &at), -EBADF);
}

static void refuses_what_is_no_cgroup(void **state)
{
	(void)state;
	need_count();
	refuse_folder("/");
	/* Version 1, of another controller. */
	refuse_folder("/sys/fs/cgroup/memory");
}

/* Most virtual machines, this project's among them, have no PMU. */
static void says_that_there_is_no_pmu(void **state)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	const struct perf_code cycles = { .type = PERF_TYPE_HARDWARE,
					  .config = PERF_COUNT_HW_CPU_CYCLES };
	auto_free char *why = NULL;
	struct perf *p;
	size_t at;
	int ret = perf_open(&self, &cycles, 1, &p, &at);

	(void)state;
	if (ret == 0) {
		perf_close(p);
		print_message("there is a PMU here\n");
		skip();
	}
	if (ret != -ENOENT)
		skip();
	why = perf_why(&root, ret, "cycles");
	assert_true(str_starts(why, "cycles: no PMU: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_getrusage),
		cmocka_unit_test(begins_at_exec),
		cmocka_unit_test(attaches_to_threads),
		cmocka_unit_test(leaves_out_the_dead),
		cmocka_unit_test(counts_the_system),
		cmocka_unit_test(counts_a_cgroup),
		cmocka_unit_test(refuses_what_is_no_cgroup),
		cmocka_unit_test(says_that_there_is_no_pmu),
	};
	int ret;

	if (root_open("/", &root))
		return 1;
	ret = cmocka_run_group_tests(tests, NULL, NULL);
	root_close(&root);
	return ret;
}
