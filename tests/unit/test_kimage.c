/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel lies in an image of each kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "kern/kimage.h"

enum { SIZE = 8192 };

struct row {
	void (*fill)(unsigned char *data);
	int ret;
	const char *arch;
	size_t offset;
	size_t length;
	const char *program;
};

static void fill_nothing(unsigned char *data)
{
	(void)data;
}

static void put_u32(unsigned char *data, size_t at, uint32_t value)
{
	memcpy(data + at, &value, sizeof(value));
}

/* A setup of three sectors, a payload 100 bytes behind it. */
static void fill_bzimage(unsigned char *data)
{
	data[0x1f1] = 2;
	memcpy(data + 0x202, "HdrS\x0f\x02", 6);
	put_u32(data, 0x248, 100);
	put_u32(data, 0x24c, 1000);
	memcpy(data + 3 * 512 + 100, "\x28\xb5\x2f\xfd", 4);
}

static void fill_bzimage_lz4(unsigned char *data)
{
	fill_bzimage(data);
	memcpy(data + 3 * 512 + 100, "\x02\x21\x4c\x18", 4);
}

/* Zero stands for four sectors. */
static void fill_bzimage_old_setup(unsigned char *data)
{
	fill_bzimage(data);
	data[0x1f1] = 0;
	memcpy(data + 5 * 512 + 100,
	       "\xfd"
	       "7zXZ",
	       6);
}

static void fill_bzimage_old(unsigned char *data)
{
	fill_bzimage(data);
	data[0x206] = 0x07;
}

static void fill_bzimage_cut(unsigned char *data)
{
	fill_bzimage(data);
	put_u32(data, 0x24c, SIZE);
}

static void fill_bzimage_far(unsigned char *data)
{
	fill_bzimage(data);
	put_u32(data, 0x248, 0xffffffff);
}

static void fill_bzimage_other(unsigned char *data)
{
	fill_bzimage(data);
	memcpy(data + 3 * 512 + 100, "none", 4);
}

static void fill_arm64(unsigned char *data)
{
	memcpy(data, "MZ", 2);
	memcpy(data + 56, "ARM\x64", 4);
}

static void fill_gzip(unsigned char *data)
{
	memcpy(data, "\x1f\x8b\x08", 3);
}

static void fill_zboot(unsigned char *data)
{
	memcpy(data, "MZ\0\0zimg", 8);
	put_u32(data, 8, 512);
	put_u32(data, 12, 600);
	memcpy(data + 512, "\x1f\x8b", 2);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	unsigned char data[SIZE] = { 0 };
	struct kimage k;

	row->fill(data);
	assert_int_equal(kimage_parse(data, SIZE, &k), row->ret);
	if (row->ret)
		return;
	if (row->arch)
		assert_string_equal(k.arch, row->arch);
	else
		assert_null(k.arch);
	assert_int_equal(k.offset, row->offset);
	assert_int_equal(k.length, row->length);
	if (row->program)
		assert_string_equal(k.program, row->program);
	else
		assert_null(k.program);
}

/* A file that ends too early is no image, wherever it ends. */
static void test_cut_off(void **state)
{
	unsigned char data[SIZE] = { 0 };
	struct kimage k;

	(void)state;
	fill_bzimage(data);
	for (size_t n = 0; n < 3 * 512 + 100 + 1000; n++)
		assert_int_equal(kimage_parse(data, n, &k), -ENOEXEC);
	memset(data, 0, SIZE);
	fill_zboot(data);
	for (size_t n = 0; n < 512 + 600; n++)
		assert_int_equal(kimage_parse(data, n, &k), -ENOEXEC);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("zeros", fill_nothing, -ENOEXEC, NULL, 0, 0, NULL),
		ROW("bzImage", fill_bzimage, 0, "amd64", 1636, 1000, "zstd"),
		ROW("lz4", fill_bzimage_lz4, 0, "amd64", 1636, 1000, "lz4"),
		ROW("setup_sects 0", fill_bzimage_old_setup, 0, "amd64", 2660,
		    1000, "xz"),
		ROW("a protocol without payload", fill_bzimage_old, -ENOEXEC,
		    NULL, 0, 0, NULL),
		ROW("longer than the file", fill_bzimage_cut, -ENOEXEC, NULL, 0,
		    0, NULL),
		ROW("behind the file", fill_bzimage_far, -ENOEXEC, NULL, 0, 0,
		    NULL),
		ROW("packed by nobody knows what", fill_bzimage_other, -ENOEXEC,
		    NULL, 0, 0, NULL),
		ROW("arm64 Image", fill_arm64, 0, "arm64", 0, SIZE, NULL),
		ROW("Image.gz", fill_gzip, 0, NULL, 0, SIZE, "gzip"),
		ROW("zboot", fill_zboot, 0, NULL, 512, 600, "gzip"),
		cmocka_unit_test(test_cut_off),
	};

	return cmocka_run_group_tests_name("kimage", tests, NULL, NULL);
}
