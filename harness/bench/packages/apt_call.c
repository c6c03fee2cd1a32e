/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run apt and dpkg, and find what they complained of. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/str.h"
#include "bench/packages/apt_parts.h"

void apt_tell(const struct apt *apt, const char *fmt, ...)
{
	auto_free char *text = NULL;
	va_list ap;
	int n;

	if (!apt->tell)
		return;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		abort();
	apt->tell(text);
}

int apt_call(const struct apt_call *call, char **out)
{
	/* Messages are looked into. */
	static const char *const env[] = { "LC_ALL=C", "LANGUAGE=C", NULL };
	auto_close int log =
		open(call->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	const struct proc_spec spec = {
		.argv = call->argv,
		.env = env,
		.dir = call->dir,
		.err_fd = log,
		.stops = true,
	};
	auto_free char *text = NULL;
	int status = 0;
	int ret;

	if (log < 0)
		return fail(-errno, "open %s", call->log);
	ret = proc_capture(&spec, call->limit_ns, &text, &status);
	if (ret == -EINTR)
		return ret;
	if (ret == -ENOENT)
		return refuse(-ENOTSUP,
			      "no %s here: packages are fetched by "
			      "the apt of a Debian system",
			      call->argv[0]);
	if (ret == -ETIMEDOUT)
		return refuse(-EAGAIN, "%s %s took more than %llu s",
			      call->argv[0], call->argv[1],
			      (unsigned long long)(call->limit_ns /
						   1000000000));
	if (ret)
		return fail(ret, "run %s", call->argv[0]);
	if (out) {
		*out = text;
		text = NULL;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* How much a line says; 0: nothing. */
static int weight_of(const char *line)
{
	static const struct {
		const char *start;
		const char *inside;
		int weight;
	} kinds[] = {
		{ "W: GPG error", "", 4 },
		/* Only sums up. */
		{ "E: ", "index files failed to download", 1 },
		{ "E: ", "", 3 },
		{ "dpkg-deb: error", "", 3 },
		{ "W: ", "unsandboxed", 0 },
		{ "W: ", "", 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_starts(line, kinds[i].start) &&
		    strstr(line, kinds[i].inside))
			return kinds[i].weight;
	return 0;
}

char *apt_complaint(const char *log_text)
{
	auto_free char *copy = xstrdup(log_text);
	auto_free char **lines = NULL;
	const char *best = "";
	int weight = 0;
	size_t n;

	lines = str_split(copy, '\n', &n);
	for (size_t i = 0; i < n; i++) {
		if (weight_of(lines[i]) <= weight)
			continue;
		weight = weight_of(lines[i]);
		best = lines[i];
	}
	if (str_starts(best, "E: ") || str_starts(best, "W: "))
		best += strlen("E: ");
	return xstrdup(best);
}
