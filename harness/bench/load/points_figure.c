/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure of a point out of what its command left. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "bench/load/load_log.h"
#include "bench/config/pick.h"
#include "bench/load/points.h"

int points_figure(const struct point *p, const char *log, off_t from,
		  int wstatus, double *out)
{
	auto_free char *all = NULL;
	auto_free char *why = NULL;
	const char *text;
	size_t n;
	int ret = file_read(log, &all, &n);

	if (ret)
		return fail(ret, "read %s", log);
	text = (size_t)from < n ? all + from : "";
	if (wstatus) {
		auto_free char *status = proc_status_text(wstatus);
		auto_free char *reason = load_log_reason(log, wstatus);

		return refuse(-EIO, "%s: %s %s%s%s", p->metric.name,
			      p->command.argv[0], status, reason ? ": " : "",
			      reason ? reason : "");
	}
	if (p->regex ? pick_regex(text, p->regex, out, &why)
		     : pick_json(text, p->json, out, &why))
		return refuse(-EIO, "%s: %s", p->metric.name, why);
	return 0;
}
