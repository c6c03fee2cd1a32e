/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/stop.h"

#include <stddef.h>

#include "base/mem.h"

static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

void stop_hold(struct stop *s)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &s->before);
}

/* A blocked signal waits though it is ignored, as nohup and sh's & have it. */
static bool is_ignored(int sig)
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

bool stop_asked(void)
{
	sigset_t waiting;

	if (sigpending(&waiting))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (sigismember(&waiting, signals[i]) == 1 &&
		    !is_ignored(signals[i]))
			return true;
	return false;
}

void stop_release(const struct stop *s)
{
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}
