/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public data of others beside the project: read, never copied into it. */
#ifndef TESTS_UNIT_DATA_FILES_H
#define TESTS_UNIT_DATA_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"

/*
 * A file below ../shared, its name as of printf(). The test is skipped where
 * there is none: skip() does not come back to free what the caller holds.
 */
__attribute__((format(printf, 1, 2))) static inline char *
data_file(const char *fmt, ...)
{
	char *text = NULL;
	char *name;
	char *path;
	va_list ap;
	size_t n;
	int ret;

	va_start(ap, fmt);
	name = xvasprintf(fmt, ap);
	va_end(ap);
	path = xasprintf("../shared/%s", name);
	ret = file_read(path, &text, &n);
	if (ret == -ENOENT)
		print_message("%s is not there: skipped\n", path);
	free(name);
	free(path);
	if (ret == -ENOENT)
		skip();
	assert_int_equal(ret, 0);
	return text;
}

#endif
