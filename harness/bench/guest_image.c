/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* The version of an x86 image stands within its first 32 KiB. */
enum { FRONT = 64 * 1024 };

static bool holds(const unsigned char *data, size_t n, size_t at,
		  const char *magic, size_t len)
{
	return n >= at + len && memcmp(data + at, magic, len) == 0;
}

/* "7.3.4 (builder) #1 SMP ...": its first word. NULL: none. */
static char *x86_version(const unsigned char *data, size_t n)
{
	size_t at = data[0x20e] + 256U * data[0x20f];
	const char *text = (const char *)data + at + 0x200;
	size_t len;

	if (!at || at + 0x200 >= n)
		return NULL;
	len = strnlen(text, n - at - 0x200);
	for (size_t i = 0; i < len; i++)
		if (text[i] <= ' ' || text[i] > '~')
			len = i;
	return len ? xstrndup(text, len) : NULL;
}

int guest_image_parse(const void *data, size_t n, struct guest_image *out)
{
	static const unsigned int is_64 = 1; /* XLF_KERNEL_64 */
	const unsigned char *p = data;

	*out = (struct guest_image){ 0 };
	if (holds(p, n, 56, "ARM\x64", 4)) {
		out->arch = GUEST_ARM64;
		return 0;
	}
	if (!holds(p, n, 0x202, "HdrS", 4) || n < 0x238 || !(p[0x236] & is_64))
		return -ENOEXEC;
	out->arch = GUEST_X86_64;
	out->version = x86_version(p, n);
	return 0;
}

int guest_image_read(const char *path, struct guest_image *out)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free unsigned char *front = xmalloc(FRONT);
	ssize_t got;

	*out = (struct guest_image){ 0 };
	if (fd < 0)
		return fail(-errno, "%s", path);
	got = pread(fd, front, FRONT, 0);
	if (got < 0)
		return fail(-errno, "read %s", path);
	if (guest_image_parse(front, (size_t)got, out))
		return refuse(-ENOEXEC,
			      "%s is no kernel image: neither an x86-64 "
			      "bzImage (vmlinuz) nor an arm64 Image",
			      path);
	out->path = realpath(path, NULL);
	return out->path ? 0 : fail(-errno, "%s", path);
}

void guest_image_free(struct guest_image *image)
{
	free(image->path);
	free(image->version);
	*image = (struct guest_image){ 0 };
}

const char *guest_arch_text(enum guest_arch arch)
{
	return arch == GUEST_ARM64 ? "aarch64" : "x86_64";
}

int guest_image_fits(const struct guest_image *image)
{
	const char *needed = guest_arch_text(image->arch);
	struct utsname host;

	if (uname(&host) || str_eq(host.machine, needed))
		return 0;
	return refuse(-ENOTSUP,
		      "%s is a kernel for %s, and a guest's programs are those "
		      "of this machine (%s); a kernel for %s",
		      image->path, needed, host.machine, host.machine);
}
