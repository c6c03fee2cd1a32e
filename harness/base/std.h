/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard input, output and error of the program. */
#ifndef BASE_STD_H
#define BASE_STD_H

#include <stddef.h>

/*
 * Before anything is opened: where one of the three is closed, put something
 * there that fails when it is used, so that no file that we open gets its
 * number and what we print. Returns 0 or -errno.
 */
int std_open(void);

/*
 * Has all that was printed to stdout been taken? 0 or -errno; -EIO where the
 * reason is no longer known.
 */
int std_flush(void);

/* Print a text of any length, behind what was printed before. 0 or -errno. */
int std_write(const char *text, size_t n);

#endif
