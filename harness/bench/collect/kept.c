/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/collect/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

int kept_open(struct kept *k, const struct root *root, const char *path)
{
	if (k->fd >= 0)
		close(k->fd);
	k->fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);
	return k->fd < 0 ? -errno : 0;
}

int kept_open_proc(struct kept *k, const struct root *root, pid_t pid,
		   const char *name)
{
	auto_free char *path = xasprintf("proc/%d/%s", (int)pid, name);

	return kept_open(k, root, path);
}

int kept_read(struct kept *k)
{
	size_t n = 0;

	if (k->fd < 0)
		return -EBADF;
	for (;;) {
		ssize_t got;

		if (k->room - n < 2) {
			k->room = k->room ? 2 * k->room : 4096;
			k->text = xrealloc(k->text, k->room);
		}
		got = pread(k->fd, k->text + n, k->room - n - 1, (off_t)n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	k->text[n] = '\0';
	return 0;
}

void kept_close(struct kept *k)
{
	if (k->fd >= 0)
		close(k->fd);
	free(k->text);
	*k = KEPT_CLOSED;
}
