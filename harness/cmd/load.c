/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/load.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"
#include "data/store.h"
#include "data/summary.h"

int cmd_load(const char *who, const char *dir, struct experiment *out)
{
	struct stat st;
	int ret;

	if (stat(dir, &st) < 0)
		return fail(-errno, "%s: %s", who, dir);
	ret = store_load_experiment(dir, out);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < out->n_runs; i++)
		summary_fill(&out->runs[i]);
	return 0;
}

int cmd_refuse_word(const char *who, const char *what, const char *word,
		    const char *const *words, size_t n)
{
	const char *nearest = str_nearest(word, words, n);
	auto_str struct str list = { 0 };

	if (nearest)
		return refuse(STATUS_USAGE,
			      "%s: no %s '%s'; did you mean '%s'?", who, what,
			      word, nearest);
	for (size_t i = 0; i < n; i++)
		str_addf(&list, "%s%s", i ? ", " : "", words[i]);
	return refuse(STATUS_USAGE, "%s: no %s '%s'; there are %s", who, what,
		      word, list.text);
}
