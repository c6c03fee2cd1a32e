/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An archive as the kernel unpacks it at boot: cpio "newc", all of it owned
 * by root, whoever writes it
 * (Documentation/driver-api/early-userspace/buffer-format.rst).
 */
#ifndef BASE_CPIO_H
#define BASE_CPIO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cpio {
	int fd; /* the caller's; written from where it stands */
	uint32_t n_entries;
	uint64_t n_bytes; /* written so far */
};

/*
 * Names are paths in the archive; a slash in front is left out. A folder must
 * come before what lies in it. All return 0 or -errno and are silent; after
 * an error the archive is of no use.
 */
int cpio_dir(struct cpio *c, const char *name, mode_t mode);
int cpio_link(struct cpio *c, const char *name, const char *target);
/* A character device. */
int cpio_char(struct cpio *c, const char *name, mode_t mode, unsigned int major,
	      unsigned int minor);
int cpio_data(struct cpio *c, const char *name, mode_t mode, const void *data,
	      size_t n);
/*
 * A file of this machine. -EFBIG at 4 GiB, which the form does not know; -EIO
 * if it became shorter while it was read (what was added is left out).
 */
int cpio_file(struct cpio *c, const char *name, mode_t mode, const char *from);
/* The end of the archive; fd stays open. */
int cpio_end(struct cpio *c);

#endif
