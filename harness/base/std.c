/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/std.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"

int std_open(void)
{
	/* Of the wrong mode: reading stdin, writing stdout is EBADF. */
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDWR };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* The lowest number that is free: this one. */
		if (open("/dev/null", modes[fd]) < 0)
			return -errno;
	}
	return 0;
}

int std_flush(void)
{
	if (fflush(stdout))
		return -errno;
	return ferror(stdout) ? -EIO : 0;
}

int std_write(const char *text, size_t n)
{
	int ret = std_flush();

	return ret ? ret : file_write_fd(STDOUT_FILENO, text, n);
}
