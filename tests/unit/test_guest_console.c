/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What consoles say: hand-made, and recorded in part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "bench/guest/guest_console.h"

struct row {
	const char *text;
	const char *mark; /* a part of it; NULL: none */
	const char *why;
};

static const struct guest_memory memory = { 256 * NUM_MIB, "--memory" };

static void check_part(const char *text, const char *part)
{
	if (!part) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	if (!strstr(text, part))
		assert_string_equal(text, part);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	auto_free char *mark = NULL;
	auto_free char *why = NULL;
	struct guest_console c;

	guest_console_scan(row->text, &c);
	mark = guest_console_mark(&c);
	why = guest_console_why(&c, &memory);
	check_part(mark, row->mark);
	check_part(why, row->why);
	assert_int_equal(c.is_silent, !*row->text);
	guest_console_free(&c);
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

static void five_are_quoted_and_all_counted(void **state)
{
	auto_free char *mark = NULL;
	struct guest_console c;

	(void)state;
	guest_console_scan("[    1.0] WARNING: a\n[    1.0] WARNING: b\n"
			   "[    1.0] WARNING: c\n[    1.0] WARNING: d\n"
			   "[    1.0] WARNING: e\n[    1.0] WARNING: f\n",
			   &c);
	mark = guest_console_mark(&c);
	assert_int_equal(c.n_lines, 6);
	assert_string_equal(mark, "the guest's kernel complained, 6 times: "
				  "WARNING: a | WARNING: b | WARNING: c | "
				  "WARNING: d | WARNING: e");
	guest_console_free(&c);
}

static void last_words(void **state)
{
	static const struct {
		const char *text;
		const char *last; /* NULL: none */
	} rows[] = {
		{ "[    1.0] one\r\n  two\r\n \r\n\n", "two" },
		{ "[    1.0] one\r\n[    1.1] tw", "[    1.1] tw" },
		{ "\r\n \n\001\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest_console c;

		guest_console_scan(rows[i].text, &c);
		if (rows[i].last)
			assert_string_equal(c.last, rows[i].last);
		else
			assert_null(c.last);
		guest_console_free(&c);
	}
}

static void more_than_why(void **state)
{
	static const struct {
		const char *text;
		bool has_more;
	} rows[] = {
		{ "[    1.0] fine\n", false },
		{ "[    1.0] Kernel panic - not syncing: VFS\n", false },
		{ "[    1.0] a: page allocation failure: order:0\n"
		  "[    1.0] Out of memory: Killed process 7 (a) total\n",
		  false },
		{ "[    1.0] a: page allocation failure: order:9\n", true },
		{ "[    1.0] Oops: int3: 0000 [#1] SMP\n"
		  "[    1.0] Kernel panic - not syncing: Fatal exception\n",
		  true },
		{ "[    1.0] BUG: KASAN: a\n"
		  "[    1.0] Out of memory: Killed process 7 (a) total\n",
		  true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct guest_console c;

		guest_console_scan(rows[i].text, &c);
		assert_int_equal(guest_console_has_more(&c), rows[i].has_more);
		guest_console_free(&c);
	}
}

static void a_long_line_is_cut(void **state)
{
	char text[1024] = "[    1.0] BUG: ";
	struct guest_console c;
	size_t n = strlen(text);

	(void)state;
	memset(text + n, 'x', sizeof(text) - n - 1);
	guest_console_scan(text, &c);
	assert_int_equal(c.n_lines, 1);
	assert_int_equal(strlen(c.lines[0]), 160);
	guest_console_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("nothing", "", NULL, NULL),
		ROW("a boot",
		    "[    0.000000] Linux version 7.3.4\r\n"
		    "[    0.000000] BIOS-provided physical RAM map:\r\n"
		    "[    0.006000] Spectre V2 : WARNING: Unprivileged eBPF\r\n"
		    "thpbench: the guest has booted: 7.3.4\r\n",
		    NULL, NULL),
		ROW("a warning of 6.12",
		    "[   12.1] WARNING: CPU: 1 PID: 77 at mm/huge.c:1 "
		    "f+0x1/2\r\n",
		    "1 time: WARNING: CPU: 1 PID: 77 at mm/huge.c:1 f+0x1/2",
		    NULL),
		ROW("a warning of 7.x",
		    "[   12.1][   T77] WARNING: mm/huge.c:1 at f+0x1, CPU#0\n",
		    "WARNING: mm/huge.c:1", NULL),
		ROW("not the kernel's", "WARNING: said by a program\n", NULL,
		    NULL),
		ROW("KASAN",
		    "[    1.5] BUG: KASAN: slab-use-after-free in f+0x1\n",
		    "BUG: KASAN: slab-use-after-free", NULL),
		ROW("lockdep",
		    "[    1.5] WARNING: possible circular locking dependency\n",
		    "possible circular locking", NULL),
		ROW("an oops of x86",
		    "[    1.5] BUG: kernel NULL pointer dereference, address\n"
		    "[    1.5] Oops: 0000 [#1] PREEMPT SMP\n",
		    "2 times: BUG: kernel NULL", NULL),
		ROW("an oops of arm64",
		    "[    1.5] Internal error: Oops: 96000004 [#1] SMP\n",
		    "Internal error", NULL),
		ROW("a hung task",
		    "[  242.1] INFO: task kdamond.0:99 blocked for more than "
		    "120 seconds.\n",
		    "INFO: task kdamond.0:99 blocked", NULL),
		ROW("a stall",
		    "[  242.1] rcu: INFO: rcu_preempt detected stalls on\n",
		    "rcu: INFO", NULL),
		ROW("a soft lockup",
		    "[  242.1] watchdog: BUG: soft lockup - CPU#0 stuck\n",
		    "soft lockup", NULL),
		ROW("a panic",
		    "[    2.0] Kernel panic - not syncing: VFS: Unable to "
		    "mount root fs on \"\" or unknown-block(0,0)\n",
		    "Kernel panic", "VFS: Unable to mount root fs"),
		ROW("no init",
		    "[    2.0] Kernel panic - not syncing: No working init "
		    "found.\n",
		    "Kernel panic", "its kernel panicked: No working init"),
		ROW("full memory",
		    "[   31.0] oom-kill:constraint=CONSTRAINT_NONE\n"
		    "[   31.0] Out of memory: Killed process 81 (mariadbd) "
		    "total-vm:1\n",
		    NULL,
		    "the guest's memory, 256 MiB, was full, and its kernel "
		    "killed mariadbd; raise --memory"),
		ROW("full memory, and nothing to kill",
		    "[   31.0] Kernel panic - not syncing: System is "
		    "deadlocked on memory\n",
		    "Kernel panic",
		    "the guest's memory, 256 MiB, was full, and there was "
		    "nothing to kill; raise --memory"),
		ROW("too small for its files",
		    "[    9.0] Initramfs unpacking failed: write error\n", NULL,
		    "too small for the files"),
		ROW("garbage",
		    "[[[]]] \001\377 WARNING: \n[\n] \n[ 1.0]\n[1.0] \n", NULL,
		    NULL),
		ROW("a time alone, cut", "[    1.0] WARN", NULL, NULL),
		cmocka_unit_test(five_are_quoted_and_all_counted),
		cmocka_unit_test(last_words),
		cmocka_unit_test(more_than_why),
		cmocka_unit_test(a_long_line_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
