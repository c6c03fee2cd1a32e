/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/kmsg.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (lseek(fd, 0, SEEK_END) < 0) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

void kmsg_line(const char *record, struct str *out)
{
	const char *text = strchr(record, ';');
	const char *p = record;
	enum { FACILITY_SHIFT = 3 }; /* the level is below */
	uint64_t fields[3] = { 0 };  /* priority, number, microseconds */

	for (size_t i = 0; i < 3; i++) {
		if (num_scan_u64(&p, &fields[i]))
			return;
		if (*p++ != ',')
			return;
	}
	if (!text || fields[0] >> FACILITY_SHIFT)
		return;
	str_addf(out, "[%5" PRIu64 ".%06" PRIu64 "] ", fields[2] / 1000000,
		 fields[2] % 1000000);
	str_addn(out, text + 1, strcspn(text + 1, "\n"));
	str_addc(out, '\n');
}

int kmsg_read(int fd, struct str *out)
{
	enum { RECORD_MAX = 8192 }; /* CONSOLE_EXT_LOG_MAX */
	char record[RECORD_MAX + 1];
	int ret = 0;

	for (;;) {
		ssize_t got = read(fd, record, RECORD_MAX);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EPIPE) {
			ret = -EPIPE;
			continue;
		}
		if (got < 0)
			return errno == EAGAIN ? ret : -errno;
		if (!got)
			return ret;
		record[got] = '\0';
		kmsg_line(record, out);
	}
}
