/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel images by their first bytes, and how qemu is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guest/guest_image.h"
#include "bench/guest/guest_vm.h"

enum { BYTES = 0x1000 };

/* A bzImage as far as it is looked at. */
static void make_x86(unsigned char *p, unsigned int at, const char *version)
{
	memset(p, 0, BYTES);
	memcpy(p + 0x202, "HdrS", 4);
	p[0x20e] = at & 0xff;
	p[0x20f] = (unsigned char)(at >> 8);
	p[0x236] = 1;
	if (at + 0x200 + strlen(version) < BYTES)
		memcpy(p + 0x200 + at, version, strlen(version));
}

static void x86(void **state)
{
	unsigned char p[BYTES];
	struct guest_image image;

	(void)state;
	make_x86(p, 0x400, "7.3.4+deb13 (x@y) #1 SMP");
	assert_int_equal(guest_image_parse(p, sizeof(p), &image), 0);
	assert_int_equal(image.arch, GUEST_X86_64);
	assert_string_equal(image.version, "7.3.4+deb13");
	guest_image_free(&image);
}

static void x86_without_a_version(void **state)
{
	static const unsigned int at[] = { 0, 0xfff, 0xffff, 0x400 };
	unsigned char p[BYTES];
	struct guest_image image;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		make_x86(p, at[i], "");
		assert_int_equal(guest_image_parse(p, sizeof(p), &image), 0);
		assert_null(image.version);
	}
}

static void the_least_size_of_x86(void **state)
{
	unsigned char p[BYTES];
	struct guest_image image;

	(void)state;
	make_x86(p, 0, "");
	assert_int_equal(guest_image_parse(p, sizeof(p), &image), 0);
	assert_int_equal(image.least_bytes, 5 * 512);
	p[0x1f1] = 39;
	memcpy(p + 0x1f4, "\x4d\x50\x0d\x01", 4);
	assert_int_equal(guest_image_parse(p, sizeof(p), &image), 0);
	assert_int_equal(image.least_bytes, 40 * 512 + 0x10d504cU * 16);
}

static void a_version_cut_off(void **state)
{
	unsigned char p[BYTES];
	struct guest_image image;

	(void)state;
	make_x86(p, 0x400, "7.3.4");
	assert_int_equal(guest_image_parse(p, 0x603, &image), 0);
	assert_string_equal(image.version, "7.3");
	guest_image_free(&image);
}

static void no_images(void **state)
{
	unsigned char p[BYTES];
	struct guest_image image;

	(void)state;
	make_x86(p, 0x400, "2.6.32");
	p[0x236] = 0; /* 32 bits alone */
	assert_int_equal(guest_image_parse(p, sizeof(p), &image), -ENOEXEC);
	make_x86(p, 0x400, "7.3.4");
	assert_int_equal(guest_image_parse(p, 0x210, &image), -ENOEXEC);
	assert_int_equal(guest_image_parse("", 0, &image), -ENOEXEC);
	assert_int_equal(guest_image_parse("\177ELF", 4, &image), -ENOEXEC);
}

static void arm64(void **state)
{
	unsigned char p[64] = { 'M', 'Z' };
	struct guest_image image;

	(void)state;
	memcpy(p + 56, "ARM\x64", 4);
	assert_int_equal(guest_image_parse(p, sizeof(p), &image), 0);
	assert_int_equal(image.arch, GUEST_ARM64);
	assert_null(image.version);
}

/* The words with blanks between them. free() it. */
static char *words_of(const struct guest_vm_spec *spec)
{
	struct str s = { 0 };
	char **list = guest_vm_args(spec);

	for (size_t i = 0; list[i]; i++) {
		str_addf(&s, "%s ", list[i]);
		free(list[i]);
	}
	free(list);
	return str_steal(&s);
}

static char kernel[] = "/k/vmlinuz";

static void a_run_is_called_so(void **state)
{
	const struct guest_image image = { .path = kernel };
	const struct guest_vm_spec spec = {
		.image = &image,
		.initrd = "/proc/1/fd/5",
		.cmdline = "a=b",
		.accel = GUEST_TCG,
		.memory_bytes = 3 * NUM_GIB,
		.cpus = 2,
		.console = "/a,b/console.log",
	};
	auto_free char *text = words_of(&spec);

	(void)state;
	assert_non_null(strstr(text, "-machine pc -accel tcg -cpu max "
				     "-smp 2 -m 3072M "));
	assert_non_null(strstr(text, "file,id=console,path=/a,,b/console.log"));
	assert_non_null(strstr(text, "-nic none"));
	assert_non_null(strstr(text, "-no-reboot"));
	assert_non_null(strstr(text, "virtserialport,chardev=data"));
	assert_non_null(strstr(text, "-kernel /k/vmlinuz "
				     "-initrd /proc/1/fd/5 "));
	assert_non_null(strstr(text, "console=ttyS0"));
	assert_true(str_ends(text, " a=b "));
}

static void a_shell_on_arm_is_called_so(void **state)
{
	const struct guest_image image = { .path = kernel,
					   .arch = GUEST_ARM64 };
	const struct guest_vm_spec spec = {
		.image = &image,
		.initrd = "/i",
		.cmdline = "",
		.accel = GUEST_KVM,
		.memory_bytes = NUM_GIB,
		.cpus = 1,
	};
	auto_free char *text = words_of(&spec);

	(void)state;
	assert_non_null(strstr(text, "-machine virt -accel kvm -cpu host "));
	assert_non_null(strstr(text, "stdio,id=console,signal=off"));
	assert_null(strstr(text, "virtserialport"));
	assert_non_null(strstr(text, "console=ttyAMA0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86),
		cmocka_unit_test(x86_without_a_version),
		cmocka_unit_test(the_least_size_of_x86),
		cmocka_unit_test(a_version_cut_off),
		cmocka_unit_test(no_images),
		cmocka_unit_test(arm64),
		cmocka_unit_test(a_run_is_called_so),
		cmocka_unit_test(a_shell_on_arm_is_called_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
