/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the collectors cost, without a run around them:
 *
 *   collect_tool SECONDS INTERVAL_MS DIR PROGRAM [ARGUMENT]...
 *
 * starts the program in a cgroup if it can, collects everything about it into
 * DIR/results, and writes the kernel files that it keeps open to DIR/files as
 * soon as it has read them once. At the end it prints
 *
 *   ticks N cpu_s X
 *
 * where X is all the CPU time of this process from the first tick on.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/collect/collect.h"

struct work {
	uint64_t length_ns;
	uint64_t interval_ns;
	const char *dir;
	struct root root;
	struct cgroup cgroup;
	bool has_cgroup;
	struct collect_target target;
	struct experiment experiment;
	struct arm_record arm;
	struct run run;
	struct store_run *store;
};

static int enter(void *arg)
{
	struct work *w = arg;

	return w->has_cgroup ? cgroup_enter(&w->root, &w->cgroup) : 0;
}

static int start(struct work *w, char **argv)
{
	const struct proc_spec spec = {
		.argv = (const char *const *)argv,
		.before_exec = enter,
		.arg = w,
	};
	auto_free char *name = xasprintf("thpbench.tool.%d", (int)getpid());
	auto_free char *why = NULL;
	pid_t pid;

	w->has_cgroup = cgroup_make(&w->root, name, &w->cgroup, &why) == 0;
	if (!w->has_cgroup)
		fprintf(stderr, "no cgroup: %s\n", why);
	pid = proc_start(&spec);
	if (pid < 0)
		return fail(pid, "start %s", argv[0]);
	w->target.root = &w->root;
	w->target.server_pid = pid;
	w->target.load_pid = pid;
	w->target.cgroup = w->has_cgroup ? &w->cgroup : NULL;
	return 0;
}

static int open_store(struct work *w)
{
	static char none[] = "";
	static char label[] = "tool";
	struct experiment *e = &w->experiment;
	int ret;

	w->arm.label = label;
	*e = (struct experiment){
		.dir = xasprintf("%s/results", w->dir),
		.id = none,
		.title = none,
		.config_path = none,
		.config_text = none,
		.config_hash = none,
		.program = none,
		.created = none,
		.primary = none,
		.arms = &w->arm,
		.n_arms = 1,
	};
	w->run = (struct run){ .number = 1, .block = 1, .attempt = 1 };
	w->run.reason = none;
	ret = store_create(e);
	return ret ? ret : store_run_open(e, &w->run, &w->store);
}

/* Kernel files that we have open, but pagemap: nobody cats that. */
static int list_files(const char *dir)
{
	auto_free char *path = xasprintf("%s/files", dir);
	auto_dir DIR *fds = opendir("/proc/self/fd");
	auto_str struct str list = { 0 };
	struct dirent *entry;
	char target[PATH_MAX];

	while (fds && (entry = readdir(fds))) {
		ssize_t n = readlinkat(dirfd(fds), entry->d_name, target,
				       sizeof(target) - 1);

		target[n > 0 ? n : 0] = '\0';
		if (str_ends(target, "/pagemap") || str_ends(target, "/fd"))
			continue;
		if (str_starts(target, "/proc/") || str_starts(target, "/sys/"))
			str_addf(&list, "%s\n", target);
	}
	return file_publish(path, list.text ? list.text : "");
}

static int collect(struct work *w)
{
	const struct collect_config config = { .interval_ns = w->interval_ns };
	struct collect *c = collect_open(&w->target, &config);
	uint64_t zero = clock_ns();
	uint64_t before;
	unsigned int n = 0;
	int ret = collect_begin(c, w->store);

	if (!ret)
		ret = collect_tick(c, w->store, 0, "load");
	if (!ret)
		ret = list_files(w->dir);
	before = clock_cpu_ns();
	while (!ret && clock_ns() < zero + w->length_ns) {
		double t_s;

		clock_sleep_until(collect_next_ns(c));
		t_s = (double)(clock_ns() - zero) / (double)NUM_NS_PER_S;
		ret = collect_tick(c, w->store, t_s, "load");
		n++;
	}
	printf("ticks %u cpu_s %.6f\n", n,
	       (double)(clock_cpu_ns() - before) / (double)NUM_NS_PER_S);
	collect_close(c, w->store);
	return ret;
}

int main(int argc, char **argv)
{
	struct work w = { .dir = argc > 3 ? argv[3] : "" };
	uint64_t seconds;
	uint64_t ms;
	int ret;

	if (argc < 5 || num_u64(argv[1], &seconds) || num_u64(argv[2], &ms))
		return refuse(STATUS_USAGE, "SECONDS INTERVAL_MS DIR "
					    "PROGRAM [ARGUMENT]...");
	w.length_ns = seconds * NUM_NS_PER_S;
	w.interval_ns = ms * NUM_NS_PER_MS;
	ret = root_open("/", &w.root);
	if (!ret)
		ret = start(&w, argv + 4);
	if (!ret)
		ret = open_store(&w);
	if (!ret)
		ret = collect(&w);
	if (w.store)
		store_run_close(w.store, &w.experiment, &w.run);
	if (w.target.server_pid > 0)
		proc_end(w.target.server_pid, 0, NULL);
	if (w.has_cgroup)
		cgroup_remove(&w.root, w.cgroup.path);
	return err_status(ret);
}
