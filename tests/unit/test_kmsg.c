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

/* Record by record, as the device gives them: a pipe that keeps packets. */
static void reads_records(void **state)
{
	static const char *const records[] = {
		"6,339,5140900,-;first\n DEVICE=x\n",
		"14,340,5140901,-;systemd: not the kernel's\n",
		"4,341,6000000,-;WARNING: second\n",
	};
	auto_str struct str out = { 0 };
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_DIRECT | O_NONBLOCK), 0);
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		assert_int_equal(write(ends[1], records[i], strlen(records[i])),
				 strlen(records[i]));
	assert_int_equal(kmsg_read(ends[0], &out), 0);
	assert_string_equal(out.text, "[    5.140900] first\n"
				      "[    6.000000] WARNING: second\n");
	/* Nothing more, and then the end. */
	assert_int_equal(kmsg_read(ends[0], &out), 0);
	close(ends[1]);
	assert_int_equal(kmsg_read(ends[0], &out), 0);
	close(ends[0]);
	assert_int_equal(kmsg_read(ends[0], &out), -EBADF);
}

/* Of the device itself what was said before is left out. */
static void begins_now(void **state)
{
	auto_close int fd = kmsg_open();
	auto_str struct str out = { 0 };

	(void)state;
	if (fd < 0) {
		print_message("may not read /dev/kmsg\n");
		skip();
	}
	assert_int_equal(kmsg_read(fd, &out), 0);
	assert_true(out.len < 4096);
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
		ROW("a program's", "14,1,2000000,-;BUG: not so\n", ""),
		cmocka_unit_test(reads_records),
		cmocka_unit_test(begins_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
