/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into a server under test: its prctl(PR_SET_THP_DISABLE) is
 * answered with success and not done. Everything else is passed on, so
 * nothing is slower afterwards: there is no filter that the kernel would
 * have to run at every system call.
 */
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PR_SET_THP_DISABLE
#define PR_SET_THP_DISABLE 41
#endif

int prctl(int option, ...)
{
	unsigned long arg[4];
	va_list ap;

	/* As in glibc: a caller that gave fewer leaves the rest unread. */
	va_start(ap, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (option == PR_SET_THP_DISABLE && arg[0] != 0)
		return 0;
	return (int)syscall(SYS_prctl, option, arg[0], arg[1], arg[2], arg[3]);
}
