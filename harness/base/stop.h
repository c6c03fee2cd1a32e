/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C while something is half made: the signal is held until that is
 * finished, or taken away again, and then does what it always does.
 */
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

struct stop {
	sigset_t before;
};

/* SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until stop_release(). May nest. */
void stop_hold(struct stop *s);
/*
 * Is one waiting that would end us, and was held by somebody? Who makes
 * something for long looks at it, and returns -EINTR.
 */
bool stop_asked(void);
/* What came in between comes now: mostly, this does not return then. */
void stop_release(const struct stop *s);

#endif
