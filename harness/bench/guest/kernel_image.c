/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/kernel_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/proc.h"
#include "base/str.h"
#include "kern/kimage.h"

static const uint64_t unpack_limit_ns = 60 * NUM_NS_PER_S;
static const rlim_t most_bytes = NUM_GIB;

static int limit_size(void *arg)
{
	struct rlimit limit = { most_bytes, most_bytes };

	(void)arg;
	return setrlimit(RLIMIT_FSIZE, &limit) ? -errno : 0;
}

/* Bytes in a file without a name, to be read from its start. */
static int to_memfd(const void *data, size_t n)
{
	int fd = memfd_create("thpbench-image", MFD_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = file_write_fd(fd, data, n);
	if (!ret && lseek(fd, 0, SEEK_SET))
		ret = -errno;
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static int map_fd(int fd, void **map, size_t *n)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size <= 0)
		return -ENOEXEC;
	*n = (size_t)st.st_size;
	*map = mmap(NULL, *n, PROT_READ, MAP_PRIVATE, fd, 0);
	return *map == MAP_FAILED ? -errno : 0;
}

/*
 * What a program makes of these bytes. Its status does not count: behind the
 * packed data of an x86 image its size may stand, of which they complain.
 */
static int unpack(const char *program, const void *data, size_t n, void **map,
		  size_t *n_map)
{
	const char *argv[] = { program, "-dc", NULL };
	auto_close int in = to_memfd(data, n);
	auto_close int out = memfd_create("thpbench-kernel", MFD_CLOEXEC);
	auto_close int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const struct proc_spec spec = { .argv = argv,
					.in_fd = in,
					.out_fd = out,
					.err_fd = quiet,
					.before_exec = limit_size,
					.stops = true };
	int status;
	int ret;

	if (in < 0)
		return in;
	if (out < 0 || quiet < 0)
		return -EMFILE;
	ret = proc_run(&spec, unpack_limit_ns, &status);
	return ret ? ret : map_fd(out, map, n_map);
}

static int open_packed(const struct kimage *k, const char *data,
		       struct kernel_image *out, char **why)
{
	struct kimage inner;
	int ret;

	if (k->program) {
		ret = unpack(k->program, data + k->offset, k->length, &out->map,
			     &out->n_map);
	} else {
		auto_close int fd = to_memfd(data, k->length);

		ret = fd < 0 ? fd : map_fd(fd, &out->map, &out->n_map);
	}
	if (ret == -ENOENT) {
		*why = xasprintf("no %s here to unpack it", k->program);
		return -ENOTSUP;
	}
	if (ret) {
		*why = xasprintf("it cannot be unpacked: %s", strerror(-ret));
		return ret;
	}
	out->arch = k->arch;
	if (!out->arch && !kimage_parse(out->map, out->n_map, &inner) &&
	    !inner.program)
		out->arch = inner.arch;
	if (!out->arch) {
		*why = xstrdup("no kernel is packed in it");
		return -ENOEXEC;
	}
	return 0;
}

int kernel_image_open(const char *path, struct kernel_image *out, char **why)
{
	auto_free char *data = NULL;
	struct kimage k;
	size_t n;
	int ret = file_read(path, &data, &n);

	*out = (struct kernel_image){ 0 };
	*why = NULL;
	if (ret) {
		*why = xstrdup(strerror(-ret));
		return ret;
	}
	ret = kimage_parse(data, n, &k);
	if (ret) {
		*why = xstrdup("no kernel image of x86-64 or arm64");
		return ret;
	}
	ret = open_packed(&k, data, out, why);
	if (ret)
		kernel_image_close(out);
	else
		ktext_init(out->map, out->n_map, &out->text);
	return ret;
}

void kernel_image_close(struct kernel_image *image)
{
	if (image->map)
		munmap(image->map, image->n_map);
	*image = (struct kernel_image){ 0 };
}

char *kernel_image_config(const struct kernel_image *image)
{
	size_t offset;
	size_t length;
	void *map = NULL;
	size_t n = 0;
	char *text;

	if (!ktext_config(&image->text, &offset, &length) ||
	    unpack("gzip", image->text.data + offset, length, &map, &n))
		return NULL;
	text = xstrndup(map, n);
	munmap(map, n);
	return text;
}
