/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded by a test: the wall clock jumps by an hour at every look, forth
 * and back. CLOCK_MONOTONIC goes on as it is.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t step(void)
{
	static int calls;

	return ++calls % 2 ? 3600 : -3600;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	long ret = syscall(SYS_clock_gettime, id, ts);

	if (!ret && id == CLOCK_REALTIME)
		ts->tv_sec += step();
	return (int)ret;
}

time_t time(time_t *out)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (out)
		*out = ts.tv_sec;
	return ts.tv_sec;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec ts;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}
