/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "data/layout.h"

#include "base/mem.h"
#include "base/str.h"

char *layout_run_dir(const struct experiment *e, const struct run *run,
		     unsigned int attempt)
{
	auto_free char *slug = str_slug(e->arms[run->arm].label);

	if (attempt > 1)
		return xasprintf(LAYOUT_RUNS "/%03u-%s.%u", run->number, slug,
				 attempt);
	return xasprintf(LAYOUT_RUNS "/%03u-%s", run->number, slug);
}
