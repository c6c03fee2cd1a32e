/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel image: for which machine it is, and which version. */
#ifndef BENCH_GUEST_IMAGE_H
#define BENCH_GUEST_IMAGE_H

#include <stddef.h>
#include <stdint.h>

enum guest_arch {
	GUEST_X86_64,
	GUEST_ARM64,
};

struct guest_image {
	char *path; /* whole */
	enum guest_arch arch;
	char *version; /* "7.3.4+deb13-cloud-amd64"; NULL: it does not say */
	uint64_t least_bytes; /* that a whole one has; 0: not known */
};

/*
 * Look at an image. -ENOEXEC, printed, if it is none that a guest can boot, or
 * a part of one; else 0 or -errno, printed. guest_image_free() it.
 */
int guest_image_read(const char *path, struct guest_image *out);

/*
 * The same of the first bytes of a file; path stays NULL. Silent.
 *   x86: Documentation/arch/x86/boot.rst, "HdrS" at 0x202
 *   arm64: Documentation/arch/arm64/booting.rst, "ARM\x64" at 56
 */
int guest_image_parse(const void *data, size_t n, struct guest_image *out);
void guest_image_free(struct guest_image *image);

/* The machine's word for uname(2): "x86_64", "aarch64". */
const char *guest_arch_text(enum guest_arch arch);

/*
 * Can programs of this machine run there? 0, or -ENOTSUP, printed with what
 * would help.
 */
int guest_image_fits(const struct guest_image *image);

#endif
