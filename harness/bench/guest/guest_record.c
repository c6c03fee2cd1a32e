/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* Of a file that a guest gone wild may have us write. */
static const uint64_t most_bytes = UINT64_C(1) << 32;

/* Written by the host. */
static bool is_ours(const char *name)
{
	static const char *const names[] = { "-", "console.log", "qemu.log",
					     "guest.tsv" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (str_eq(names[i], name))
			return true;
	return false;
}

static int write_at(int fd, const struct guest_frame *f)
{
	size_t done = 0;

	while (done < f->n) {
		ssize_t n = pwrite(fd, f->data + done, f->n - done,
				   (off_t)(f->offset + done));

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int guest_record_take(const char *dir, const struct guest_frame *frame)
{
	auto_free char *path = xasprintf("%s/%s", dir, frame->name);
	auto_close int fd = -1;
	struct stat st;
	int ret;

	if (is_ours(frame->name) || frame->offset > most_bytes)
		return -EPROTO;
	fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0 || fstat(fd, &st))
		return fail(-errno, "open %s", path);
	if (!S_ISREG(st.st_mode) || frame->offset > (uint64_t)st.st_size)
		return -EPROTO;
	ret = frame->offset || !ftruncate(fd, 0) ? write_at(fd, frame) : -errno;
	return ret ? fail(ret, "write %s", path) : 0;
}

static struct guest_sent *sent_of(struct guest_sender *s, const char *name)
{
	for (size_t i = 0; i < s->n; i++)
		if (str_eq(s->files[i].name, name))
			return &s->files[i];
	XGROW(s->files, s->n);
	s->files[s->n] = (struct guest_sent){ .name = xstrdup(name) };
	return &s->files[s->n++];
}

/* How much of a piece may go: of a table whole lines. */
static size_t whole(const char *name, const char *piece, size_t n, bool is_last)
{
	const char *end;

	if (is_last || !str_ends(name, ".tsv"))
		return n;
	end = memrchr(piece, '\n', n);
	return end ? (size_t)(end - piece) + 1 : 0;
}

/* From where the last call stopped to the end of the file. */
static int send_rest(struct guest_sender *s, struct guest_sent *f, int fd,
		     bool is_last)
{
	auto_free char *piece = xmalloc(GUEST_DATA_MAX);
	bool is_new = f->bytes == 0;

	for (;;) {
		ssize_t got = pread(fd, piece, GUEST_DATA_MAX, (off_t)f->bytes);
		size_t n;
		int ret;

		if (got < 0)
			return -errno;
		n = whole(f->name, piece, (size_t)got, is_last);
		if (!n && !is_new)
			return 0;
		ret = guest_frame_send(s->fd, GUEST_FILE, f->name, f->bytes,
				       piece, n);
		if (ret)
			return ret;
		f->bytes += n;
		is_new = false;
	}
}

static int send_file(struct guest_sender *s, int dir, const char *name,
		     bool is_last)
{
	auto_close int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	struct guest_sent *f = sent_of(s, name);
	struct stat st;
	int ret;

	/* It may have gone, or got its place from another, meanwhile. */
	if (fd < 0 || fstat(fd, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (f->inode == st.st_ino && (uint64_t)st.st_size == f->bytes)
		return 0;
	if (f->inode != st.st_ino || (uint64_t)st.st_size < f->bytes)
		f->bytes = 0;
	f->inode = st.st_ino;
	ret = send_rest(s, f, fd, is_last);
	/* A name that may not be sent stays where it is. */
	return ret == -EINVAL ? 0 : ret;
}

int guest_record_send(struct guest_sender *s, int is_last)
{
	auto_dir DIR *dir = opendir(s->dir);
	struct dirent *e;
	int ret = 0;

	while (dir && !ret && (e = readdir(dir)))
		/* "x.new" is x, not whole yet. */
		if (e->d_name[0] != '.' && !str_ends(e->d_name, ".new"))
			ret = send_file(s, dirfd(dir), e->d_name, is_last);
	return ret;
}

void guest_sender_free(struct guest_sender *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->files[i].name);
	free(s->files);
	s->files = NULL;
	s->n = 0;
}
