/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DAMON: who uses it, and what it can do for the arms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/check/check_parts.h"
#include "bench/damos/damos.h"
#include "kern/damon_fs.h"

/* Looked at, never touched: the kdamonds of somebody else. */
static void check_owner(struct check_job *job)
{
	auto_free char *whose = damon_describe(job->root);

	damos_note_operations(job->root, &job->damon);
	check_missing(job, "damon", check_has_scheme(job),
		      xasprintf("set up by somebody else: %s; where it runs it "
				"samples, or acts, in every arm alike",
				whose),
		      "stop it, if it is yours; thpbench leaves it alone");
}

/* "action collapse" = "yes" and the like, kind by kind. free() it. */
static char *list_found(const struct facts *found)
{
	struct str out = { 0 };
	const char *kind = "";

	for (size_t i = 0; i < found->n; i++) {
		const char *name = found->list[i].name;
		size_t n = strcspn(name, " ");

		if (!str_starts(found->list[i].value, "yes"))
			continue;
		if (strncmp(kind, name, n + 1) == 0)
			str_addf(&out, "%s", name + n);
		else
			str_addf(&out, "%s%s", out.len ? "; " : "", name);
		kind = name;
	}
	return str_steal(&out);
}

static void probe(struct check_job *job)
{
	auto_free char *why = NULL;
	auto_free char *found = NULL;
	int ret = damos_probe(job->root, &job->damon, &why);

	if (ret) {
		check_missing(job, "damon", check_has_scheme(job),
			      why ? xstrdup(why) : xstrdup(strerror(-ret)),
			      "see above");
		return;
	}
	found = list_found(&job->damon);
	check_ok(job, "damon", xasprintf("nobody uses it; it takes %s", found));
}

static void check_unreadable(struct check_job *job, int err)
{
	bool is_absent = err == -ENOENT;

	if (is_absent && !check_has_scheme(job)) {
		check_ok(job, "damon", xstrdup("its sysfs tree is not there"));
		return;
	}
	check_missing(job, "damon", check_has_scheme(job),
		      is_absent ? xstrdup("its sysfs tree is not there")
				: xasprintf("/" DAMON_ROOT "/nr_kdamonds: %s",
					    strerror(-err)),
		      is_absent ? "a kernel with CONFIG_DAMON_SYSFS and "
				  "CONFIG_DAMON_VADDR"
				: "run as root");
}

void check_damon(struct check_job *job)
{
	uint64_t n;
	int ret = damon_count(job->root, &n);

	if (ret)
		check_unreadable(job, ret);
	else if (n)
		check_owner(job);
	else if (job->is_probed)
		probe(job);
	else
		check_ok(job, "damon",
			 xstrdup("nobody uses it; --probe tries what it can "
				 "do"));
}

/* What else would bring what the action is for. */
static const struct {
	const char *action;
	const char *text;
} instead[] = {
	{ "collapse", "kernel = guest, or damos = madvise-collapse, which "
		      "needs no DAMON" },
	{ "hugepage", "kernel = guest, or thp = always, which needs no "
		      "DAMON" },
};

static char *help_for(const struct damos_config *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(instead); i++)
		if (str_eq(instead[i].action, c->setup.scheme.action))
			return xstrdup(instead[i].text);
	return xstrdup("kernel = guest");
}

char *check_scheme(const struct check_job *job, const struct arm *arm,
		   char **help)
{
	bool is_free = check_has(job, "damon");
	auto_free char *refused = NULL;

	if (!arm->scheme.is_used)
		return NULL;
	if (arm->scheme.by == DAMOS_BY_MODULE) {
		char *why;

		if (damos_module_probe(job->root, &why))
			*help = xstrdup("damos.by = sysfs");
		return why;
	}
	refused = damos_lacks(&arm->scheme, &job->damon);
	if (is_free && !refused)
		return NULL;
	*help = help_for(&arm->scheme);
	return xasprintf("damos = %s: %s%s%s", facts_get(&arm->keys, "damos"),
			 is_free ? "" : "see damon above",
			 !is_free && refused ? ", and " : "",
			 refused ? refused : "");
}
