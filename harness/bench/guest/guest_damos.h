/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the kernel of a guest do what an arm asks of DAMON? By its image. */
#ifndef BENCH_GUEST_DAMOS_H
#define BENCH_GUEST_DAMOS_H

#include "bench/damos/damos.h"

/*
 * What the image lacks for the scheme, and where there is more; NULL: nothing
 * that it tells of. Nothing is booted. free() it.
 */
char *guest_damos_lacks(const char *image, const struct damos_config *c);

#endif
