/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/run/oom.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kern/host.h"

char *oom_reason(const struct root *root, uint64_t before, char *reason,
		 const char *help)
{
	uint64_t now = host_oom_kills(root);
	char *text;

	if (now <= before)
		return reason;
	text = xasprintf("%s; this machine's memory, or what a cgroup allows "
			 "of it, was full meanwhile, and its kernel killed "
			 "%" PRIu64 " process%s%s%s",
			 reason, now - before, now - before == 1 ? "" : "es",
			 help ? ": " : "", help ? help : "");
	free(reason);
	return text;
}
