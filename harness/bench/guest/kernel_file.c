/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel image that the user has. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tree.h"
#include "bench/guest/kernel_image.h"
#include "bench/guest/kernel_parts.h"

static int write_file(const char *path, const char *data, size_t n)
{
	auto_close int fd =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	int ret = fd < 0 ? -errno : file_write_fd(fd, data, n);

	return ret ? fail(ret, "write %s", path) : 0;
}

static char *name_of(const char *release, const char *data, size_t n)
{
	auto_free char *name = hash_name(hash_bytes(HASH_START, data, n));

	return xasprintf("%s-%.8s", release, name);
}

/*
 * The configuration that the image carries, or that lies beside it: in /boot
 * as config-RELEASE, in a tree of sources (arch/x86/boot/bzImage) at the top.
 */
static char *find_config(const struct kernel_image *image, const char *path,
			 const char *release)
{
	char *text = kernel_image_config(image);
	auto_free char *whole = realpath(path, NULL);
	char *slash = whole ? strrchr(whole, '/') : NULL;

	if (text || !slash)
		return text;
	*slash = '\0';
	for (int i = 0; i < 2 && !text; i++) {
		auto_free char *file =
			i == 0 ? xasprintf("%s/config-%s", whole, release)
			       : xasprintf("%s/../../../.config", whole);

		if (file_read(file, &text, NULL))
			text = NULL;
	}
	return text;
}

static int copy_modules(const struct kernel_job *job, const char *release)
{
	const char *from = job->fetch->modules;
	auto_free char *installed =
		xasprintf("%s/lib/modules/%s", from ? from : "", release);
	auto_free char *to = xasprintf("%s/modules", job->slot.dir);
	uint64_t bytes = 0;
	int ret;

	if (!from)
		return 0;
	if (access(installed, F_OK) == 0)
		from = installed;
	ret = tree_bytes(from, &bytes);
	if (ret)
		return fail(ret, "--modules %s", from);
	ret = cache_slot_room(&job->slot, bytes, "the kernel's modules");
	if (!ret)
		ret = tree_copy(from, to, NULL);
	return ret;
}

static int copy_all(struct kernel_job *job, const struct kernel_image *image,
		    const char *release)
{
	const char *path = job->fetch->spec->image;
	auto_free char *to = xasprintf("%s/vmlinuz", job->slot.dir);
	auto_free char *config_to = xasprintf("%s/config", job->slot.dir);
	auto_free char *config = find_config(image, path, release);
	auto_free char *data = NULL;
	size_t n;
	int ret = file_read(path, &data, &n);

	if (ret)
		return fail(ret, "read %s", path);
	job->name = name_of(release, data, n);
	ret = cache_slot_room(&job->slot, n, "the kernel");
	if (!ret)
		ret = write_file(to, data, n);
	if (!ret && config)
		ret = write_file(config_to, config, strlen(config));
	return ret ? ret : copy_modules(job, release);
}

int kernel_from_image(struct kernel_job *job)
{
	const char *path = job->fetch->spec->image;
	auto_free char *whole = realpath(path, NULL);
	auto_free char *release = NULL;
	auto_free char *why = NULL;
	struct kernel_image image;
	int ret = kernel_image_open(path, &image, &why);

	if (ret)
		return refuse(ret, "%s: %s", path, why);
	release = ktext_release(&image.text);
	if (!release)
		release = xstrdup("unnamed");
	facts_set(&job->info, "source", whole ? whole : path);
	facts_set(&job->info, "arch", image.arch);
	facts_set(&job->info, "release", release);
	ret = copy_all(job, &image, release);
	kernel_image_close(&image);
	return ret;
}
