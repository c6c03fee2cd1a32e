/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel inside an image, unpacked into memory. */
#ifndef BENCH_KERNEL_IMAGE_H
#define BENCH_KERNEL_IMAGE_H

#include "kern/ktext.h"

struct kernel_image {
	const char *arch; /* "amd64", "arm64" */
	struct ktext text;
	void *map; /* what text points into, with its size */
	size_t n_map;
};

/*
 * Read and unpack an image. 0 or -errno, silent, *why set: -ENOEXEC no image
 * of a kernel, -ENOTSUP no program here that unpacks it. why: free() it.
 * kernel_image_close() it.
 */
int kernel_image_open(const char *path, struct kernel_image *out, char **why);
void kernel_image_close(struct kernel_image *image);

/* Its configuration where it carries it (CONFIG_IKCONFIG); NULL. free() it. */
char *kernel_image_config(const struct kernel_image *image);

#endif
