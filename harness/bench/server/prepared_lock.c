/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One at a time makes the data of a key. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/num.h"
#include "bench/guard/guard.h"
#include "bench/server/prepared_parts.h"

static const uint64_t between_tries_ns = 200 * NUM_NS_PER_MS;

static int wait_lock(const struct prepared_job *job, int fd)
{
	for (bool told = false; flock(fd, LOCK_EX | LOCK_NB); told = true) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(-errno, "lock in %s", job->cache);
		if (guard_stopped())
			return -EINTR;
		if (!told)
			prepared_tell(job, "waiting for somebody else who "
					   "prepares the same data");
		clock_sleep_until(clock_ns() + between_tries_ns);
	}
	return 0;
}

int prepared_lock(const struct prepared_job *job, const char *key, bool wait)
{
	auto_free char *path = xasprintf("%s/lock-%s", job->cache, key);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	int ret;

	if (fd < 0)
		return fail(-errno, "open %s", path);
	if (wait)
		ret = wait_lock(job, fd);
	else
		ret = flock(fd, LOCK_EX | LOCK_NB) ? -errno : 0;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}
