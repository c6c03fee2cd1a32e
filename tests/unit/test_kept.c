/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench/kept and kern/statm: kernel files read again and again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/collect/kept.h"
#include "toucher.h"
#include "kern/statm.h"

static void read_again(void **state)
{
	char dir[] = "/tmp/test_kept.XXXXXX";
	auto_free char *path = NULL;
	struct kept k = KEPT_CLOSED;
	auto_str struct str longer = { 0 };
	struct root root;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = xasprintf("%s/file", dir);
	assert_int_equal(file_publish(path, "one\n"), 0);
	assert_int_equal(root_open(dir, &root), 0);
	assert_int_equal(kept_read(&k), -EBADF);
	assert_int_equal(kept_open(&k, &root, "nothing"), -ENOENT);
	assert_int_equal(kept_open(&k, &root, "file"), 0);
	assert_int_equal(kept_read(&k), 0);
	assert_string_equal(k.text, "one\n");

	/* It has grown beyond the buffer, and then holds less than before. */
	for (int i = 0; i < 3000; i++)
		str_addf(&longer, "line %d\n", i);
	assert_int_equal(root_write(&root, "file", longer.text), 0);
	assert_int_equal(kept_read(&k), 0);
	assert_string_equal(k.text, longer.text);
	assert_int_equal(root_write(&root, "file", ""), 0);
	assert_int_equal(kept_read(&k), 0);
	assert_string_equal(k.text, "");

	kept_close(&k);
	assert_int_equal(k.fd, -1);
	root_close(&root);
	assert_int_equal(tree_remove(dir), 0);
}

/* Kernel files longer than one page come in several reads. */
static void read_vmstat(void **state)
{
	struct kept k = KEPT_CLOSED;
	struct root root;

	(void)state;
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(kept_open(&k, &root, "proc/vmstat"), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(kept_read(&k), 0);
		assert_true(str_starts(k.text, "nr_free_pages "));
		assert_non_null(strstr(k.text, "\npgfault "));
		assert_int_equal(k.text[strlen(k.text) - 1], '\n');
	}
	kept_close(&k);
	root_close(&root);
}

static void process_gone(void **state)
{
	const struct toucher memory = { 0 };
	struct kept k = KEPT_CLOSED;
	struct root root;
	pid_t pid = toucher_start(&memory);

	(void)state;
	assert_int_not_equal(pid, 0);
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(kept_open_proc(&k, &root, pid, "stat"), 0);
	assert_int_equal(kept_read(&k), 0);
	toucher_end(pid);
	assert_int_equal(kept_read(&k), -ESRCH);
	kept_close(&k);
	root_close(&root);
}

struct row {
	const char *text;
	int ret;
	uint64_t resident_pages;
	uint64_t shared_pages;
};

static void check_statm(void **state)
{
	const struct row *row = *state;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct statm statm = { 0 };

	assert_int_equal(statm_parse(row->text, &statm), row->ret);
	assert_int_equal(statm.resident_bytes, row->resident_pages * page);
	assert_int_equal(statm.shared_bytes, row->shared_pages * page);
}

/* The sanitizer would touch pages of its own for those. */
__attribute__((no_sanitize_address)) static void touch(char *at, size_t n,
						       size_t page)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)at)[i * page] = 1;
}

/* What statm_is_exact() promises, for more than one thread's batch. */
static void exact_here(void **state)
{
	enum { PAGES = 1000 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct kept k = KEPT_CLOSED;
	struct statm before;
	struct statm after;
	struct root root;
	char *at;

	(void)state;
	if (!statm_is_exact())
		skip();
	at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(at != MAP_FAILED);
	madvise(at, PAGES * page, MADV_NOHUGEPAGE);
	assert_int_equal(root_open("/", &root), 0);
	assert_int_equal(kept_open_proc(&k, &root, getpid(), "statm"), 0);
	assert_int_equal(kept_read(&k), 0);
	assert_int_equal(statm_parse(k.text, &before), 0);
	touch(at, PAGES, page);
	assert_int_equal(kept_read(&k), 0);
	assert_int_equal(statm_parse(k.text, &after), 0);
	assert_in_range(after.resident_bytes - before.resident_bytes,
			PAGES * page, (PAGES + 16) * page);
	munmap(at, PAGES * page);
	kept_close(&k);
	root_close(&root);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_statm, NULL, NULL, &(struct row)                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_again),
		cmocka_unit_test(read_vmstat),
		cmocka_unit_test(process_gone),
		cmocka_unit_test(exact_here),
		ROW("statm as it is", "148075 147842 357 1 0 147545 0\n", 0,
		    147842, 357),
		ROW("a kernel thread", "0 0 0 0 0 0 0\n", 0, 0, 0),
		ROW("cut short", "148075 1478", -EPROTO, 0, 0),
		ROW("empty", "", -EPROTO, 0, 0),
		ROW("no number", "148075 x 357 1 0 1 0\n", -EPROTO, 0, 0),
		ROW("more than there is room for",
		    "18446744073709551615 9223372036854775807 1 1 0 1 0\n",
		    -EPROTO, 0, 0),
		ROW("more resident than there is", "10 11 5 1 0 1 0\n", -EPROTO,
		    0, 0),
	};

	toucher_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
