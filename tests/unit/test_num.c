/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base/num: strict numbers, sizes, times; and how they are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"

struct u64_row {
	int (*read)(const char *text, uint64_t *out);
	const char *text;
	int ret;
	uint64_t value;
};

static void check_u64(void **state)
{
	const struct u64_row *row = *state;
	uint64_t v = 4711;

	assert_int_equal(row->read(row->text, &v), row->ret);
	assert_int_equal(v, row->ret ? 4711 : row->value);
}

struct i64_row {
	const char *text;
	int ret;
	int64_t value;
};

static void check_i64(void **state)
{
	const struct i64_row *row = *state;
	int64_t v = 4711;

	assert_int_equal(num_i64(row->text, &v), row->ret);
	assert_true(v == (row->ret ? 4711 : row->value));
}

struct double_row {
	int (*read)(const char *text, double *out);
	const char *text;
	int ret;
	double value;
};

static void check_double(void **state)
{
	const struct double_row *row = *state;
	double want = row->ret ? 4711 : row->value;
	double v = 4711;

	assert_int_equal(row->read(row->text, &v), row->ret);
	assert_memory_equal(&v, &want, sizeof(v));
}

struct scan_row {
	const char *text;
	int ret;
	uint64_t value;
	const char *rest;
};

static void check_scan(void **state)
{
	const struct scan_row *row = *state;
	const char *p = row->text;
	uint64_t v = 4711;

	assert_int_equal(num_scan_u64(&p, &v), row->ret);
	assert_int_equal(v, row->ret ? 4711 : row->value);
	assert_string_equal(p, row->ret ? row->text : row->rest);
}

struct print_row {
	char *(*print)(uint64_t value);
	uint64_t value;
	const char *text;
};

static void check_print(void **state)
{
	const struct print_row *row = *state;
	auto_free char *text = row->print(row->value);

	assert_string_equal(text, row->text);
}

#define ROW(kind, check, type, name, ...)                                      \
	{                                                                      \
		kind ": " name, check, NULL, NULL, &(type)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define U64(name, ...)                                                         \
	ROW("u64", check_u64, struct u64_row, name, num_u64, __VA_ARGS__)
#define SIZE(name, ...)                                                        \
	ROW("size", check_u64, struct u64_row, name, num_size, __VA_ARGS__)
#define TIME(name, ...)                                                        \
	ROW("time", check_u64, struct u64_row, name, num_time, __VA_ARGS__)
#define I64(name, ...) ROW("i64", check_i64, struct i64_row, name, __VA_ARGS__)
#define DOUBLE(name, ...)                                                      \
	ROW("double", check_double, struct double_row, name, num_double,       \
	    __VA_ARGS__)
#define PERCENT(name, ...)                                                     \
	ROW("percent", check_double, struct double_row, name, num_percent,     \
	    __VA_ARGS__)
#define SCAN(name, ...)                                                        \
	ROW("scan", check_scan, struct scan_row, name, __VA_ARGS__)
#define PRINT_SIZE(text, value)                                                \
	ROW("print", check_print, struct print_row, text, num_size_text,       \
	    value, text)
#define PRINT_TIME(text, value)                                                \
	ROW("print", check_print, struct print_row, text, num_time_text,       \
	    value, text)

int main(void)
{
	const struct CMUnitTest tests[] = {
		U64("zero", "0", 0, 0),
		U64("decimal in spite of a leading 0", "010", 0, 10),
		U64("hexadecimal", "0xfF", 0, 255),
		U64("largest", "18446744073709551615", 0, UINT64_MAX),
		U64("one more", "18446744073709551616", -ERANGE, 0),
		U64("hexadecimal too large", "0x10000000000000000", -ERANGE, 0),
		U64("empty", "", -EINVAL, 0),
		U64("blank before", " 1", -EINVAL, 0),
		U64("blank behind", "1 ", -EINVAL, 0),
		U64("sign", "-1", -EINVAL, 0),
		U64("plus", "+1", -EINVAL, 0),
		U64("rest", "1k", -EINVAL, 0),
		U64("only 0x", "0x", -EINVAL, 0),
		U64("hexadecimal without 0x", "ff", -EINVAL, 0),
		U64("sign behind 0x", "0x-1", -EINVAL, 0),
		I64("negative", "-17", 0, -17),
		I64("largest", "9223372036854775807", 0, INT64_MAX),
		I64("smallest", "-9223372036854775808", 0, INT64_MIN),
		I64("too large", "9223372036854775808", -ERANGE, 0),
		I64("too small", "-9223372036854775809", -ERANGE, 0),
		I64("only a sign", "-", -EINVAL, 0),
		I64("two signs", "--1", -EINVAL, 0),
		I64("empty", "", -EINVAL, 0),
		I64("hexadecimal", "0x1", -EINVAL, 0),
		DOUBLE("plain", "2.5", 0, 2.5),
		DOUBLE("exponent", "-1e3", 0, -1000),
		DOUBLE("no leading digit", ".5", 0, .5),
		DOUBLE("plus", "+1", 0, 1),
		DOUBLE("too large", "1e400", -ERANGE, 0),
		DOUBLE("infinity", "inf", -EINVAL, 0),
		DOUBLE("negative infinity", "-inf", -EINVAL, 0),
		DOUBLE("no number", "-nan", -EINVAL, 0),
		DOUBLE("hexadecimal", "0x10", -EINVAL, 0),
		DOUBLE("decimal comma", "1,5", -EINVAL, 0),
		DOUBLE("two points", "1.2.3", -EINVAL, 0),
		DOUBLE("only a point", ".", -EINVAL, 0),
		DOUBLE("only an exponent", "e5", -EINVAL, 0),
		DOUBLE("empty", "", -EINVAL, 0),
		DOUBLE("blank", " 1", -EINVAL, 0),
		PERCENT("with its sign", "0.5%", 0, 0.5),
		PERCENT("with a blank", "5 %", 0, 5),
		PERCENT("without", "12", 0, 12),
		PERCENT("two signs", "5%%", -EINVAL, 0),
		PERCENT("only a sign", "%", -EINVAL, 0),
		PERCENT("empty", "", -EINVAL, 0),
		SIZE("bytes", "4096", 0, 4096),
		SIZE("kilobytes", "64k", 0, 65536),
		SIZE("as the kernel writes them", "64kB", 0, 65536),
		SIZE("gigabytes", "2G", 0, UINT64_C(2) << 30),
		SIZE("a part", "1.5G", 0, UINT64_C(3) << 29),
		SIZE("above 2^53, exact", "9007199254740993", 0,
		     UINT64_C(9007199254740993)),
		SIZE("largest", "18446744073709551615", 0, UINT64_MAX),
		SIZE("most terabytes", "16777215T", 0,
		     UINT64_C(16777215) << 40),
		SIZE("2^64", "16777216T", -ERANGE, 0),
		SIZE("a part above 2^63", "8388608.5T", 0,
		     UINT64_C(0x8000008000000000)),
		SIZE("a part beyond 2^64", "16777216.0T", -ERANGE, 0),
		SIZE("digits that do not fit", "99999999999999999999k", -ERANGE,
		     0),
		SIZE("negative", "-1k", -EINVAL, 0),
		SIZE("a unit alone", "M", -EINVAL, 0),
		SIZE("unknown unit", "1Q", -EINVAL, 0),
		SIZE("two numbers", "1M1k", -EINVAL, 0),
		SIZE("blank inside", "1 M", -EINVAL, 0),
		SIZE("two points", "1.2.3M", -EINVAL, 0),
		SIZE("empty", "", -EINVAL, 0),
		TIME("milliseconds", "500ms", 0, 500 * NUM_NS_PER_MS),
		TIME("minutes and seconds", "1m30s", 0, 90 * NUM_NS_PER_S),
		TIME("a part", "0.5s", 0, 500 * NUM_NS_PER_MS),
		TIME("nothing", "0", 0, 0),
		TIME("largest", "18446744073709551615ns", 0, UINT64_MAX),
		TIME("too many hours", "5124096h", -ERANGE, 0),
		TIME("the sum is too large", "18446744073709551615ns1ns",
		     -ERANGE, 0),
		TIME("no unit", "5", -EINVAL, 0),
		TIME("no unit at the end", "1m30", -EINVAL, 0),
		TIME("unknown unit", "1d", -EINVAL, 0),
		TIME("negative", "-1s", -EINVAL, 0),
		TIME("empty", "", -EINVAL, 0),
		SCAN("moves behind", "  12 kB", 0, 12, " kB"),
		SCAN("tab", "\t1", 0, 1, ""),
		SCAN("largest", "18446744073709551615.", 0, UINT64_MAX, "."),
		SCAN("too large", "18446744073709551616", -EINVAL, 0, ""),
		SCAN("not over the end of a line", "\n12", -EINVAL, 0, ""),
		SCAN("sign", "-1", -EINVAL, 0, ""),
		SCAN("empty", "", -EINVAL, 0, ""),
		PRINT_SIZE("0", 0),
		PRINT_SIZE("1500", 1500),
		PRINT_SIZE("64k", 65536),
		PRINT_SIZE("2G", UINT64_C(2) << 30),
		PRINT_SIZE("1025G", UINT64_C(1025) << 30),
		PRINT_SIZE("16777215T", UINT64_C(16777215) << 40),
		PRINT_SIZE("18446744073709551615", UINT64_MAX),
		PRINT_TIME("0s", 0),
		PRINT_TIME("1m30s", 90 * NUM_NS_PER_S),
		PRINT_TIME("1h5s", 3605 * NUM_NS_PER_S),
		PRINT_TIME("500ms", 500 * NUM_NS_PER_MS),
		PRINT_TIME("1s1us", NUM_NS_PER_S + 1000),
		PRINT_TIME("1ns", 1),
		PRINT_TIME("5124095h34m33s709551615ns", UINT64_MAX),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
