/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kern/kmsg: records of /dev/kmsg as lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "kern/kmsg.h"

struct row {
	const char *record;
	const char *line;
};

static void check(void **state)
{
	const struct row *row = *state;
	auto_str struct str out = { 0 };

	str_add(&out, "");
	kmsg_line(row->record, &out);
	assert_string_equal(out.text, row->line);
}

/* What is said after the opening is read, what was before is not. */
static void reads_what_is_new(void **state)
{
	static const char before[] = "thpbench: test_kmsg before\n";
	static const char after[] = "thpbench: test_kmsg after\n";
	auto_close int to = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
	auto_close int from = -1;
	auto_str struct str out = { 0 };

	(void)state;
	if (to < 0 || write(to, before, strlen(before)) < 0) {
		print_message("may not write to /dev/kmsg\n");
		skip();
	}
	from = kmsg_open();
	assert_true(from >= 0);
	if (write(to, after, strlen(after)) < 0)
		skip();
	assert_int_equal(kmsg_read(from, &out), 0);
	assert_non_null(strstr(out.text, "] thpbench: test_kmsg after\n"));
	assert_null(strstr(out.text, "test_kmsg before"));
}

#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check, NULL, NULL, &(struct row)                         \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("plain", "6,339,5140900,-;NET: Registered\n",
		    "[    5.140900] NET: Registered\n"),
		ROW("with a device",
		    "7,160,424069,-;pci_root PNP0A03:00: host bridge\n"
		    " SUBSYSTEM=acpi\n DEVICE=+acpi:PNP0A03:00\n",
		    "[    0.424069] pci_root PNP0A03:00: host bridge\n"),
		ROW("more fields", "6,1,2000000,c,caller=T1;BUG: x\n",
		    "[    2.000000] BUG: x\n"),
		ROW("semicolons", "6,1,2000000,-;a;b\n",
		    "[    2.000000] a;b\n"),
		ROW("cut off", "6,1,2000000,-;a", "[    2.000000] a\n"),
		ROW("no text", "6,1,2000000,-", ""),
		ROW("no numbers", "a,b,c,-;x\n", ""),
		ROW("two numbers", "6,1;x\n", ""),
		ROW("nothing", "", ""),
		cmocka_unit_test(reads_what_is_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
