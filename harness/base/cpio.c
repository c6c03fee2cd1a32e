/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/cpio.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

/* What a header says of an entry, beside its name. */
struct entry {
	mode_t mode;
	uint32_t size;
	uint32_t major;
	uint32_t minor;
};

static int put(struct cpio *c, const void *data, size_t n)
{
	int ret = file_write_fd(c->fd, data, n);

	if (!ret)
		c->n_bytes += n;
	return ret;
}

/* Headers and data begin at multiples of 4 bytes. */
static int pad(struct cpio *c, size_t unit)
{
	static const char zeros[512];
	size_t over = c->n_bytes % unit;

	return over ? put(c, zeros, unit - over) : 0;
}

static int put_header(struct cpio *c, const char *name, const struct entry *e)
{
	auto_str struct str text = { 0 };
	int ret;

	while (*name == '/')
		name++;
	/*
	 * magic ino mode uid gid nlink mtime filesize, then of the device that
	 * it lies on and of the one that it is: major, minor; namesize check.
	 */
	str_addf(&text, "070701%08" PRIX32 "%08X%08X%08X%08X%08X%08" PRIX32,
		 ++c->n_entries, (unsigned int)e->mode, 0U, 0U, 1U, 0U,
		 e->size);
	str_addf(&text, "%08X%08X%08" PRIX32 "%08" PRIX32 "%08X%08X%s", 0U, 0U,
		 e->major, e->minor, (unsigned int)strlen(name) + 1, 0U, name);
	ret = put(c, text.text, text.len + 1);
	return ret ? ret : pad(c, 4);
}

int cpio_dir(struct cpio *c, const char *name, mode_t mode)
{
	struct entry e = { .mode = S_IFDIR | mode };

	return put_header(c, name, &e);
}

int cpio_char(struct cpio *c, const char *name, mode_t mode, unsigned int major,
	      unsigned int minor)
{
	struct entry e = {
		.mode = S_IFCHR | mode,
		.major = major,
		.minor = minor,
	};

	return put_header(c, name, &e);
}

static int put_text(struct cpio *c, const char *name, struct entry *e,
		    const void *data, size_t n)
{
	int ret;

	if (n > UINT32_MAX)
		return -EFBIG;
	e->size = (uint32_t)n;
	ret = put_header(c, name, e);
	if (!ret)
		ret = put(c, data, n);
	return ret ? ret : pad(c, 4);
}

int cpio_link(struct cpio *c, const char *name, const char *target)
{
	struct entry e = { .mode = S_IFLNK | 0777 };

	return put_text(c, name, &e, target, strlen(target));
}

int cpio_data(struct cpio *c, const char *name, mode_t mode, const void *data,
	      size_t n)
{
	struct entry e = { .mode = S_IFREG | mode };

	return put_text(c, name, &e, data, n);
}

/* Exactly as much as its header says. */
static int put_content(struct cpio *c, int fd, uint64_t left)
{
	enum { PIECE = 256 * 1024 };
	auto_free char *piece = xmalloc(PIECE);

	while (left) {
		size_t want = left < PIECE ? (size_t)left : PIECE;
		ssize_t got = read(fd, piece, want);
		int ret;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		ret = put(c, piece, (size_t)got);
		if (ret)
			return ret;
		left -= (uint64_t)got;
	}
	return 0;
}

int cpio_file(struct cpio *c, const char *name, mode_t mode, const char *from)
{
	auto_close int fd = open(from, O_RDONLY | O_CLOEXEC);
	struct entry e = { .mode = S_IFREG | mode };
	struct stat st;
	int ret;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (st.st_size > UINT32_MAX)
		return -EFBIG;
	e.size = (uint32_t)st.st_size;
	ret = put_header(c, name, &e);
	if (!ret)
		ret = put_content(c, fd, e.size);
	return ret ? ret : pad(c, 4);
}

int cpio_end(struct cpio *c)
{
	struct entry e = { 0 };
	int ret = put_header(c, "TRAILER!!!", &e);

	return ret ? ret : pad(c, 512);
}
