/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does KVM work here? /dev/kvm may be there and still fail: it is tried. */
#ifndef BENCH_GUEST_ACCEL_H
#define BENCH_GUEST_ACCEL_H

#include "bench/config/config.h"
#include "bench/guest/guest_vm.h"

/*
 * Find out how this image can be run: by KVM if it then reaches its init in a
 * guest of its own within half a minute, else by emulation. *why (free() it)
 * says why KVM is not used; NULL if it is. 0; -EINTR if guard_stopped(); or
 * -errno, printed, if nothing can be tried.
 */
int guest_accel_find(const struct guest_image *image, enum guest_kvm kvm,
		     enum guest_accel *out, char **why);

/* How long a guest may take until it has booted, if nothing else is said. */
uint64_t guest_boot_limit_ns(enum guest_accel accel);

#endif
