/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel itself lies in a kernel image, and how it is packed. */
#ifndef KERN_KIMAGE_H
#define KERN_KIMAGE_H

#include <stddef.h>

struct kimage {
	const char *arch; /* "amd64", "arm64"; NULL: known once unpacked */
	size_t offset;    /* of the kernel, packed or not */
	size_t length;
	const char *program; /* that unpacks it with -dc; NULL: not packed */
};

/*
 * Look at a whole file. -ENOEXEC for what is no kernel image of these:
 *   x86 bzImage: Documentation/arch/x86/boot.rst, payload_offset
 *   arm64 Image: Documentation/arch/arm64/booting.rst
 *   the same packed as a whole, or by CONFIG_EFI_ZBOOT
 *   (drivers/firmware/efi/libstub/zboot-header.S)
 */
int kimage_parse(const void *data, size_t n, struct kimage *out);

#endif
