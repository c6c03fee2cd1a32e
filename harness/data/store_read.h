/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of one run; for data/store.c only. */
#ifndef DATA_STORE_READ_H
#define DATA_STORE_READ_H

#include "data/record.h"

/*
 * Read what run->dir below top holds into run, as far as it was written.
 * Returns 0, or -errno (printed); run_free() it in either case.
 */
int store_read_run(const char *top, struct run *run);

#endif
