/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/*
 * Boot sectors of 512 bytes (setup_sects of them, 4 where that is 0, and one
 * before those), then code in paragraphs of 16 (syssize), the last of which
 * need not be full.
 */
static uint64_t x86_least(const unsigned char *data)
{
	uint64_t sectors = data[0x1f1] ? data[0x1f1] : 4;
	uint64_t paragraphs = data[0x1f4] + 0x100ULL * data[0x1f5] +
			      0x10000ULL * data[0x1f6] +
			      0x1000000ULL * data[0x1f7];

	return (sectors + 1) * 512 + (paragraphs ? paragraphs - 1 : 0) * 16;
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
	out->least_bytes = x86_least(p);
	return 0;
}

int guest_image_read(const char *path, struct guest_image *out)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC);
	auto_free unsigned char *front = xmalloc(FRONT);
	struct stat st;
	ssize_t got;

	*out = (struct guest_image){ 0 };
	if (fd < 0 || fstat(fd, &st))
		return fail(-errno, "%s", path);
	got = pread(fd, front, FRONT, 0);
	if (got < 0)
		return fail(-errno, "read %s", path);
	if (guest_image_parse(front, (size_t)got, out))
		return refuse(-ENOEXEC,
			      "%s is no kernel image: neither an x86-64 "
			      "bzImage (vmlinuz) nor an arm64 Image",
			      path);
	if ((uint64_t)st.st_size < out->least_bytes)
		return refuse(-ENOEXEC,
			      "%s is cut off: %jd bytes of a kernel image that "
			      "by its header has %" PRIu64 " or more",
			      path, (intmax_t)st.st_size, out->least_bytes);
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
