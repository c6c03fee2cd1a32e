/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is another run at work, or has a killed one left its journal? */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/guard/journal.h"
#include "bench/guard/lock.h"

/* Root's state folder, and a user's own. */
static void check_dir(struct check_job *job, const char *dir, bool *found)
{
	auto_free char *holder = lock_holder(dir);
	auto_free char *journal = journal_left(dir);

	if (holder)
		check_missing(job, "other-run", true,
			      xasprintf("a run is going on: %s", holder),
			      "wait for its end");
	else if (journal)
		check_missing(job, "other-run", true,
			      xasprintf("a run was killed and left %s",
					journal),
			      "thpbench restore");
	*found |= holder || journal;
}

void check_others(struct check_job *job)
{
	auto_free char *ours = lock_state_dir(job->root);
	auto_free char *everybodys = lock_system_dir(job->root);
	bool found = false;

	check_dir(job, everybodys, &found);
	if (!str_eq(ours, everybodys))
		check_dir(job, ours, &found);
	if (!found)
		check_ok(job, "other-run",
			 xstrdup("none, and no journal is left"));
}
