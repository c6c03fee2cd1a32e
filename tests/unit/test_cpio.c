/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Archives as the kernel takes them: read again by cpio(1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpio.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"

/* An archive in a file without a name. */
struct archive {
	struct cpio c;
	char *path;
};

static int setup(void **state)
{
	struct archive *a = xcalloc(1, sizeof(*a));

	a->c.fd = file_unnamed(&a->path);
	*state = a;
	return a->c.fd < 0;
}

static int teardown(void **state)
{
	struct archive *a = *state;

	close(a->c.fd);
	free(a->path);
	free(a);
	return 0;
}

/* What cpio(1) says is in it; it must like it. free() it. */
static char *list(const struct archive *a, const char *options,
		  const char *more)
{
	const char *const argv[] = { "cpio", options, more, NULL };
	auto_close int in = open(a->path, O_RDONLY | O_CLOEXEC);
	auto_close int err = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct proc_spec spec = { .argv = argv, .in_fd = in, .err_fd = err };
	char *text = NULL;
	int wstatus = 0;

	assert_true(in > 0 && err > 0);
	assert_int_equal(proc_capture(&spec, 10 * NUM_NS_PER_S, &text,
				      &wstatus),
			 0);
	assert_int_equal(wstatus, 0);
	return text;
}

static void all_kinds(void **state)
{
	struct archive *a = *state;
	auto_free char *text = NULL;

	assert_int_equal(cpio_dir(&a->c, "/dev", 0755), 0);
	assert_int_equal(cpio_char(&a->c, "/dev/console", 0600, 5, 1), 0);
	assert_int_equal(cpio_data(&a->c, "init", 0755, "#!/bin/sh\n", 10), 0);
	assert_int_equal(cpio_link(&a->c, "/bin", "usr/bin"), 0);
	assert_int_equal(cpio_file(&a->c, "/license", 0644, "LICENSE"), 0);
	assert_int_equal(cpio_end(&a->c), 0);
	assert_int_equal(a->c.n_bytes % 512, 0);
	text = list(a, "-itvn", NULL);
	assert_non_null(strstr(text, "drwxr-xr-x   1 0        0"));
	assert_non_null(strstr(text, "crw-------   1 0        0          5,   1"
				     " Jan  1  1970 dev/console\n"));
	assert_non_null(strstr(text, "-rwxr-xr-x   1 0        0              10"
				     " Jan  1  1970 init\n"));
	assert_non_null(strstr(text, "bin -> usr/bin\n"));
	assert_non_null(strstr(text, "license\n"));
}

/* Names and contents of every length leave what follows in its place. */
static void every_length(void **state)
{
	enum { MOST = 9 };
	struct archive *a = *state;
	auto_free char *text = NULL;
	auto_str struct str want = { 0 };

	for (size_t n = 1; n <= MOST; n++) {
		auto_free char *name = xstrndup("abcdefghi", n);

		assert_int_equal(cpio_data(&a->c, name, 0644, "123456789",
					   MOST - n),
				 0);
		str_addf(&want, "%s\n", name);
	}
	assert_int_equal(cpio_end(&a->c), 0);
	text = list(a, "-it", NULL);
	assert_string_equal(text, want.text);
}

static void content_is_whole(void **state)
{
	struct archive *a = *state;
	auto_free char *text = NULL;
	auto_free char *license = NULL;
	size_t n;

	assert_int_equal(file_read("LICENSE", &license, &n), 0);
	assert_int_equal(cpio_file(&a->c, "license", 0644, "LICENSE"), 0);
	assert_int_equal(cpio_end(&a->c), 0);
	text = list(a, "-i", "--to-stdout");
	assert_int_equal(strlen(text), n);
	assert_memory_equal(text, license, n);
}

static void what_is_no_file(void **state)
{
	struct archive *a = *state;

	assert_int_equal(cpio_file(&a->c, "x", 0644, "tests"), -EINVAL);
	assert_int_equal(cpio_file(&a->c, "x", 0644, "tests/none"), -ENOENT);
}

static void too_large(void **state)
{
	struct archive *a = *state;
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)(4 * NUM_GIB)), 0);
	assert_int_equal(cpio_file(&a->c, "x", 0644, path), -EFBIG);
}

static void full_disk(void **state)
{
	struct cpio c = { .fd = open("/dev/full", O_WRONLY | O_CLOEXEC) };

	(void)state;
	assert_int_equal(cpio_dir(&c, "x", 0755), -ENOSPC);
	close(c.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_kinds, setup, teardown),
		cmocka_unit_test_setup_teardown(every_length, setup, teardown),
		cmocka_unit_test_setup_teardown(content_is_whole, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_is_no_file, setup,
						teardown),
		cmocka_unit_test_setup_teardown(too_large, setup, teardown),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
