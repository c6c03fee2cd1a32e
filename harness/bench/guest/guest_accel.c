/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/guest/guest_accel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "bench/guard/guard.h"
#include "bench/guest/guest_pack.h"

static const uint64_t trial_limit_ns = 30 * NUM_NS_PER_S;
static const uint64_t look_every_ns = 100 * NUM_NS_PER_MS;

uint64_t guest_boot_limit_ns(enum guest_accel accel)
{
	/* Emulated, 5 to 20 s were seen on a machine with nothing else. */
	return (accel == GUEST_KVM ? 60 : 150) * NUM_NS_PER_S;
}

/* What the two of them have said so far. */
struct trial {
	struct guest_vm vm;
	char *console;
	char *log;
	int console_fd;
	int log_fd;
};

static bool says(const char *path, const char *what, char **line)
{
	auto_free char *text = NULL;
	char *at;

	if (file_read(path, &text, NULL))
		return false;
	at = strstr(text, what);
	if (at && line)
		*line = xstrndup(at, strcspn(at, "\n"));
	return at;
}

/* What qemu complained of first. free() it. */
static char *first_line(const char *path)
{
	auto_free char *text = NULL;

	if (file_read(path, &text, NULL) || !*text)
		return xstrdup("a trial with it ended before it had booted");
	return xstrndup(text, strcspn(text, "\n"));
}

/* 1 it has booted, 0 it has not (*why), -EINTR. */
static int watch(struct trial *t, char **why)
{
	uint64_t end = clock_ns() + trial_limit_ns;

	while (!guest_vm_wait(&t->vm, 0)) {
		if (says(t->console, "thpbench: the guest has booted", NULL))
			return 1;
		if (says(t->log, "KVM internal error", why))
			return 0;
		if (clock_ns() >= end) {
			*why = xstrdup("a trial with it did not boot in 30 s");
			return 0;
		}
		if (guard_sleep_until(clock_ns() + look_every_ns))
			return -EINTR;
	}
	if (says(t->console, "thpbench: the guest has booted", NULL))
		return 1;
	*why = first_line(t->log);
	return 0;
}

static int try_kvm(const struct guest_image *image, const char *initrd,
		   struct trial *t, char **why)
{
	struct guest_vm_spec spec = {
		.image = image,
		.initrd = initrd,
		.cmdline = "thpbench.mode=try",
		.accel = GUEST_KVM,
		.memory_bytes = 512 * NUM_MIB,
		.cpus = 1,
		.console = t->console,
		.log = t->log,
	};
	int ret = guest_vm_start(&spec, &t->vm);

	if (!ret)
		ret = watch(t, why);
	guest_vm_end(&t->vm);
	return ret;
}

/* 1, 0 or -errno as watch(). */
static int trial(const struct guest_image *image, char **why)
{
	struct trial t = { .vm = { .data_fd = -1 } };
	struct guest_files files = { 0 };
	int ret;

	t.console_fd = file_unnamed(&t.console);
	t.log_fd = file_unnamed(&t.log);
	if (t.console_fd < 0 || t.log_fd < 0)
		ret = fail(-EIO, "make a file for a guest's console");
	else
		ret = guest_files_open(&files);
	if (!ret)
		ret = guest_pack_init(&files);
	if (!ret)
		ret = guest_files_end(&files);
	if (!ret)
		ret = try_kvm(image, files.path, &t, why);
	if (files.path)
		guest_files_free(&files);
	if (t.console_fd >= 0)
		close(t.console_fd);
	if (t.log_fd >= 0)
		close(t.log_fd);
	free(t.console);
	free(t.log);
	return ret;
}

/* Why it need not be tried; NULL. free() it. */
static char *why_not(const struct guest_image *image, enum guest_kvm kvm)
{
	struct utsname host;

	if (kvm == GUEST_KVM_OFF)
		return xstrdup("kvm = off");
	if (!uname(&host) &&
	    !str_eq(host.machine, guest_arch_text(image->arch)))
		return xasprintf("the kernel is for another machine, %s",
				 guest_arch_text(image->arch));
	if (access("/dev/kvm", R_OK | W_OK))
		return xasprintf("/dev/kvm: %s", strerror(errno));
	return NULL;
}

int guest_accel_find(const struct guest_image *image, enum guest_kvm kvm,
		     enum guest_accel *out, char **why)
{
	int ret;

	*out = GUEST_TCG;
	*why = why_not(image, kvm);
	if (*why)
		return 0;
	ret = trial(image, why);
	if (ret <= 0)
		return ret;
	*out = GUEST_KVM;
	return 0;
}
