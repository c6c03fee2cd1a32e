/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boot a guest by hand: for one command, or a shell. */
#ifndef BENCH_GUEST_BOOT_H
#define BENCH_GUEST_BOOT_H

#include <stddef.h>
#include <stdint.h>

#include "bench/guest/guest_accel.h"

struct guest_boot {
	const char *kernel;      /* guest_image_find()'s */
	const char *const *argv; /* of the command, NULL behind; NULL: none */
	const char *const *add;  /* files of this machine to have there */
	size_t n_add;
	uint64_t memory_bytes;
	unsigned int cpus;
	const char *cmdline; /* added to the kernel's; "" */
	enum guest_kvm kvm;
	uint64_t boot_limit_ns; /* until it has booted; 0: by how it runs */
	uint64_t limit_ns;      /* for the command, from then on */
	const char *console;    /* keep it there; NULL: nowhere */
	int out_fd;             /* gets what it prints; 0: where ours goes */
};

/*
 * Run the command as root in a fresh guest: what it prints goes where ours
 * goes, and its exit status is returned. Without one: say which kernel booted
 * and how, in how long. Else an exit status, printed why.
 */
int guest_boot(const struct guest_boot *b);

/* A shell on our terminal, until it ends. */
int guest_shell(const struct guest_boot *b);

#endif
