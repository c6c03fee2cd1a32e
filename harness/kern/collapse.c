/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kern/collapse.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "kern/host.h"
#include "kern/pagemap.h"

/* From asm-generic/mman-common.h, Linux 6.1; older headers lack it. */
enum { ADVICE_COLLAPSE = 25 };

/* process_madvise() of another process asks for CAP_SYS_NICE. */
static bool has_capability(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &header, data) == 0 &&
	       data[0].effective & (1U << CAP_SYS_NICE);
}

int collapse_probe(const struct root *root)
{
	auto_close int pid_fd = -1;
	unsigned long none[2] = { 0, 0 };

	if (!root->is_live)
		return -ENOTSUP;
	/* The one call knows advices, the other says if it is there. */
	if (madvise(NULL, 0, ADVICE_COLLAPSE))
		return -errno;
	pid_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (pid_fd < 0)
		return -errno;
	if (syscall(SYS_process_madvise, pid_fd, none, 1, ADVICE_COLLAPSE, 0))
		return -errno;
	return has_capability() ? 0 : -EPERM;
}

int collapse_open(const struct root *root, pid_t pid, struct collapse *out)
{
	auto_free char *path = xasprintf("proc/%d/pagemap", (int)pid);

	if (!root->is_live)
		return -ENOTSUP;
	out->huge_bytes = host_huge_page_bytes(root);
	out->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (out->pid_fd < 0)
		return errno == ENOSYS ? -ENOTSUP : -errno;
	out->pagemap_fd = openat(root->fd, path, O_RDONLY | O_CLOEXEC);
	if (out->pagemap_fd < 0) {
		int err = errno == ENOENT ? -ESRCH : -errno;

		close(out->pid_fd);
		return err;
	}
	return 0;
}

void collapse_close(struct collapse *c)
{
	close(c->pid_fd);
	close(c->pagemap_fd);
	c->pid_fd = -1;
	c->pagemap_fd = -1;
}

/* 0 or -errno of one call. */
static int advise(const struct collapse *c, uint64_t at, uint64_t *longest_ns)
{
	/* A struct iovec; the address is none of ours. */
	unsigned long range[2] = { at, c->huge_bytes };
	uint64_t before = clock_ns();
	long n = syscall(SYS_process_madvise, c->pid_fd, range, 1,
			 ADVICE_COLLAPSE, 0);
	int err = n < 0 ? -errno : 0;
	uint64_t took = clock_ns() - before;

	if (took > *longest_ns)
		*longest_ns = took;
	return err;
}

static int advise_twice(const struct collapse *c, uint64_t at,
			uint64_t *longest_ns)
{
	int err = advise(c, at, longest_ns);

	if (err == -EAGAIN || err == -EBUSY || err == -EINTR)
		err = advise(c, at, longest_ns);
	return err;
}

static void refused(struct collapse_result *out, int err)
{
	out->n_refused++;
	out->last_refused = -err;
}

/* Count what one range came to. Returns 0, or -errno if all is over. */
static int count(const struct collapse *c, uint64_t at, int err,
		 struct collapse_result *out)
{
	int has_pages;

	switch (err) {
	case -ESRCH:
	case -ENOSYS:
	case -EPERM:
		return err;
	case 0:
		out->n_collapsed++;
		break;
	case -EAGAIN:
	case -EBUSY:
		out->n_busy++;
		break;
	case -ENOMEM:
		out->n_no_memory++;
		break;
	case -EINVAL:
		has_pages = pagemap_has_pages(c->pagemap_fd, at,
					      at + c->huge_bytes);
		if (has_pages < 0)
			return has_pages;
		if (has_pages)
			refused(out, err);
		else
			out->n_empty++;
		break;
	default:
		refused(out, err);
	}
	out->n_ranges++;
	return 0;
}

int collapse_vma(const struct collapse *c, const struct smaps_vma *vma,
		 int (*stopped)(void *arg), void *arg,
		 struct collapse_result *out)
{
	uint64_t huge = c->huge_bytes;
	uint64_t first = vma->start / huge + (vma->start % huge != 0);
	int ret = 0;

	memset(out, 0, sizeof(*out));
	for (uint64_t i = first; !ret && i < vma->end / huge; i++) {
		uint64_t at = i * huge;

		if (stopped && stopped(arg))
			break;
		ret = count(c, at, advise_twice(c, at, &out->longest_ns), out);
	}
	return ret;
}
