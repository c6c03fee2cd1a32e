/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs need, by their own headers and their loader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/elf.h"
#include "base/mem.h"
#include "base/str.h"

static void ourselves(void **state)
{
	struct elf elf;

	(void)state;
	assert_int_equal(elf_read("/proc/self/exe", &elf), 0);
	assert_non_null(elf.interp);
	assert_int_equal(elf.interp[0], '/');
	assert_true(elf.machine == EM_X86_64 || elf.machine == EM_AARCH64);
	elf_free(&elf);
	assert_null(elf.interp);
}

static void no_program(void **state)
{
	struct elf elf;

	(void)state;
	assert_int_equal(elf_read("LICENSE", &elf), -ENOEXEC);
	assert_int_equal(elf_read("tests/none", &elf), -ENOENT);
	assert_int_equal(elf_parse("", 0, &elf), -ENOEXEC);
}

/* A header whose program headers, or whose loader's name, are not there. */
static void cut_short(void **state)
{
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr ph;
	} file = { .head = { .e_phoff = sizeof(Elf64_Ehdr), .e_phnum = 1 },
		   .ph = { .p_type = PT_INTERP, .p_filesz = 10 } };
	struct elf elf;

	(void)state;
	memcpy(file.head.e_ident, ELFMAG, SELFMAG);
	file.head.e_ident[EI_CLASS] = ELFCLASS64;
	file.head.e_ident[EI_DATA] = ELFDATA2LSB;
	file.ph.p_offset = sizeof(file);
	assert_int_equal(elf_parse(&file, sizeof(file), &elf), -ENOEXEC);
	assert_int_equal(elf_parse(&file, sizeof(file.head), &elf), -ENOEXEC);
	file.head.e_phoff = UINT64_MAX - 8;
	assert_int_equal(elf_parse(&file, sizeof(file), &elf), -ENOEXEC);
	file.head.e_phnum = 0;
	assert_int_equal(elf_parse(&file, sizeof(file), &elf), 0);
	assert_null(elf.interp);
}

static void libraries(void **state)
{
	char **list;
	size_t n;
	auto_free char *exe = realpath("/proc/self/exe", NULL);
	bool has_libc = false;

	(void)state;
	assert_int_equal(elf_libraries(exe, NULL, &list, &n), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(list[i][0], '/');
		has_libc |= strstr(list[i], "/libc.so.") != NULL;
		free(list[i]);
	}
	free(list);
	assert_true(n > 2);
	assert_true(has_libc);
}

struct row {
	const char *name;
	const char *text;
	const char *paths; /* with blanks between them */
	const char *lost;
};

static void check_list(void **state)
{
	const struct row *row = *state;
	auto_str struct str found = { 0 };
	auto_free char *lost = NULL;
	char **list = NULL;
	size_t n = 0;

	lost = elf_parse_list(row->text, &list, &n);
	str_add(&found, "");
	for (size_t i = 0; i < n; i++) {
		str_addf(&found, "%s%s", i ? " " : "", list[i]);
		free(list[i]);
	}
	free(list);
	assert_string_equal(found.text, row->paths);
	if (row->lost)
		assert_string_equal(lost, row->lost);
	else
		assert_null(lost);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_list, NULL, NULL, &(struct row)                    \
		{                                                              \
			name, __VA_ARGS__                                      \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ourselves),
		cmocka_unit_test(no_program),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(libraries),
		ROW("as it is",
		    "\tlinux-vdso.so.1 (0x00007ffc)\n"
		    "\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x0a)\n"
		    "\t/lib64/ld-linux-x86-64.so.2 (0x00007f)\n",
		    "/lib/x86_64-linux-gnu/libm.so.6 "
		    "/lib64/ld-linux-x86-64.so.2",
		    NULL),
		ROW("one is nowhere",
		    "\tliba.so => not found\n\tlibb.so => /b (0x1)\n", "",
		    "liba.so"),
		ROW("a blank in a path", "\ta.so => /my libs/a.so (0x1)\n",
		    "/my libs/a.so", NULL),
		ROW("statically linked", "\tstatically linked\n", "", NULL),
		ROW("nothing", "", "", NULL),
		ROW("no newline", "/a (0x1)", "/a", NULL),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
