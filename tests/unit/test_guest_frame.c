/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a guest, whole, cut and broken. */
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
#include "base/str.h"
#include "bench/guest/guest_frame.h"

/* What was taken, as a text. */
static int note(const struct guest_frame *frame, void *arg)
{
	struct str *s = arg;

	str_addf(s, "%d %s %llu [%s] ", (int)frame->kind, frame->name,
		 (unsigned long long)frame->offset, frame->data);
	return 0;
}

static int refuse_it(const struct guest_frame *frame, void *arg)
{
	(void)frame;
	(void)arg;
	return -ENOSPC;
}

struct row {
	const char *bytes;
	const char *taken;
	int ret;
};

/* Cut anywhere, the same comes out. */
static void check_row(void **state)
{
	const struct row *row = *state;
	size_t n = strlen(row->bytes);

	for (size_t piece = 1; piece <= n + 1; piece++) {
		struct guest_frames f = { 0 };
		auto_str struct str taken = { 0 };
		int ret = 0;

		str_add(&taken, "");
		for (size_t i = 0; i < n && !ret; i += piece)
			ret = guest_frames_feed(&f, row->bytes + i,
						n - i < piece ? n - i : piece,
						note, &taken);
		assert_int_equal(ret, row->ret);
		assert_string_equal(taken.text, row->taken);
		guest_frames_free(&f);
	}
}

#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ROW(name, ...)                                                         \
	{                                                                      \
		name, check_row, NULL, NULL, &(struct row)                     \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

static int open_pipe(int fds[2])
{
	return pipe2(fds, O_CLOEXEC);
}

static void what_is_sent_comes_back(void **state)
{
	static char big[GUEST_DATA_MAX + 10];
	auto_free char *text = NULL;
	struct guest_frames f = { 0 };
	auto_str struct str taken = { 0 };
	auto_free char *path = NULL;
	auto_close int fd = file_unnamed(&path);
	size_t n;

	(void)state;
	memset(big, 'x', sizeof(big));
	assert_true(fd >= 0);
	assert_int_equal(guest_frame_send(fd, GUEST_SAY, "-", 0, "hi", 2), 0);
	assert_int_equal(guest_frame_send(fd, GUEST_FILE, "a", 7, big,
					  sizeof(big)),
			 0);
	assert_int_equal(guest_frame_send(fd, GUEST_END, "-", 3, "", 0), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(file_read_fd(fd, &text, &n), 0);
	assert_int_equal(guest_frames_feed(&f, text, n, note, &taken), 0);
	assert_int_equal(f.n, 0);
	guest_frames_free(&f);
	/* Cut in two, the second 64 KiB behind the first. */
	assert_non_null(strstr(taken.text, "1 a 7 [xxx"));
	assert_non_null(strstr(taken.text, "1 a 65543 [xxxxxxxxxx] 7 - 3 []"));
}

static void a_name_with_a_slash_is_not_sent(void **state)
{
	int fds[2];

	(void)state;
	assert_int_equal(open_pipe(fds), 0);
	assert_int_equal(guest_frame_send(fds[1], GUEST_FILE, "a/b", 0, "", 0),
			 -EINVAL);
	assert_int_equal(guest_frame_send(fds[1], GUEST_FILE, "..", 0, "", 0),
			 -EINVAL);
	close(fds[0]);
	close(fds[1]);
}

static void the_taker_may_refuse(void **state)
{
	struct guest_frames f = { 0 };

	(void)state;
	assert_int_equal(guest_frames_feed(&f, "say - 0 1\nxsay", 14, refuse_it,
					   NULL),
			 -ENOSPC);
	guest_frames_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW("one", "say - 0 2\nhi", "4 - 0 [hi] ", 0),
		ROW("two, and half a third",
		    "phase - 0 4\nloadfile a.tsv 12 1\nxfile a.tsv 13 5\nab",
		    "2 - 0 [load] 1 a.tsv 12 [x] ", 0),
		ROW("no data", "end - 3 0\n", "7 - 3 [] ", 0),
		ROW("data like a header", "out - 0 9\nsay - 0 1\n",
		    "5 - 0 [say - 0 1] ", -EPROTO),
		ROW("no such kind", "hell - 0 1\nx", "", -EPROTO),
		ROW("too few words", "say - 1\nx", "", -EPROTO),
		ROW("too many words", "say - 0 1 2\nx", "", -EPROTO),
		ROW("no number", "say - a 1\nx", "", -EPROTO),
		ROW("negative", "say - 0 -1\nx", "", -EPROTO),
		ROW("too long", "say - 0 65537\nx", "", -EPROTO),
		ROW("a folder's name", "file ../x 0 1\nx", "", -EPROTO),
		ROW("hidden", "file .x 0 1\nx", "", -EPROTO),
		ROW("the longest name", "file " LONG " 0 1\nx",
		    "1 " LONG " 0 [x] ", 0),
		ROW("a longer name", "file " LONG "a 0 1\nx", "", -EPROTO),
		ROW("a line that does not end", LONG LONG LONG, "", -EPROTO),
		ROW("an empty line", "\n", "", -EPROTO),
		cmocka_unit_test(what_is_sent_comes_back),
		cmocka_unit_test(a_name_with_a_slash_is_not_sent),
		cmocka_unit_test(the_taker_may_refuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
