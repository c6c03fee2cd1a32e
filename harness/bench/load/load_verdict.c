/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a load did what it should. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/load/load.h"
#include "bench/load/load_log.h"

/* One condition each; a sentence if it does not hold, else NULL. */

static char *check_end(const struct load *l)
{
	auto_free char *status = proc_status_text(l->wstatus);
	auto_free char *why = NULL;

	if (l->is_killed)
		return xstrdup("the load did not stop when asked and was "
			       "killed");
	if (l->is_asked && l->wstatus == 0)
		return NULL;
	why = load_log_reason(l->log, l->wstatus);
	return xasprintf("the load %s%s%s%s",
			 l->is_asked ? "" : "ended by itself: ", status,
			 why ? ": " : "", why ? why : "");
}

static char *check_fatal(const struct load *l)
{
	auto_free char *fatal = load_log_fatal(l->log);

	return fatal ? xasprintf("the load printed \"%s\"", fatal) : NULL;
}

static char *check_report(const struct load *l)
{
	if (l->bad_line)
		return xasprintf("the load's report holds %s", l->bad_line);
	if (l->n_pending)
		return xstrdup("the load's report ends in the middle of a "
			       "line");
	if (!l->has_final)
		return xstrdup("the load made no final report");
	return NULL;
}

static char *check_work(const struct load *l)
{
	if (l->final_transactions < 1)
		return xstrdup("the load made no transaction");
	if (l->errors > 0)
		return xasprintf("%.0f transactions met errors", l->errors);
	if (l->reconnects > 0)
		return xasprintf("the load had to connect again %.0f times",
				 l->reconnects);
	return NULL;
}

/*
 * A line a second, the last for what was left: sysbench leaves a second out
 * where its reporting thread is late, so one may be missing, no more. Seconds
 * are rounded where they are printed; anything above 1 % is a line lost.
 */
static char *check_lines(const struct load *l)
{
	double off = fabs(l->seconds - l->final_seconds);

	if ((double)l->n_lines < floor(l->final_seconds) - 1 ||
	    off > 0.01 * l->final_seconds)
		return xasprintf("%u lines of the load cover %.3f s of its "
				 "%.3f s",
				 l->n_lines, l->seconds, l->final_seconds);
	return NULL;
}

static char *check_sum(const struct load *l)
{
	if (fabs(l->transactions - l->final_transactions) < 0.5)
		return NULL;
	return xasprintf("the load's lines sum up to %.0f transactions, but "
			 "it counted %.0f",
			 l->transactions, l->final_transactions);
}

char *load_verdict(const struct load *l)
{
	/* The nearest to a cause comes first. */
	static char *(*const checks[])(const struct load *) = {
		check_end,  check_fatal, check_report,
		check_work, check_lines, check_sum,
	};

	if (l->program == WORKLOAD_NULL || l->program == WORKLOAD_ATTACH)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		char *text = checks[i](l);

		if (text)
			return text;
	}
	return NULL;
}
