/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/probe/probe_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/mem.h"
#include "base/num.h"
#include "kern/host.h"

void probe_missing(struct answer *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	answer_set(out, ANSWER_MISSING, xvasprintf(fmt, ap), NULL);
	va_end(ap);
}

char *probe_collapse_text(int err, uint64_t n_huge, uint64_t n_room)
{
	if (err && !n_huge)
		return xasprintf("refused: %s", strerrorname_np(err));
	if (err)
		return xasprintf("%" PRIu64 " of %" PRIu64
				 " huge pages, then %s",
				 n_huge, n_room, strerrorname_np(err));
	if (!n_huge)
		return xstrdup("done, but no huge page");
	if (n_huge < n_room)
		return xasprintf("done, %" PRIu64 " of %" PRIu64 " huge pages",
				 n_huge, n_room);
	return xstrdup("collapsed");
}

char *probe_fault_text(uint64_t n_huge, uint64_t n_room)
{
	if (n_huge && n_huge < n_room)
		return xasprintf("%" PRIu64 " of %" PRIu64 " huge pages",
				 n_huge, n_room);
	return xstrdup(n_huge ? "huge pages" : "small pages");
}

int probe_expect_small(const struct probe_env *env,
		       const struct probe_memory *m, struct answer *out)
{
	uint64_t huge_bytes;
	int ret = probe_memory_huge(env->root, m, 0, &huge_bytes);

	if (ret) {
		probe_missing(out, "/proc/self/smaps: %s", strerror(-ret));
		return ret;
	}
	if (!huge_bytes)
		return 0;
	probe_missing(out, "its memory has huge pages before it is tried");
	return -EEXIST;
}

int probe_map(const struct probe_env *env, size_t n_huge,
	      struct probe_memory *m, struct answer *out)
{
	uint64_t bytes = n_huge * env->huge_bytes;
	uint64_t free_bytes = host_available_bytes(env->root);
	int ret = -ENOMEM;

	/* A test is not to be in anybody's way: at most half of it. */
	if (!free_bytes || bytes <= free_bytes / 2)
		ret = probe_memory_map(bytes, env->huge_bytes, m);
	if (ret)
		probe_missing(out,
			      "%" PRIu64 " MiB are wanted, and %" PRIu64
			      " MiB are free",
			      bytes / NUM_MIB, free_bytes / NUM_MIB);
	return ret;
}

int probe_small_pages(const struct probe_env *env, size_t n_huge,
		      struct probe_memory *m, struct answer *out)
{
	int ret = probe_map(env, n_huge, m, out);

	if (ret)
		return ret;
	probe_memory_fill(m, 0, m->bytes);
	return probe_expect_small(env, m, out);
}

int probe_disable_thp(unsigned long flags, struct answer *out)
{
	if (!prctl(PR_SET_THP_DISABLE, 1, flags, 0, 0))
		return 0;
	if (errno == EINVAL && flags)
		probe_missing(out, "this kernel has no "
				   "PR_THP_DISABLE_EXCEPT_ADVISED "
				   "(Linux 6.18)");
	else
		probe_missing(out, "prctl(PR_SET_THP_DISABLE): %s",
			      strerror(errno));
	return -EINVAL;
}
