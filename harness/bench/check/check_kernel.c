/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel offers: THP and its knobs, collapses, cgroups, DAMON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "kern/cgroup.h"
#include "kern/collapse.h"
#include "kern/knobs.h"
#include "kern/procstat.h"

#define THP "sys/kernel/mm/transparent_hugepage"

static void check_modes(struct check_job *job)
{
	auto_free char *text = NULL;
	auto_free char *now = NULL;
	auto_free char **words = NULL;
	auto_str struct str offered = { 0 };
	int ret = root_read(job->root, THP "/enabled", &text);
	size_t n = 0;

	if (!ret)
		knob_words(text, &words, &n);
	if (ret || !n) {
		check_missing(job, "thp", check_sets_knobs(job),
			      ret ? xasprintf("/" THP "/enabled: %s",
					      strerror(-ret))
				  : xstrdup("/" THP "/enabled offers no mode"),
			      "a kernel with CONFIG_TRANSPARENT_HUGEPAGE");
		return;
	}
	for (size_t i = 0; i < n; i++)
		str_addf(&offered, "%s%s", i ? ", " : "", words[i]);
	now = knob_value(text);
	check_ok(job, "thp", xasprintf("offers %s; now %s", offered.text, now));
	free(words[0]);
}

/* Those that every arm may change; what else an arm names is its own need. */
static bool is_everybodys(const char *path)
{
	enum knob_rank rank = knob_rank(path);

	return rank == KNOB_THP || rank == KNOB_MIN_FREE;
}

static void check_knobs(struct check_job *job)
{
	auto_free char *bad = NULL;
	char **paths = NULL;
	size_t n_knobs = 0;
	size_t n = 0;
	int bad_err = 0;

	knobs_list(job->root, &paths, &n);
	for (size_t i = 0; i < n && !bad; i++) {
		if (!is_everybodys(paths[i]))
			continue;
		n_knobs++;
		bad_err = root_writable(job->root, paths[i]);
		if (bad_err)
			bad = xstrdup(paths[i]);
	}
	root_list_free(paths, n);
	if (bad)
		check_missing(job, "knobs", check_sets_knobs(job),
			      xasprintf("may not write /%s: %s", bad,
					strerror(-bad_err)),
			      bad_err == -EROFS
				      ? "in a container? remount /sys and "
					"/proc/sys read-write"
				      : "run as root");
	else if (!n_knobs)
		check_missing(job, "knobs", check_sets_knobs(job),
			      xstrdup("no kernel setting is there"),
			      "a mounted /sys and /proc");
	else
		check_ok(job, "knobs",
			 xasprintf("%zu knobs of THP may be written", n_knobs));
}

static void check_self(struct check_job *job)
{
	int enabled = procstat_thp_enabled(job->root, 0);

	if (enabled == 1)
		check_ok(job, "thp-self",
			 xstrdup("THP is on for this process"));
	else if (enabled == 0)
		check_missing(job, "thp-self", false,
			      xstrdup("THP is switched off for this process, "
				      "and what it starts inherits that"),
			      "none needed: it is switched on for the server");
	else
		check_missing(job, "thp-self", false,
			      xstrdup("the kernel does not say (THP_enabled in "
				      "/proc/PID/status)"),
			      "Linux 5.0; whether the server switches THP off "
			      "is not seen");
}

static void check_collapse(struct check_job *job)
{
	bool is_needed = check_has_collapse(job);
	int ret = collapse_probe(job->root);

	if (!ret)
		check_ok(job, "madv-collapse",
			 xstrdup("process_madvise() takes it"));
	else if (ret == -ENOTSUP)
		check_missing(job, "madv-collapse", is_needed,
			      xstrdup("cannot be tried on a recorded machine"),
			      "check on the machine itself");
	else
		check_missing(job, "madv-collapse", is_needed,
			      xasprintf("MADV_COLLAPSE by process_madvise(): "
					"%s",
					strerror(-ret)),
			      "Linux 6.1, and CAP_SYS_NICE (root)");
}

static void check_cgroup(struct check_job *job)
{
	static const char instead[] =
		"memory is read from the server's own files instead";
	struct cgroup where = { 0 };
	auto_free char *why = NULL;
	bool must_enable = false;
	int ret = cgroup_where(job->root, &where, &must_enable, &why);

	if (ret) {
		check_missing(job, "cgroup", false, xstrdup(why), instead);
		return;
	}
	ret = root_writable(job->root, where.path);
	if (ret)
		check_missing(job, "cgroup", false,
			      xasprintf("/%s: %s", where.path, strerror(-ret)),
			      instead);
	else
		check_ok(job, "cgroup",
			 xasprintf("version %d, /%s%s", where.version,
				   where.path,
				   must_enable ? "; its memory controller is "
						 "switched on for a run"
					       : ""));
	cgroup_free(&where);
}

void check_kernel(struct check_job *job)
{
	check_modes(job);
	check_knobs(job);
	check_self(job);
	check_collapse(job);
	check_cgroup(job);
}
