/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* The one mutable state of the layer: what was said last, and how loud. */
static struct {
	char text[1024];
	int quiet;
	bool is_live;
} last;

__attribute__((format(printf, 3, 0))) static void
say(int err, const char *prefix, const char *fmt, va_list ap)
{
	size_t n;

	vsnprintf(last.text, sizeof(last.text), fmt, ap);
	n = strlen(last.text);
	if (err < 0 && n < sizeof(last.text))
		snprintf(last.text + n, sizeof(last.text) - n, ": %s",
			 strerror(-err));
	if (!last.quiet)
		fprintf(stderr, "%sthpbench: %s%s\n",
			last.is_live ? "\r\033[K" : "", prefix, last.text);
}

int fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(err, "", fmt, ap);
	va_end(ap);
	return err;
}

int refuse(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(0, "", fmt, ap);
	va_end(ap);
	return err;
}

void warn(const char *fmt, ...)
{
	char kept[sizeof(last.text)];
	va_list ap;

	memcpy(kept, last.text, sizeof(kept));
	va_start(ap, fmt);
	say(0, "warning: ", fmt, ap);
	va_end(ap);
	memcpy(last.text, kept, sizeof(kept));
}

const char *err_last(void)
{
	return last.text;
}

int err_quiet(int quiet)
{
	int before = last.quiet;

	last.quiet = quiet;
	return before;
}

void err_live(bool is_live)
{
	last.is_live = is_live;
}

int err_status(int err)
{
	static const struct {
		int err;
		enum status status;
	} rows[] = {
		{ EPERM, STATUS_NO_PERMISSION },
		{ EACCES, STATUS_NO_PERMISSION },
		{ EROFS, STATUS_NO_PERMISSION },
		{ EILSEQ, STATUS_DATA },
		{ ENOENT, STATUS_NO_INPUT },
		{ ENOTDIR, STATUS_NO_INPUT },
		{ EISDIR, STATUS_NO_INPUT },
		{ ELOOP, STATUS_NO_INPUT },
		{ ENAMETOOLONG, STATUS_NO_INPUT },
		{ ENOEXEC, STATUS_NO_INPUT },
		{ EBUSY, STATUS_TRY_AGAIN },
		{ EAGAIN, STATUS_TRY_AGAIN },
		{ EINTR, STATUS_TRY_AGAIN },
		{ EBADMSG, STATUS_CONFIG },
		{ EINVAL, STATUS_USAGE },
		{ ENOTSUP, STATUS_UNAVAILABLE },
		{ EIO, STATUS_IO },
		{ ENOSPC, STATUS_IO },
		{ EDQUOT, STATUS_IO },
		{ EBADF, STATUS_IO }, /* of a closed stdin */
	};

	if (err >= 0)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (err == -rows[i].err)
			return rows[i].status;
	return STATUS_INTERNAL;
}
