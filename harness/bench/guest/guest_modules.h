/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modules that a guest's kernel needs where they are not built in. */
#ifndef BENCH_GUEST_MODULES_H
#define BENCH_GUEST_MODULES_H

#include "bench/guest/guest_files.h"
#include "bench/guest/guest_image.h"

/*
 * Put the modules for the port of records, and those that they need, into
 * /thpbench/modules/RELEASE, unpacked and with names that sort as they are to
 * be loaded. Those that are not found are taken for built in; without them
 * records leave by a serial port. 0 or -errno, printed.
 */
int guest_modules_add(struct guest_files *f, const struct guest_image *image);

/*
 * The folder with the modules of an image, or NULL: modules beside it; its
 * own folder, if that holds "kernel"; lib/modules/VERSION of where it lies, of
 * the folder above, or of this machine. free() it.
 */
char *guest_modules_dir(const struct guest_image *image);

/*
 * A value of a module's .modinfo, such as "depends" or "vermagic"; NULL if it
 * has none. free() it.
 */
char *guest_modules_info(const char *module, size_t n, const char *key);

#endif
