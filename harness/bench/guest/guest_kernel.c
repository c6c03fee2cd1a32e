/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "bench/guest/kernels.h"

/* An image of somebody's own: what to do where it is not there. */
static char *find_path(const char *path)
{
	struct stat st;
	int err = stat(path, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;

	if (!err)
		return xstrdup(path);
	refuse(-err,
	       "no kernel image: %s: %s; the path of one that you built "
	       "(arch/x86/boot/bzImage, arch/arm64/boot/Image), from where "
	       "thpbench is started, or a name of thpbench guest list, which "
	       "guest fetch fills",
	       path, strerror(err));
	return NULL;
}

char *guest_kernel_find(const char *word)
{
	struct kernel k;
	char *image;

	if (strchr(word, '/'))
		return find_path(word);
	if (kernel_find(str_eq(word, "guest") ? NULL : word, kernels_own_arch(),
			&k))
		return NULL;
	image = xstrdup(k.image);
	kernel_free(&k);
	return image;
}
