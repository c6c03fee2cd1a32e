/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Public data of others beside the project: read, never copied into it. */
#ifndef TESTS_UNIT_DATA_FILES_H
#define TESTS_UNIT_DATA_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/* A file below ../shared; the test is skipped where there is none. */
static inline char *data_file(const char *name)
{
	auto_free char *path = xasprintf("../shared/%s", name);
	char *text;
	size_t n;

	if (access(path, R_OK)) {
		print_message("%s is not there: skipped\n", path);
		skip();
	}
	assert_int_equal(file_read(path, &text, &n), 0);
	return text;
}

#endif
