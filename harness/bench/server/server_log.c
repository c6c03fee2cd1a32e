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
#include "bench/server/server_parts.h"

enum { LOOK_AT = 200, SHOW = 5, LONGEST = 180 };

static bool is_error(const char *line)
{
	return strstr(line, "[ERROR]") || str_starts(line, "FATAL ERROR") ||
	       str_starts(line, "ERROR");
}

/*
 * The first errors: what follows is the consequence of one, or, after a
 * crash, a page of advice. A log without any: the last lines.
 */
static size_t pick(char **lines, size_t n, const char *picked[SHOW])
{
	size_t found = 0;

	for (size_t i = 0; i < n && found < SHOW; i++)
		if (is_error(lines[i]))
			picked[found++] = lines[i];
	if (found)
		return found;
	for (size_t i = n > SHOW ? n - SHOW : 0; i < n; i++)
		picked[found++] = lines[i];
	return found;
}

char *server_log_end(const char *path)
{
	auto_free char *text = file_tail(path, LOOK_AT);
	auto_free char **lines = NULL;
	auto_str struct str out = { 0 };
	const char *picked[SHOW];
	size_t found;
	size_t n;

	if (!text[0])
		return xstrdup("");
	lines = str_split(text, '\n', &n);
	found = pick(lines, n, picked);
	for (size_t i = 0; i < found; i++)
		str_addf(&out, "\n  %.*s", LONGEST, picked[i]);
	return str_steal(&out);
}

int server_log_error(const char *path)
{
	static const struct {
		const char *words;
		int err;
	} rows[] = {
		{ "No space left on device", -ENOSPC },
		{ "out of disk space", -ENOSPC },
		{ "isk is full", -ENOSPC },
		{ "errno: 28 ", -ENOSPC },
		{ "Cannot allocate memory", -ENOMEM },
		{ "Cannot map innodb_buffer_pool_size_max", -ENOMEM },
		{ "annot allocate memory for the buffer pool", -ENOMEM },
		{ "Out of memory", -ENOMEM },
		{ "errno: 12 ", -ENOMEM },
	};
	auto_free char *text = file_tail(path, LOOK_AT);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strstr(text, rows[i].words))
			return rows[i].err;
	return -EIO;
}

bool server_log_crashed(const char *path)
{
	/* "mysqld got signal 11 ;": sql/signal_handler.cc */
	auto_free char *text = file_tail(path, LOOK_AT);

	return strstr(text, " got signal ") != NULL;
}

int server_tell_end(const struct server *s, const char *when)
{
	auto_free char *how = proc_status_text(s->wstatus);
	auto_free char *end = server_log_end(s->log);

	return refuse(server_log_error(s->log), "mariadbd %s %s; its log:%s",
		      how, when, end[0] ? end : " (empty)");
}
