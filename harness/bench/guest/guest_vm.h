/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual machine of qemu's: a kernel, an archive, a console, and a port
 * that sends records (guest_frame.h). No disk, no network.
 */
#ifndef BENCH_GUEST_VM_H
#define BENCH_GUEST_VM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/guest/guest_image.h"

enum guest_accel {
	GUEST_TCG, /* every instruction is emulated: no performance figure */
	GUEST_KVM,
};

struct guest_vm_spec {
	const struct guest_image *image;
	const char *initrd;
	const char *cmdline; /* added to what a guest needs; may be "" */
	enum guest_accel accel;
	uint64_t memory_bytes;
	unsigned int cpus;
	const char *console; /* the file that gets it; NULL: our terminal */
	const char *log;     /* of qemu itself */
};

struct guest_vm {
	pid_t pid;   /* 0: ended */
	int data_fd; /* records; its end is the guest's; -1: none */
	int wstatus;
};

/* The program for this kind of image, in PATH; NULL, printed. free() it. */
char *guest_vm_program(enum guest_arch arch);

/* "tcg", "kvm" */
const char *guest_accel_text(enum guest_accel accel);

/*
 * The words that qemu is called with, behind its name; free each and the
 * list, which ends with NULL.
 */
char **guest_vm_args(const struct guest_vm_spec *spec);

/* Start it; it dies with us. 0 or -errno, printed. */
int guest_vm_start(const struct guest_vm_spec *spec, struct guest_vm *out);

/*
 * Has it ended? Waits so long at most. Then reaped, pid 0 and wstatus set.
 */
int guest_vm_wait(struct guest_vm *vm, uint64_t limit_ns);
/* Kill what still runs; close the port. */
void guest_vm_end(struct guest_vm *vm);

#endif
