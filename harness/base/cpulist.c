/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cpulist.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>

#include "base/num.h"

/* One number; unlike num_scan_u64() no blank before it. */
static int scan_cpu(const char **text, uint64_t *cpu)
{
	int ret = isdigit((unsigned char)**text) ? num_scan_u64(text, cpu)
						 : -EINVAL;

	if (!ret && *cpu >= CPU_SETSIZE)
		return -ERANGE;
	return ret;
}

/* "3" or "3-5", added to the set. */
static int scan_range(const char **text, cpu_set_t *set)
{
	uint64_t first = 0;
	uint64_t last;
	int ret = scan_cpu(text, &first);

	last = first;
	if (!ret && **text == '-') {
		(*text)++;
		ret = scan_cpu(text, &last);
	}
	if (ret)
		return ret;
	if (last < first)
		return -EINVAL;
	for (uint64_t cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, set);
	return 0;
}

int cpulist_parse(const char *text, cpu_set_t *out)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (;;) {
		int ret = scan_range(&text, &set);

		if (ret)
			return ret;
		if (*text == '\0')
			break;
		if (*text++ != ',')
			return -EINVAL;
	}
	*out = set;
	return 0;
}

int cpulist_bind(const char *text)
{
	cpu_set_t want;
	cpu_set_t got;
	int ret = cpulist_parse(text, &want);

	if (ret)
		return ret;
	/* EINVAL of the kernel: none of them may be used. */
	if (sched_setaffinity(0, sizeof(want), &want))
		return errno == EINVAL ? -ENODEV : -errno;
	if (sched_getaffinity(0, sizeof(got), &got))
		return -errno;
	return CPU_EQUAL(&want, &got) ? 0 : -ENODEV;
}
