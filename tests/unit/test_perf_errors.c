/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/perf against a kernel that refuses in the way that it is told to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "kern/perf.h"
#include "kern/perf_sys.h"

enum { MOST = 64 };

/* What the fake kernel is told, and what it was asked. */
static struct {
	int error;              /* given to ... */
	uint64_t config;        /* events of this code */
	pid_t pid;              /* of this thread; 0: any */
	bool in_group;          /* only as members of a group */
	unsigned int n_allowed; /* then the files run out */
	/* Of each call that succeeded, by the order of calls: */
	struct perf_event_attr attrs[MOST];
	pid_t pids[MOST];
	int cpus[MOST];
	int leaders[MOST];
	unsigned long flags[MOST];
	int fds[MOST];
	size_t n;
	/* What a read gives: */
	ssize_t read_ret; /* not 0: this */
	uint64_t enabled;
	uint64_t running;
} fake;

int __wrap_perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group_fd, unsigned long flags);
ssize_t __wrap_perf_sys_read(int fd, void *buf, size_t n);

static bool files_ran_out(void)
{
	struct rlimit limit;

	if (!fake.n_allowed || fake.n < fake.n_allowed)
		return false;
	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur < limit.rlim_max;
}

int __wrap_perf_sys_open(struct perf_event_attr *attr, pid_t pid, int cpu,
			 int group_fd, unsigned long flags)
{
	assert_int_equal(attr->size, sizeof(*attr));
	assert_true(fake.n < MOST);
	if (files_ran_out())
		return -EMFILE;
	if (fake.error && attr->config == fake.config &&
	    (!fake.pid || fake.pid == pid) && (!fake.in_group || group_fd >= 0))
		return fake.error;
	fake.attrs[fake.n] = *attr;
	fake.pids[fake.n] = pid;
	fake.cpus[fake.n] = cpu;
	fake.leaders[fake.n] = group_fd;
	fake.flags[fake.n] = flags;
	fake.fds[fake.n] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return fake.fds[fake.n++];
}

/* The values of a set are 10 times its place, then one more each. */
ssize_t __wrap_perf_sys_read(int fd, void *buf, size_t n)
{
	uint64_t *out = buf;
	size_t set = 0;

	if (fake.read_ret)
		return fake.read_ret;
	while (set < fake.n && fake.fds[set] != fd)
		set++;
	out[0] = n / sizeof(*out) - 3;
	out[1] = fake.enabled;
	out[2] = fake.running;
	for (size_t i = 0; i < out[0]; i++)
		out[3 + i] = 10 * set + i;
	return (ssize_t)n;
}

static const struct perf_code codes[] = {
	{ .type = PERF_TYPE_RAW, .config = 0x25, .exclude_kernel = true },
	{ .type = PERF_TYPE_RAW, .config = 0x34, .config1 = 7, .config2 = 8 },
	{ .type = PERF_TYPE_RAW, .config = 0x11, .exclude_hv = true },
};
enum { N = ARRAY_SIZE(codes) };

static int reset(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	return 0;
}

/* No file of those that the fake gave is left open. */
static void assert_closed(void)
{
	for (size_t i = 0; i < fake.n; i++)
		assert_int_equal(fcntl(fake.fds[i], F_GETFD), -1);
}

struct row {
	int error;
	uint64_t config;
	bool in_group;
	int ret;
	size_t at;
	const char *why;
};

static const char *const events[N] = { "L1D_TLB", "DTLB_WALK", "CYCLES" };

static void check_error(void **state)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	const struct row *row = *state;
	auto_free char *why = NULL;
	struct perf *p = NULL;
	struct root root;
	size_t at;

	reset(NULL);
	fake.error = row->error;
	fake.config = row->config;
	fake.in_group = row->in_group;
	assert_int_equal(perf_open(&self, codes, N, &p, &at), row->ret);
	assert_int_equal(at, row->at);
	assert_null(p);
	assert_closed();
	assert_int_equal(root_open("tests/roots/host-6.18", &root), 0);
	why = perf_why(&root, row->ret, events[at]);
	root_close(&root);
	assert_string_equal(why, row->why);
}

/* A leader that is merely disabled is not asked whether its group fits. */
static void asks_the_kernel(void **state)
{
	const struct perf_target exec = { .scope = PERF_EXEC, .pid = 77 };
	struct perf *p;
	size_t at;

	(void)state;
	assert_int_equal(perf_open(&exec, codes, N, &p, &at), 0);
	assert_int_equal(fake.n, N);
	for (size_t i = 0; i < N; i++) {
		const struct perf_event_attr *a = &fake.attrs[i];

		assert_int_equal(a->type, PERF_TYPE_RAW);
		assert_int_equal(a->config, codes[i].config);
		assert_int_equal(a->config1, codes[i].config1);
		assert_int_equal(a->config2, codes[i].config2);
		assert_int_equal(a->exclude_kernel, codes[i].exclude_kernel);
		assert_int_equal(a->exclude_hv, codes[i].exclude_hv);
		assert_int_equal(a->inherit, 1);
		assert_int_equal(a->disabled, i == 0);
		assert_int_equal(a->enable_on_exec, i == 0);
		assert_int_equal(fake.pids[i], 77);
		assert_int_equal(fake.cpus[i], -1);
		assert_int_equal(fake.leaders[i], i ? fake.fds[0] : -1);
		assert_int_equal(fake.flags[i], PERF_FLAG_FD_CLOEXEC);
	}
	perf_close(p);
	assert_closed();
}

/* Where a leader runs at once, it is not disabled: then it is asked. */
static void leads_enabled(void **state)
{
	static const int cpus[] = { 0, 3 };
	const struct perf_target cgroup = {
		.scope = PERF_CGROUP, .cgroup_fd = 99, .cpus = cpus, .n_cpus = 2
	};
	struct perf_count count;
	struct perf *p;
	size_t at;

	(void)state;
	assert_int_equal(perf_open(&cgroup, codes, 2, &p, &at), 0);
	assert_int_equal(perf_fds(p), 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(fake.attrs[i].disabled, 0);
		assert_int_equal(fake.attrs[i].inherit, 0);
		assert_int_equal(fake.pids[i], 99);
		assert_int_equal(fake.cpus[i], cpus[i / 2]);
		assert_int_equal(fake.flags[i],
				 PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);
	}
	/* Sets are added up. */
	fake.enabled = 100;
	fake.running = 60;
	assert_int_equal(perf_read(p, &count), 0);
	assert_int_equal(count.enabled_ns, 200);
	assert_int_equal(count.running_ns, 120);
	assert_int_equal(count.values[0], 0 + 20);
	assert_int_equal(count.values[1], 1 + 21);
	perf_close(p);
}

/* The kernel has one error for no such event and for no such cgroup. */
static void tells_a_cgroup_from_an_event(void **state)
{
	static const int cpus[] = { 0, 3 };
	const struct perf_target cgroup = {
		.scope = PERF_CGROUP, .cgroup_fd = 99, .cpus = cpus, .n_cpus = 2
	};
	static const struct {
		pid_t refused; /* 99: the cgroup alone; 0: whoever asks */
		int ret;
	} rows[] = { { 99, -EBADF }, { 0, -ENOENT } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf *p;
		size_t at;

		reset(state);
		fake.error = -ENOENT;
		fake.config = codes[1].config;
		fake.pid = rows[i].refused;
		assert_int_equal(perf_open(&cgroup, codes, N, &p, &at),
				 rows[i].ret);
		assert_int_equal(at, 1);
		assert_closed();
	}
}

/* A thread that ends while its siblings are opened takes no set with it. */
static void leaves_out_a_thread(void **state)
{
	static const pid_t tids[] = { 11, 12, 13 };
	const struct perf_target tasks = { .scope = PERF_TASKS,
					   .tids = tids,
					   .n_tids = 3 };
	static const int gone[] = { -ESRCH, -ENODEV };

	for (size_t i = 0; i < ARRAY_SIZE(gone); i++) {
		struct perf *p;
		size_t at;

		reset(state);
		fake.error = gone[i];
		fake.config = codes[1].config;
		fake.pid = 12;
		assert_int_equal(perf_open(&tasks, codes, N, &p, &at), 0);
		assert_int_equal(perf_fds(p), 2 * N);
		/* What 12 had open before it ended is closed again. */
		assert_int_equal(fake.pids[3], 12);
		assert_int_equal(fake.pids[4], 13);
		perf_close(p);
		/* All of them: that is an error. */
		reset(state);
		fake.error = gone[i];
		fake.config = codes[0].config;
		assert_int_equal(perf_open(&tasks, codes, N, &p, &at), gone[i]);
		assert_closed();
	}
}

/* The soft limit is raised to the hard one, once that is needed. */
static void raises_the_limit(void **state)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	struct rlimit before;
	struct rlimit low;
	struct rlimit now;
	struct perf *p;
	size_t at;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = before;
	low.rlim_cur = 50;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	fake.n_allowed = 2;
	assert_int_equal(perf_open(&self, codes, N, &p, &at), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
	assert_int_equal(now.rlim_cur, before.rlim_max);
	perf_close(p);
	setrlimit(RLIMIT_NOFILE, &before);
}

static void reads_what_is_there(void **state)
{
	static const struct {
		ssize_t got;
		int ret;
	} rows[] = {
		{ -EAGAIN, -EAGAIN },
		{ 8, -EIO }, /* cut short */
		{ sizeof(uint64_t) * (3 + N) + 8, -EIO },
	};
	const struct perf_target self = { .scope = PERF_THREAD };
	struct perf_count count;
	struct perf *p;
	size_t at;

	(void)state;
	assert_int_equal(perf_open(&self, codes, N, &p, &at), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		fake.read_ret = rows[i].got;
		assert_int_equal(perf_read(p, &count), rows[i].ret);
	}
	/* A group that never was on the PMU says so by its times. */
	fake.read_ret = 0;
	fake.enabled = 5;
	assert_int_equal(perf_read(p, &count), 0);
	assert_int_equal(count.enabled_ns, 5);
	assert_int_equal(count.running_ns, 0);
	perf_close(p);
}

static void refuses_what_is_no_group(void **state)
{
	const struct perf_target self = { .scope = PERF_THREAD };
	const struct perf_target nobody = { .scope = PERF_TASKS };
	const struct perf_target nowhere = { .scope = PERF_SYSTEM };
	struct perf_code many[PERF_MOST_EVENTS + 1] = { 0 };
	struct perf *p;
	size_t at;

	(void)state;
	assert_int_equal(perf_open(&self, many, 0, &p, &at), -EINVAL);
	assert_int_equal(perf_open(&self, many, PERF_MOST_EVENTS + 1, &p, &at),
			 -E2BIG);
	assert_int_equal(perf_open(&nobody, codes, 1, &p, &at), -ESRCH);
	assert_int_equal(perf_open(&nowhere, codes, 1, &p, &at), -ENODEV);
	assert_int_equal(fake.n, 0);
	perf_close(NULL);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_error, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define TEST(f) cmocka_unit_test_setup(f, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("ENOENT", -ENOENT, 0x25, false, -ENOENT, 0,
		    "L1D_TLB: no PMU: this kernel has none that counts it "
		    "(most virtual machines have no PMU at all)"),
		ROW("ENOENT of a member", -ENOENT, 0x34, false, -ENOENT, 1,
		    "DTLB_WALK: no PMU: this kernel has none that counts it "
		    "(most virtual machines have no PMU at all)"),
		ROW("ENODEV", -ENODEV, 0x25, false, -ENODEV, 0,
		    "L1D_TLB: no PMU: its driver is not at work on this CPU"),
		ROW("EOPNOTSUPP", -EOPNOTSUPP, 0x11, false, -EOPNOTSUPP, 2,
		    "CYCLES: no PMU: this CPU's cannot count it"),
		ROW("EACCES", -EACCES, 0x25, false, -EACCES, 0,
		    "L1D_TLB: not permitted: kernel.perf_event_paranoid is 2; "
		    "as root, or with CAP_PERFMON"),
		ROW("EPERM", -EPERM, 0x25, false, -EPERM, 0,
		    "L1D_TLB: not permitted: kernel.perf_event_paranoid is 2; "
		    "as root, or with CAP_PERFMON"),
		ROW("EINVAL: the first", -EINVAL, 0x25, false, -EINVAL, 0,
		    "L1D_TLB: the PMU refuses this encoding: the event is not "
		    "of this CPU"),
		ROW("EINVAL: it is the event", -EINVAL, 0x34, false, -EINVAL, 1,
		    "DTLB_WALK: the PMU refuses this encoding: the event is "
		    "not of this CPU"),
		ROW("EINVAL: it is the group", -EINVAL, 0x11, true, -E2BIG, 2,
		    "CYCLES: no room in its group: the PMU has fewer counters "
		    "free than the group has events, or it is another PMU's"),
		ROW("EMFILE", -EMFILE, 0x34, false, -EMFILE, 1,
		    "DTLB_WALK: too many open files: a file for each event and "
		    "thread or CPU; a higher hard limit of open files (ulimit "
		    "-Hn) would do"),
		ROW("ENFILE", -ENFILE, 0x34, false, -ENFILE, 1,
		    "DTLB_WALK: too many open files in the whole system "
		    "(fs.file-max)"),
		ROW("ESRCH", -ESRCH, 0x25, false, -ESRCH, 0,
		    "L1D_TLB: the process ended before it could be counted"),
		ROW("ENOSYS", -ENOSYS, 0x25, false, -ENOSYS, 0,
		    "L1D_TLB: this kernel has no perf events "
		    "(CONFIG_PERF_EVENTS)"),
		ROW("another one", -EBUSY, 0x25, false, -EBUSY, 0,
		    "L1D_TLB: Device or resource busy"),
		TEST(asks_the_kernel),
		TEST(leads_enabled),
		TEST(tells_a_cgroup_from_an_event),
		TEST(leaves_out_a_thread),
		TEST(raises_the_limit),
		TEST(reads_what_is_there),
		TEST(refuses_what_is_no_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
