/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a server's error log says about its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/server_parts.h"

enum { LOOK_AT = 200, SHOW = 5, LONGEST = 180 };

static bool is_error(const char *line)
{
	return strstr(line, "[ERROR]") != NULL;
}

/* The last lines, or the last of those that are errors. */
static size_t pick_last(char **lines, size_t n, bool errors,
			const char *picked[SHOW])
{
	size_t found = 0;

	while (n && found < SHOW)
		if (is_error(lines[--n]) || !errors)
			picked[found++] = lines[n];
	return found;
}

char *server_log_end(const char *path)
{
	auto_free char *text = file_tail(path, LOOK_AT);
	auto_free char **lines = NULL;
	auto_str struct str out = { 0 };
	bool has_errors = is_error(text);
	const char *picked[SHOW];
	size_t n;

	lines = str_split(text, '\n', &n);
	/* A crash ends in a page of advice: its errors say what happened. */
	for (size_t i = pick_last(lines, n, has_errors, picked); i--;)
		str_addf(&out, "\n  %.*s", LONGEST, picked[i]);
	return str_steal(&out);
}

int server_log_error(const char *text)
{
	static const struct {
		const char *words;
		int err;
	} rows[] = {
		{ "No space left on device", -ENOSPC },
		{ "errno: 28 ", -ENOSPC },
		{ "error: 28 ", -ENOSPC },
		{ "isk is full", -ENOSPC },
		{ "Cannot allocate memory", -ENOMEM },
		{ "Cannot map innodb_buffer_pool_size_max", -ENOMEM },
		{ "annot allocate memory for the buffer pool", -ENOMEM },
		{ "Out of memory", -ENOMEM },
		{ "errno: 12 ", -ENOMEM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strstr(text, rows[i].words))
			return rows[i].err;
	return -EIO;
}

int server_tell_end(const struct server *s, const char *when)
{
	auto_free char *how = proc_status_text(s->wstatus);
	auto_free char *end = server_log_end(s->log);
	int ret = server_log_error(end);

	return refuse(ret, "mariadbd %s %s; its log:%s", how, when,
		      end[0] ? end : " (empty)");
}
