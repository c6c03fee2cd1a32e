/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules for a guest: found, unpacked, each behind those that it needs. */
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

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/guest/guest_modules.h"

static char release[] = "7.1";

struct fixture {
	char dir[64];
	struct guest_files f;
	struct guest_image image;
};

/* A module as far as it is looked at. */
static void make(const struct fixture *f, const char *name, const char *needs)
{
	auto_free char *path =
		xasprintf("%s/modules/kernel/%s.ko", f->dir, name);
	auto_close int fd = -1;
	auto_str struct str data = { 0 };

	str_addn(&data, "ELF\0license=GPL\0depends=", 24);
	str_addn(&data, needs, strlen(needs) + 1);
	str_addn(&data, "vermagic=7.1 SMP preempt\0", 25);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	assert_int_equal(file_write_fd(fd, data.text, data.len), 0);
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	auto_free char *kernel = NULL;

	snprintf(f->dir, sizeof(f->dir), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(f->dir) || guest_files_open(&f->f))
		return -1;
	kernel = xasprintf("%s/modules/kernel", f->dir);
	f->image.path = xasprintf("%s/vmlinuz", f->dir);
	f->image.version = release;
	*state = f;
	return file_mkdirs(kernel);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	guest_files_free(&f->f);
	tree_remove(f->dir);
	free(f->image.path);
	free(f);
	return 0;
}

/* The names of the modules in the archive, with blanks between them. */
static char *packed(struct fixture *f)
{
	static const char folder[] = "thpbench/modules/7.1/";
	const char *const argv[] = { "cpio", "-it", NULL };
	auto_close int in = -1;
	auto_free char *text = NULL;
	struct proc_spec spec = { .argv = argv };
	struct str names = { 0 };
	int wstatus = 0;

	assert_int_equal(guest_files_end(&f->f), 0);
	in = open(f->f.path, O_RDONLY | O_CLOEXEC);
	spec.in_fd = in;
	assert_int_equal(proc_capture(&spec, 10 * NUM_NS_PER_S, &text,
				      &wstatus),
			 0);
	str_add(&names, "");
	for (const char *p = text; (p = strstr(p, folder));) {
		p += strlen(folder);
		str_addf(&names, "%.*s ", (int)strcspn(p, "\n"), p);
	}
	return str_steal(&names);
}

static void in_order(void **state)
{
	struct fixture *f = *state;
	auto_free char *names = NULL;

	make(f, "virtio_console", "virtio,virtio_ring");
	make(f, "virtio_ring", "");
	make(f, "virtio", "virtio-ring");
	make(f, "other", "");
	assert_int_equal(guest_modules_add(&f->f, &f->image), 0);
	names = packed(f);
	assert_string_equal(names, "00-virtio_ring.ko 01-virtio.ko "
				   "02-virtio_console.ko ");
}

static void a_circle_ends(void **state)
{
	struct fixture *f = *state;
	auto_free char *names = NULL;

	make(f, "virtio_console", "virtio");
	make(f, "virtio", "virtio_console");
	assert_int_equal(guest_modules_add(&f->f, &f->image), 0);
	names = packed(f);
	assert_string_equal(names, "00-virtio.ko 01-virtio_console.ko ");
}

static void pack(const struct fixture *f, const char *program, const char *name)
{
	auto_free char *path =
		xasprintf("%s/modules/kernel/%s.ko", f->dir, name);
	const char *const argv[] = { program, "-q", path, NULL };
	struct proc_spec spec = { .argv = argv };
	int wstatus = 0;

	assert_int_equal(proc_run(&spec, 10 * NUM_NS_PER_S, &wstatus), 0);
	assert_int_equal(wstatus, 0);
	unlink(path);
}

static void packed_ones(void **state)
{
	struct fixture *f = *state;
	auto_free char *names = NULL;

	make(f, "virtio_console", "virtio");
	make(f, "virtio", "");
	pack(f, "xz", "virtio_console");
	pack(f, "zstd", "virtio");
	assert_int_equal(guest_modules_add(&f->f, &f->image), 0);
	names = packed(f);
	assert_string_equal(names, "00-virtio.ko 01-virtio_console.ko ");
}

static void broken_ones(void **state)
{
	struct fixture *f = *state;
	auto_free char *path =
		xasprintf("%s/modules/kernel/virtio_pci.ko", f->dir);
	auto_free char *xz =
		xasprintf("%s/modules/kernel/virtio_console.ko.xz", f->dir);

	assert_int_equal(file_publish(xz, "no xz"), 0);
	assert_int_equal(guest_modules_add(&f->f, &f->image), -EIO);
	assert_int_equal(file_publish(path, "no module"), 0);
	assert_int_equal(guest_modules_add(&f->f, &f->image), -EINVAL);
}

static void none_are_needed(void **state)
{
	struct fixture *f = *state;
	auto_free char *dir = guest_modules_dir(&f->image);
	auto_free char *none = NULL;
	auto_free char *modules = xasprintf("%s/modules", f->dir);
	auto_free char *names = NULL;

	assert_string_equal(dir, modules);
	assert_int_equal(guest_modules_add(&f->f, &f->image), 0);
	assert_int_equal(tree_remove(modules), 0);
	none = guest_modules_dir(&f->image);
	assert_null(none);
	assert_int_equal(guest_modules_add(&f->f, &f->image), 0);
	names = packed(f);
	assert_string_equal(names, "");
}

static void values(void **state)
{
	static const char data[] = "\0depends=a,b\0xdepends=c\0name=x";
	auto_free char *depends =
		guest_modules_info(data, sizeof(data) - 1, "depends");
	auto_free char *name =
		guest_modules_info(data, sizeof(data) - 1, "name");
	auto_free char *none =
		guest_modules_info(data, sizeof(data) - 1, "vermagic");

	(void)state;
	assert_string_equal(depends, "a,b");
	/* The file may end before its NUL. */
	assert_string_equal(name, "x");
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(a_circle_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(packed_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(broken_ones, setup, teardown),
		cmocka_unit_test_setup_teardown(none_are_needed, setup,
						teardown),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
