/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics that a goal of ours is fed with. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bench/damos/damos_parts.h"
#include "kern/smaps.h"
#include "kern/vmstat.h"

static const uint64_t full_bp = 10000;

/*
 * Exactly what a kernel that knows hugepage_mem_bp computes: the huge pages
 * of the memory that is in use.
 */
static int read_system(const struct root *root, uint64_t *bp)
{
	enum { ANON, SHMEM, FILES, TOTAL, FREE, N };
	static const char *const names[N] = {
		[ANON] = "AnonHugePages",  [SHMEM] = "ShmemHugePages",
		[FILES] = "FileHugePages", [TOTAL] = "MemTotal",
		[FREE] = "MemFree",
	};
	auto_free char *text = NULL;
	uint64_t bytes[N] = { 0 };
	unsigned char is_there[N];
	int ret = root_read(root, "proc/meminfo", &text);

	if (ret)
		return ret;
	vmstat_parse(text, names, N, bytes, is_there);
	if (!is_there[ANON] || !is_there[TOTAL] || !is_there[FREE] ||
	    bytes[TOTAL] <= bytes[FREE])
		return -EPROTO;
	*bp = full_bp * (bytes[ANON] + bytes[SHMEM] + bytes[FILES]) /
	      (bytes[TOTAL] - bytes[FREE]);
	return 0;
}

static int read_process(const struct root *root, pid_t pid, uint64_t *bp)
{
	auto_free char *path = xasprintf("proc/%d/smaps_rollup", (int)pid);
	auto_free char *text = NULL;
	struct smaps_sum sum;
	int ret = root_read(root, path, &text);

	if (!ret)
		ret = smaps_parse_rollup(text, &sum);
	if (ret)
		return ret;
	*bp = sum.anon_bytes ? full_bp * sum.anon_huge_bytes / sum.anon_bytes
			     : 0;
	return 0;
}

int damos_goal_read(const struct root *root, enum damos_goal goal, pid_t pid,
		    uint64_t *bp)
{
	if (goal == DAMOS_GOAL_SYSTEM)
		return read_system(root, bp);
	if (goal == DAMOS_GOAL_PROCESS)
		return read_process(root, pid, bp);
	return -ENOTSUP;
}
