/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/git_bisect.h"

#include <errno.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

/* Of a whole history of Linux, from a cold disk. */
#define LIMIT_NS (120 * NUM_NS_PER_S)

/* What it printed, in one line; printed where it fails. free(*out). */
static int ask(const char *dir, const char *const *words, char **out)
{
	const char *argv[16] = { "git", "-C", dir };
	struct proc_spec spec = { .argv = argv };
	auto_free char *text = NULL;
	int wstatus;
	int ret;

	for (size_t i = 0; words[i] && i + 4 < ARRAY_SIZE(argv); i++)
		argv[i + 3] = words[i];
	ret = proc_capture(&spec, LIMIT_NS, &text, &wstatus);
	if (ret)
		return fail(ret, "git");
	if (wstatus)
		return refuse(-ENOENT,
			      "git -C %s %s: it failed; is that a clone "
			      "with both versions?",
			      dir, words[0]);
	*out = xstrdup(str_trim(text));
	return 0;
}

int git_bisect(const char *dir, const char *good, const char *bad, char **next)
{
	auto_free char *first = NULL;
	auto_free char *last = xasprintf("%s^{commit}", bad);
	auto_free char *without = xasprintf("^%s", good);
	const char *const halve[] = { "rev-list", "--bisect", last,
				      without,    "--",       NULL };
	const char *const parse[] = { "rev-parse", last, NULL };
	auto_free char *commit = NULL;
	const char *describe[] = { "describe",    "--tags", "--always",
				   "--abbrev=12", NULL,     NULL };
	int ret = ask(dir, parse, &first);

	if (!ret)
		ret = ask(dir, halve, &commit);
	if (ret)
		return ret;
	/* Nothing is left but the bad one itself. */
	if (!commit || !*commit || str_eq(commit, first)) {
		*next = xstrdup("");
		return 0;
	}
	describe[4] = commit;
	return ask(dir, describe, next);
}
