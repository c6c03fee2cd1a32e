/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_frame.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static const char *const kinds[] = {
	[GUEST_HELLO] = "hello", [GUEST_FILE] = "file", [GUEST_PHASE] = "phase",
	[GUEST_TICK] = "tick",   [GUEST_SAY] = "say",   [GUEST_OUT] = "out",
	[GUEST_ERR] = "err",     [GUEST_END] = "end",
};

/* The longest header: kind, name, two numbers of 20 digits, blanks. */
enum { HEADER_MAX = 8 + GUEST_NAME_MAX + 2 * 21 };

/* A file in the run's folder itself, and none that is hidden. */
static bool is_name(const char *s)
{
	size_t n = strlen(s);

	if (!n || n > GUEST_NAME_MAX || s[0] == '.')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("._-", *s))
			return false;
	return true;
}

static int find_kind(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_eq(kinds[i], word))
			return (int)i;
	return -EPROTO;
}

/* The header without its newline. */
static int parse_header(const char *text, size_t len, struct guest_frame *out)
{
	auto_free char *copy = xstrndup(text, len);
	size_t n;
	auto_free char **cells = str_split(copy, ' ', &n);
	uint64_t size;
	int kind;

	if (n != 4 || !is_name(cells[1]))
		return -EPROTO;
	kind = find_kind(cells[0]);
	if (kind < 0 || num_u64(cells[2], &out->offset) ||
	    num_u64(cells[3], &size) || size > GUEST_DATA_MAX)
		return -EPROTO;
	out->kind = (enum guest_frame_kind)kind;
	out->n = size;
	memcpy(out->name, cells[1], strlen(cells[1]) + 1);
	return 0;
}

/*
 * One record at the front of the bytes: its length, 0 if more must come, or
 * -EPROTO.
 */
static ssize_t parse_one(char *bytes, size_t n, struct guest_frame *out)
{
	char *end = memchr(bytes, '\n', n < HEADER_MAX ? n : HEADER_MAX);
	size_t head;

	if (!end)
		return n < HEADER_MAX ? 0 : -EPROTO;
	head = (size_t)(end - bytes) + 1;
	if (parse_header(bytes, head - 1, out))
		return -EPROTO;
	if (n - head < out->n)
		return 0;
	out->data = bytes + head;
	return (ssize_t)(head + out->n);
}

static int hand_over(char *bytes, size_t len, const struct guest_frame *frame,
		     int (*take)(const struct guest_frame *frame, void *arg),
		     void *arg)
{
	/* For readers of text: the byte belongs to the next record. */
	char behind = bytes[len];
	int ret;

	bytes[len] = '\0';
	ret = take(frame, arg);
	bytes[len] = behind;
	return ret;
}

int guest_frames_feed(struct guest_frames *f, const char *bytes, size_t n,
		      int (*take)(const struct guest_frame *frame, void *arg),
		      void *arg)
{
	size_t done = 0;
	ssize_t len = 0;
	int ret = 0;

	f->pending = xrealloc(f->pending, f->n + n + 1);
	memcpy(f->pending + f->n, bytes, n);
	f->n += n;
	f->pending[f->n] = '\0';
	while (!ret) {
		struct guest_frame frame;

		len = parse_one(f->pending + done, f->n - done, &frame);
		if (len <= 0)
			break;
		ret = hand_over(f->pending + done, (size_t)len, &frame, take,
				arg);
		done += (size_t)len;
	}
	f->n -= done;
	memmove(f->pending, f->pending + done, f->n);
	return ret ? ret : (int)len < 0 ? (int)len : 0;
}

void guest_frames_free(struct guest_frames *f)
{
	free(f->pending);
	*f = (struct guest_frames){ 0 };
}

int guest_frame_send(int fd, enum guest_frame_kind kind, const char *name,
		     uint64_t offset, const char *data, size_t n)
{
	if (!is_name(name))
		return -EINVAL;
	do {
		size_t piece = n < GUEST_DATA_MAX ? n : GUEST_DATA_MAX;
		auto_str struct str text = { 0 };
		int ret;

		str_addf(&text, "%s %s %" PRIu64 " %zu\n", kinds[kind], name,
			 offset, piece);
		str_addn(&text, data, piece);
		ret = file_write_fd(fd, text.text, text.len);
		if (ret)
			return ret;
		offset += piece;
		data += piece;
		n -= piece;
	} while (n);
	return 0;
}
