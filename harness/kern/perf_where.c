/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom perf_open() may count, and what its errors mean. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/perf.h"

int perf_tasks(const struct root *root, pid_t pid, pid_t **tids, size_t *n)
{
	auto_free char *path = xasprintf("proc/%d/task", (int)pid);
	char **names;
	size_t n_names;
	int ret = root_list(root, path, &names, &n_names);

	if (ret)
		return ret;
	*tids = xcalloc(n_names + 1, sizeof(**tids));
	*n = 0;
	for (size_t i = 0; i < n_names; i++) {
		uint64_t tid;

		if (num_u64(names[i], &tid) == 0)
			(*tids)[(*n)++] = (pid_t)tid;
	}
	root_list_free(names, n_names);
	return 0;
}

int perf_cpus(const struct root *root, int **cpus, size_t *n)
{
	auto_free char *text = NULL;
	cpu_set_t set;
	int ret = root_read_word(root, "sys/devices/system/cpu/online", &text);

	if (!ret)
		ret = cpulist_parse(text, &set);
	if (ret)
		return ret;
	*cpus = xcalloc((size_t)CPU_COUNT(&set) + 1, sizeof(**cpus));
	*n = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			(*cpus)[(*n)++] = cpu;
	return 0;
}

/* Where the kernel was told who may count (sysctl/kernel.rst). */
static char *not_permitted(const struct root *root, const char *event)
{
	auto_free char *level = NULL;

	if (root_read_word(root, "proc/sys/kernel/perf_event_paranoid", &level))
		return xasprintf("%s: not permitted: as root, or with "
				 "CAP_PERFMON",
				 event);
	return xasprintf("%s: not permitted: kernel.perf_event_paranoid is "
			 "%s; as root, or with CAP_PERFMON",
			 event, level);
}

/* Does the kernel's watchdog hold a counter of each CPU's PMU? */
static bool has_watchdog(const struct root *root)
{
	auto_free char *on = NULL;

	return root_read_word(root, "proc/sys/kernel/nmi_watchdog", &on) == 0 &&
	       str_eq(on, "1");
}

static const struct {
	int err;
	const char *text; /* behind "EVENT: " */
} whys[] = {
	{ ENOENT, "no PMU: this kernel has none that counts it (most virtual "
		  "machines have no PMU at all)" },
	{ ENODEV, "no PMU: its driver is not at work on this CPU" },
	{ EOPNOTSUPP, "no PMU: this CPU's cannot count it" },
	{ EINVAL, "the PMU refuses this encoding: the event is not of this "
		  "CPU" },
	{ EMFILE, "too many open files: a file for each event and thread or "
		  "CPU; a higher hard limit of open files (ulimit -Hn) would "
		  "do" },
	{ ENFILE, "too many open files in the whole system (fs.file-max)" },
	{ ESRCH, "the process ended before it could be counted" },
	{ EBADF, "the cgroup is not in a hierarchy of the perf_event "
		 "controller, as one of version 2 always is" },
	{ ENOSYS, "this kernel has no perf events (CONFIG_PERF_EVENTS)" },
};

char *perf_why(const struct root *root, int err, const char *event)
{
	if (err == -EACCES || err == -EPERM)
		return not_permitted(root, event);
	if (err == -E2BIG)
		return xasprintf(
			"%s: no room in its group: the PMU has fewer counters "
			"free than the group has events, or it is another "
			"PMU's%s",
			event,
			has_watchdog(root)
				? "; kernel.nmi_watchdog = 1 holds one"
				: "");
	for (size_t i = 0; i < ARRAY_SIZE(whys); i++)
		if (whys[i].err == -err)
			return xasprintf("%s: %s", event, whys[i].text);
	return xasprintf("%s: %s", event, strerror(-err));
}
