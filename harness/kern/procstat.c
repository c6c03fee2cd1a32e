/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/procstat.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "kern/vmstat.h"

/* Fields behind the name by their number in proc(5), and PF_KTHREAD. */
enum {
	FIELD_STATE = 3,
	FIELD_PPID = 4,
	FIELD_FLAGS = 9,
	FIELD_UTIME = 14,
	FIELD_STIME = 15,
	FIELD_START = 22,
	FLAG_KTHREAD = 0x00200000,
};

/* Fields 4 to 22 as numbers; negative ones (tty, priority) become 0. */
static int scan_fields(const char *p, uint64_t *fields)
{
	for (int i = FIELD_PPID; i <= FIELD_START; i++) {
		bool is_negative;

		while (*p == ' ')
			p++;
		is_negative = *p == '-';
		p += is_negative;
		if (num_scan_u64(&p, &fields[i]))
			return -EPROTO;
		if (is_negative)
			fields[i] = 0;
	}
	return 0;
}

int procstat_parse(const char *text, struct procstat *out)
{
	uint64_t fields[FIELD_START + 1] = { 0 };
	const char *open = strchr(text, '(');
	const char *close = strrchr(text, ')');
	struct procstat st = { 0 };
	size_t n;

	if (!open || !close || close < open || close[1] != ' ' ||
	    !isalpha((unsigned char)close[2]) || close[3] != ' ')
		return -EPROTO;
	if (scan_fields(close + 3, fields) || fields[FIELD_PPID] > INT_MAX)
		return -EPROTO;
	n = (size_t)(close - open - 1);
	if (n >= sizeof(st.comm))
		n = sizeof(st.comm) - 1;
	memcpy(st.comm, open + 1, n);
	st.state = close[2];
	st.ppid = (pid_t)fields[FIELD_PPID];
	st.is_kthread = (fields[FIELD_FLAGS] & FLAG_KTHREAD) != 0;
	st.start_ticks = fields[FIELD_START];
	if (__builtin_add_overflow(fields[FIELD_UTIME], fields[FIELD_STIME],
				   &st.cpu_ticks))
		return -EPROTO;
	*out = st;
	return 0;
}

static int read_stat(const struct root *root, const char *pid,
		     struct procstat *out)
{
	auto_free char *path = xasprintf("proc/%s/stat", pid);
	auto_free char *text = NULL;
	int ret = root_read(root, path, &text);

	return ret ? ret : procstat_parse(text, out);
}

int procstat_cpu_s(const struct root *root, pid_t pid, double *seconds)
{
	auto_free char *name = xasprintf("%d", (int)pid);
	struct procstat st;
	int ret = read_stat(root, name, &st);

	if (ret)
		return ret;
	*seconds = (double)st.cpu_ticks / (double)sysconf(_SC_CLK_TCK);
	return 0;
}

size_t procstat_find_kthreads(const struct root *root, const char *name,
			      pid_t *pids, size_t most)
{
	bool is_prefix = str_ends(name, ".");
	size_t found = 0;
	char **names;
	size_t n;

	if (root_list(root, "proc", &names, &n))
		return 0;
	for (size_t i = 0; i < n && found < most; i++) {
		struct procstat st;
		uint64_t pid;

		if (num_u64(names[i], &pid) || pid > INT_MAX ||
		    read_stat(root, names[i], &st) || !st.is_kthread)
			continue;
		if (is_prefix ? str_starts(st.comm, name)
			      : str_eq(st.comm, name))
			pids[found++] = (pid_t)pid;
	}
	root_list_free(names, n);
	return found;
}

int procstat_thp_enabled(const struct root *root, pid_t pid)
{
	auto_free char *path = pid ? xasprintf("proc/%d/status", (int)pid)
				   : xstrdup("proc/self/status");
	auto_free char *text = NULL;
	int ret = root_read(root, path, &text);
	uint64_t value;

	if (ret)
		return ret == -ENOENT ? -ESRCH : ret;
	ret = vmstat_get(text, "THP_enabled", &value);
	return ret ? ret : value != 0;
}
