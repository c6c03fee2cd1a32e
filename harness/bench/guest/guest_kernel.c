/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernels.h"

char *guest_kernel_find(const char *word)
{
	struct kernel k;
	char *image;

	if (strchr(word, '/'))
		return xstrdup(word);
	if (kernel_find(str_eq(word, "guest") ? NULL : word, kernels_own_arch(),
			&k))
		return NULL;
	image = xstrdup(k.image);
	kernel_free(&k);
	return image;
}
