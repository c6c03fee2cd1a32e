/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder sent record by record, and written again elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/guest/guest_record.h"

/* From a folder, through a pipe, to another. */
struct fixture {
	char top[64];
	char *from;
	char *to;
	int pipe[2];
	struct guest_sender sender;
	struct guest_frames frames;
};

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	snprintf(f->top, sizeof(f->top), "/tmp/thpbench-test-XXXXXX");
	if (!mkdtemp(f->top) || pipe2(f->pipe, O_CLOEXEC | O_NONBLOCK))
		return -1;
	f->from = xasprintf("%s/from", f->top);
	f->to = xasprintf("%s/to", f->top);
	f->sender = (struct guest_sender){ .dir = f->from, .fd = f->pipe[1] };
	*state = f;
	return mkdir(f->from, 0755) || mkdir(f->to, 0755);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	guest_sender_free(&f->sender);
	guest_frames_free(&f->frames);
	close(f->pipe[0]);
	close(f->pipe[1]);
	tree_remove(f->top);
	free(f->from);
	free(f->to);
	free(f);
	return 0;
}

static int take(const struct guest_frame *frame, void *arg)
{
	struct fixture *f = arg;

	assert_int_equal(frame->kind, GUEST_FILE);
	return guest_record_take(f->to, frame);
}

/* What has come since; how many bytes of records it took. */
static size_t pass(struct fixture *f, int is_last)
{
	char piece[8192];
	size_t all = 0;
	ssize_t got;

	assert_int_equal(guest_record_send(&f->sender, is_last), 0);
	while ((got = read(f->pipe[0], piece, sizeof(piece))) > 0) {
		assert_int_equal(guest_frames_feed(&f->frames, piece,
						   (size_t)got, take, f),
				 0);
		all += (size_t)got;
	}
	return all;
}

static void add(const struct fixture *f, const char *name, const char *text)
{
	auto_free char *path = xasprintf("%s/%s", f->from, name);
	auto_close int fd =
		open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	assert_int_equal(file_write_fd(fd, text, strlen(text)), 0);
}

static void check(const struct fixture *f, const char *name, const char *want)
{
	auto_free char *path = xasprintf("%s/%s", f->to, name);
	auto_free char *text = NULL;
	int ret = file_read(path, &text, NULL);

	if (!want) {
		assert_int_equal(ret, -ENOENT);
		return;
	}
	assert_int_equal(ret, 0);
	assert_string_equal(text, want);
}

static void files_grow(void **state)
{
	struct fixture *f = *state;

	add(f, "a.log", "one");
	add(f, "empty", "");
	pass(f, false);
	check(f, "a.log", "one");
	check(f, "empty", "");
	assert_int_equal(pass(f, false), 0);
	add(f, "a.log", " two");
	pass(f, false);
	check(f, "a.log", "one two");
}

static void tables_come_by_lines(void **state)
{
	struct fixture *f = *state;

	add(f, "a.tsv", "x\ty\n1\t");
	pass(f, false);
	check(f, "a.tsv", "x\ty\n");
	add(f, "a.tsv", "2\n3");
	pass(f, false);
	check(f, "a.tsv", "x\ty\n1\t2\n");
	pass(f, true);
	check(f, "a.tsv", "x\ty\n1\t2\n3");
}

static void published_anew(void **state)
{
	struct fixture *f = *state;
	auto_free char *path = xasprintf("%s/a", f->from);

	assert_int_equal(file_publish(path, "a long text"), 0);
	pass(f, false);
	assert_int_equal(file_publish(path, "short"), 0);
	add(f, "b.new", "not whole yet");
	pass(f, false);
	check(f, "a", "short");
	check(f, "b.new", NULL);
}

static void what_cannot_be_sent_stays(void **state)
{
	struct fixture *f = *state;
	auto_free char *sub = xasprintf("%s/sub", f->from);

	assert_int_equal(mkdir(sub, 0755), 0);
	add(f, "with blank", "x");
	add(f, "z", "y");
	pass(f, true);
	check(f, "z", "y");
	check(f, "with blank", NULL);
}

/* What a guest gone wild may send. */
static int take_one(struct fixture *f, const char *name, uint64_t offset)
{
	struct guest_frame frame = {
		.kind = GUEST_FILE, .offset = offset, .data = "x", .n = 1
	};

	memcpy(frame.name, name, strlen(name) + 1);
	return guest_record_take(f->to, &frame);
}

static void refused(void **state)
{
	struct fixture *f = *state;
	auto_free char *link = xasprintf("%s/link", f->to);

	assert_int_equal(symlink("/dev/null", link), 0);
	assert_int_equal(take_one(f, "a", 1), -EPROTO);
	assert_int_equal(take_one(f, "a", 0), 0);
	assert_int_equal(take_one(f, "a", 1), 0);
	assert_int_equal(take_one(f, "a", 3), -EPROTO);
	assert_int_equal(take_one(f, "a", UINT64_MAX), -EPROTO);
	assert_int_equal(take_one(f, "console.log", 0), -EPROTO);
	assert_int_equal(take_one(f, "guest.tsv", 0), -EPROTO);
	assert_int_equal(take_one(f, "-", 0), -EPROTO);
	assert_int_equal(take_one(f, "link", 0), -ELOOP);
	check(f, "a", "xx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files_grow, setup, teardown),
		cmocka_unit_test_setup_teardown(tables_come_by_lines, setup,
						teardown),
		cmocka_unit_test_setup_teardown(published_anew, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_cannot_be_sent_stays,
						setup, teardown),
		cmocka_unit_test_setup_teardown(refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
