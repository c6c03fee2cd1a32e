/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever is given for a kernel image. */
#include <stdint.h>
#include <string.h>

#include "bench/guest/guest_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct guest_image image;

	if (!guest_image_parse(data, size, &image) && image.version &&
	    !strlen(image.version))
		__builtin_trap();
	guest_image_free(&image);
	return 0;
}
